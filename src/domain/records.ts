import { z } from 'zod';
import { moneySchema } from './catalog.ts';
import { MAX_ID } from './ids.ts';

const id = z.int().min(1).max(MAX_ID);
const count = z.int().min(0);
const named = z.object({ id, name: z.string() });
const url = z.string().describe('Canonical URL');

const priceSchema = z
  .object({ ...moneySchema.shape, formatted: z.string().describe('For people, such as R$ 299,90') })
  .nullable();

const storeSchema = z.object({
  id,
  name: z.string(),
  address: z.string(),
  district: z.string(),
  city: z.string(),
  state: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});

const nearestStoreSchema = z
  .object({
    id,
    name: z.string(),
    district: z.string(),
    city: z.string(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    distance_meters: count.optional().describe('Only when coordinates were given'),
  })
  .nullable()
  .describe('The store of the merchant that is in the place asked for, the nearest one of them');

const mediaItem = z.object({
  type: z.enum(['image', 'video']),
  url: z.string(),
  alt_text: z.string().nullable(),
});

const matching = {
  match: z
    .enum(['exact', 'partial', 'category_fallback'])
    .describe('Whether all of the query was found, part of it, or only its category'),
  score: z.number().min(0).max(1).describe('Fit of the record to the search, 1 is best'),
};

const productFields = {
  id,
  name: z.string().describe('Show it with its link'),
  product_url: url,
  product_link_markdown: z.string().describe('Markdown link to the canonical page'),
  category: named.nullable().describe('Category of the catalog'),
  brand: z.string().nullable(),
  price: priceSchema,
  availability: z.enum(['in_stock', 'out_of_stock']),
  merchant: named.describe('Who sells it'),
};

const offerFields = {
  id: z.int().min(-MAX_ID).max(MAX_ID).describe('Negative for payment offers'),
  title: z.string().describe('Show it with its link'),
  offer_url: url,
  offer_link_markdown: z.string().describe('Markdown link to the canonical page'),
  ai_category: z.string().nullable(),
  quality_score: z.number().min(0).max(1).describe('AI quality score, 1 is best'),
  price: priceSchema.describe('Its own, or else that of its product'),
  merchant: named.nullable(),
  product_url: url.optional(),
  product_link_markdown: z.string().optional(),
  valid_from: z.string().nullable(),
  valid_until: z.string().nullable().describe('Null: no end is set'),
  is_payment_offer: z.boolean(),
};

/** A product as a search returns it. */
export const productRecordSchema = z
  .object({ ...productFields, nearest_store: nearestStoreSchema, ...matching })
  .meta({ id: 'ProductRecord' });

/** A product as get_product returns it. */
export const productDetailSchema = z
  .object({
    ...productFields,
    description: z.string().nullable(),
    list_price: priceSchema,
    media: z.array(mediaItem),
    stores: z.array(storeSchema),
    updated_at: z.string(),
  })
  .meta({ id: 'ProductDetail' });

/** An offer as a search returns it. */
export const offerRecordSchema = z
  .object({ ...offerFields, nearest_store: nearestStoreSchema, ...matching })
  .meta({ id: 'OfferRecord' });

/** An offer as get_offer returns it. */
export const offerDetailSchema = z
  .object({
    ...offerFields,
    description: z.string().nullable(),
    enriched_copy: z.string().nullable(),
    media: z.array(mediaItem),
    stores: z.array(storeSchema),
    updated_at: z.string(),
  })
  .meta({ id: 'OfferDetail' });

const filterValue = z.union([z.string(), z.number(), z.boolean()]);

const searchAnswerFields = {
  result_count: count,
  answer_markdown: z.string().describe('Ready list of linked records'),
  interpretation: z.object({
    concepts: z.array(z.string()).describe('Catalog concepts in Brazilian Portuguese'),
    unmatched_terms: z.array(z.string()).describe('Words that name no concept'),
    language: z.string().nullable().describe('Of the query, when it can be told'),
  }),
  applied_filters: z.record(z.string(), filterValue),
  fallback: z
    .object({ type: z.literal('category'), category: named })
    .nullable()
    .describe('The nearest category, when nothing matched the query itself'),
  messages: z
    .array(z.string())
    .describe('What to tell or to correct: unknown names, a used-up quota'),
  usage: z.string(),
};

/** The structured answer of search_local_products. */
export const productSearchSchema = z.object({
  service: z.string(),
  products: z.array(productRecordSchema),
  ...searchAnswerFields,
});

/** The structured answer of search_local_offers. */
export const offerSearchSchema = z.object({
  service: z.string(),
  offers: z.array(offerRecordSchema),
  ...searchAnswerFields,
});

/** The structured answer of get_product. */
export const productAnswerSchema = z.object({
  service: z.string(),
  product: productDetailSchema,
  answer_markdown: z.string(),
  usage: z.string(),
});

/** The structured answer of get_offer. */
export const offerAnswerSchema = z.object({
  service: z.string(),
  offer: offerDetailSchema,
  answer_markdown: z.string(),
  usage: z.string(),
});

/** The live counts, in every document that states them. */
export const countsSchema = z.object({
  products: count,
  products_in_stock: count,
  offers: count,
  merchants: count,
  stores: count,
  cities: count,
  districts: count,
  categories: count,
});

/** The structured answer of catalog_overview. */
export const overviewSchema = z.object({
  service: z.string(),
  counts: countsSchema,
  default_city: z.string(),
  documents: z.array(z.object({ name: z.string(), url: z.string(), description: z.string() })),
  endpoints: z.array(
    z.object({
      name: z.string(),
      method: z.enum(['GET', 'POST']),
      url: z.string(),
      description: z.string(),
      cache_seconds: count,
    }),
  ),
  limits: z.record(z.string(), count),
  usage_policy: z.object({
    allowed: z.array(z.string()),
    not_allowed: z.array(z.string()),
    attribution: z.string(),
    higher_volume: z.string(),
  }),
  catalog_updated_at: z.string().nullable(),
});

export type ProductRecord = z.infer<typeof productRecordSchema>;
export type OfferRecord = z.infer<typeof offerRecordSchema>;
export type ProductDetail = z.infer<typeof productDetailSchema>;
export type OfferDetail = z.infer<typeof offerDetailSchema>;
