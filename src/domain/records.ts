import { z } from 'zod';
import { moneySchema } from './catalog.ts';
import { MAX_ID } from './ids.ts';

const id = z.int().min(1).max(MAX_ID);
const count = z.int().min(0);
const named = z.object({ id, name: z.string() });
const url = z.string().describe('Canonical');

const priceSchema = z.object({ ...moneySchema.shape, formatted: z.string() }).nullable();

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
    distance_meters: count.optional().describe('with coordinates'),
  })
  .nullable()
  .describe('Nearest store in the place searched');

const mediaItem = z.object({
  type: z.enum(['image', 'video']),
  url: z.string(),
  alt_text: z.string().nullable(),
});

const matching = {
  match: z
    .enum(['exact', 'partial', 'category_fallback'])
    .describe('Whole query, part of it, or its category only'),
  missing: z.array(z.string()).optional().describe('Asked for, but not in the record'),
  loose: z.array(z.string()).optional().describe('Asked for, and matched only loosely'),
  score: z.number().min(0).max(1).describe('1 is best'),
};

const productFields = {
  id,
  name: z.string(),
  product_url: url,
  product_link_markdown: z.string(),
  category: named.nullable(),
  brand: z.string().nullable(),
  price: priceSchema,
  availability: z.enum(['in_stock', 'out_of_stock']),
  merchant: named,
};

const offerFields = {
  id: z.int().min(-MAX_ID).max(MAX_ID).describe('Negative for payment offers'),
  title: z.string(),
  offer_url: url,
  offer_link_markdown: z.string(),
  ai_category: z.string().nullable(),
  quality_score: z.number().min(0).max(1).describe('1 is best'),
  price: priceSchema,
  price_of: z.enum(['offer', 'product']).nullable().describe('Whose price it is'),
  merchant: named.nullable(),
  product_url: url.optional(),
  product_link_markdown: z.string().optional(),
  valid_from: z.string().nullable(),
  valid_until: z.string().nullable().describe('Exclusive; null without end'),
  last_valid_day: z.string().nullable().describe('Inclusive, in São Paulo'),
  is_payment_offer: z.boolean(),
};

/** A product in a search answer. */
export const productRecordSchema = z
  .object({ ...productFields, nearest_store: nearestStoreSchema, ...matching })
  .meta({ id: 'ProductRecord' });

/** A product of the showcase: no match or score, since no query selected it. */
export const showcaseProductSchema = z
  .object({ ...productFields, nearest_store: nearestStoreSchema })
  .meta({ id: 'ShowcaseProduct' });

/** A product in a get_product answer. */
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

/** An offer in a search answer. */
export const offerRecordSchema = z
  .object({ ...offerFields, nearest_store: nearestStoreSchema, ...matching })
  .meta({ id: 'OfferRecord' });

/** An offer in a get_offer answer. */
export const offerDetailSchema = z
  .object({
    ...offerFields,
    product_price: priceSchema.describe('Without the offer'),
    description: z.string().nullable().describe('With its conditions'),
    enriched_copy: z.string().nullable(),
    media: z.array(mediaItem),
    stores: z.array(storeSchema),
    updated_at: z.string(),
  })
  .meta({ id: 'OfferDetail' });

const filterValue = z.union([z.string(), z.number(), z.boolean()]);

const searchAnswerFields = {
  result_count: count,
  answer_markdown: z.string().describe('As text'),
  interpretation: z.object({
    concepts: z.array(z.string()).describe('in pt-BR'),
    unmatched_terms: z.array(z.string()).describe('name no concept'),
    language: z.string().nullable().describe('of the query'),
  }),
  applied_filters: z.record(z.string(), filterValue),
  fallback: z
    .object({ type: z.literal('category'), category: named })
    .nullable()
    .describe('The nearest category, when nothing matched'),
  messages: z.array(z.string()).describe('Notes for user or agent'),
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

/** The live counts, shared by every document that states them. */
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
  categories: z.array(z.object({ id, name: z.string(), products: count })).describe('The largest'),
  cities: z
    .array(z.object({ name: z.string(), state: z.string().nullable(), stores: count }))
    .describe('The largest'),
  districts: z
    .array(z.object({ name: z.string(), city: z.string(), stores: count }))
    .describe('The largest'),
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
export type ShowcaseProductRecord = z.infer<typeof showcaseProductSchema>;
export type ProductDetail = z.infer<typeof productDetailSchema>;
export type OfferDetail = z.infer<typeof offerDetailSchema>;
export type StoreRecord = z.infer<typeof storeSchema>;
export type ProductSearchAnswer = z.infer<typeof productSearchSchema>;
export type OfferSearchAnswer = z.infer<typeof offerSearchSchema>;
export type Overview = z.infer<typeof overviewSchema>;
