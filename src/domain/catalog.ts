import { z } from 'zod';
import { MAX_ID } from './ids.ts';

const id = z.int().min(1).max(MAX_ID);
/** Postgres text cannot hold U+0000, and no catalog text needs it. */
const plain = (value: string) => !value.includes('\u0000') && value.isWellFormed();
const PLAIN = 'must not contain U+0000 or half of a surrogate pair';
const name = z.string().trim().min(1).max(300).refine(plain, PLAIN);
const text = z.string().max(20_000).refine(plain, PLAIN);

/** An amount of money in a feed. */
export const moneySchema = z.strictObject({
  amount: z.int().min(0).max(MAX_ID).describe('centavos'),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a three-letter ISO 4217 code'),
});

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2000)
  .refine(plain, PLAIN);

/** A picture or video in a feed. */
export const mediaSchema = z.strictObject({
  type: z.enum(['image', 'video']),
  url: httpUrl,
  alt_text: text.nullish(),
});

/** Restricts ISO 8601 to the years and zones that Postgres accepts too. */
const READABLE = /^(?!0000).*(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;
const INSTANT = 'must be an ISO 8601 instant with a zone';
const instant = z.iso.datetime({ offset: true, error: INSTANT }).regex(READABLE, INSTANT);
const phone = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number in E.164: +5511912345678');

const category = z.strictObject({
  kind: z.literal('category'),
  id,
  name,
  parent_id: id.nullish(),
});

const merchant = z.strictObject({
  kind: z.literal('merchant'),
  id,
  name,
  description: text.nullish(),
});

const store = z
  .strictObject({
    kind: z.literal('store'),
    id,
    merchant_id: id,
    name,
    address: name,
    district: name,
    city: name,
    state: name.nullish(),
    latitude: z.number().min(-90).max(90).nullish(),
    longitude: z.number().min(-180).max(180).nullish(),
    phone: phone.nullish(),
    whatsapp: phone.nullish(),
    opening_hours: name.nullish().describe('in the syntax of OpenStreetMap: Mo-Sa 10:00-22:00'),
  })
  .refine((value) => (value.latitude == null) === (value.longitude == null), {
    path: ['latitude'],
    error: 'latitude and longitude must be given together or not at all',
  });

const product = z.strictObject({
  kind: z.literal('product'),
  id,
  merchant_id: id,
  category_id: id.nullish(),
  name,
  description: text.nullish(),
  brand: name.nullish(),
  price: moneySchema.nullish(),
  list_price: moneySchema.nullish(),
  in_stock: z.boolean().nullish(),
  media: z.array(mediaSchema).max(50).nullish(),
  updated_at: instant.nullish(),
});

const offer = z
  .strictObject({
    kind: z.literal('offer'),
    id: z
      .int()
      .min(-MAX_ID)
      .max(MAX_ID)
      .refine((value) => value !== 0, 'must not be 0'),
    merchant_id: id.nullish(),
    product_id: id.nullish(),
    title: name,
    description: text.nullish(),
    ai_category: name.nullish(),
    enriched_copy: text.nullish(),
    quality_score: z.number().min(0).max(1).nullish(),
    price: moneySchema.nullish(),
    media: z.array(mediaSchema).max(50).nullish(),
    valid_from: instant.nullish(),
    valid_until: instant.nullish(),
    status: z.enum(['active', 'inactive', 'hidden']).nullish(),
    app_only_top: z.boolean().nullish(),
    updated_at: instant.nullish(),
  })
  .refine((value) => value.id < 0 || value.merchant_id != null, {
    path: ['merchant_id'],
    error: 'is required for a merchant offer (only payment offers, with negative ids, may lack it)',
  })
  .refine(
    (value) =>
      value.valid_from == null ||
      value.valid_until == null ||
      Date.parse(value.valid_from) < Date.parse(value.valid_until),
    { path: ['valid_until'], error: 'must be after valid_from' },
  );

/** One line of a catalog feed. */
export const feedRecordSchema = z.discriminatedUnion('kind', [
  category,
  merchant,
  store,
  product,
  offer,
]);

/** A valid record of a feed. */
export type FeedRecord = z.infer<typeof feedRecordSchema>;
/** The kind of a feed record. */
export type FeedKind = FeedRecord['kind'];
/** All kinds in insertion order: referenced kinds first; removal runs in reverse. */
export const FEED_KINDS: FeedKind[] = ['category', 'merchant', 'store', 'product', 'offer'];
/** A record's kind and id. */
export type RecordKey = { kind: FeedKind; id: number };
/** The records of one kind. */
export type FeedRecordOf<K extends FeedKind> = Extract<FeedRecord, { kind: K }>;

/** An amount in minor units. */
export type Money = z.infer<typeof moneySchema>;
/** A picture or video by its external URL. */
export type Media = { type: 'image' | 'video'; url: string; alt_text: string | null };
/** The id and name of a merchant, category or product. */
export type Named = { id: number; name: string };

/** A place where a merchant sells; coordinates are null when unknown. */
export type Store = {
  id: number;
  name: string;
  address: string;
  district: string;
  city: string;
  state: string | null;
  latitude: number | null;
  longitude: number | null;
};

/** A product of the catalog; its location is that of its merchant's stores. */
export type Product = {
  id: number;
  name: string;
  description: string | null;
  brand: string | null;
  category: Named | null;
  merchant: Named;
  price: Money | null;
  listPrice: Money | null;
  inStock: boolean;
  media: Media[];
  updatedAt: string;
};

/** An offer of the public offer index. */
export type Offer = {
  id: number;
  title: string;
  description: string | null;
  aiCategory: string | null;
  enrichedCopy: string | null;
  qualityScore: number;
  merchant: Named | null;
  product: Named | null;
  /** The offer's own price, else its product's. */
  price: Money | null;
  /** The product's price without the offer. */
  productPrice: Money | null;
  /** Whether `price` is the offer's own. */
  hasOwnPrice: boolean;
  media: Media[];
  validFrom: string | null;
  validUntil: string | null;
  updatedAt: string;
};

/** A search result: a record, how it matched, and the store that is nearest or was named. */
export type Hit<T> = {
  record: T;
  match: 'exact' | 'partial' | 'category_fallback';
  score: number;
  /** Labels of what the query asks for and the record lacks. */
  missing: string[];
  /** Labels that the record matches only weakly: in its description, or by something related. */
  loose: string[];
  nearestStore: (Store & { distanceMeters: number | null }) | null;
};

/** The live counts of the public catalog, the same in every document that states them. */
export type CatalogCounts = {
  products: number;
  products_in_stock: number;
  offers: number;
  merchants: number;
  stores: number;
  cities: number;
  districts: number;
  categories: number;
};

/** The catalog's counts and the time of its last change; null before the first import. */
export type CatalogState = { counts: CatalogCounts; updatedAt: string | null };

/** The names by which searches can be filtered, largest first. */
export type Directory = {
  /** Product counts include subcategories. */
  categories: { id: number; name: string; products: number }[];
  cities: { name: string; state: string | null; stores: number }[];
  districts: { name: string; city: string; stores: number }[];
};

/** The kinds of records with pages, in path order, and ids by kind. */
export const PAGE_KINDS = ['offer', 'product'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];
export type PageIds = Record<PageKind, number[]>;

/** A showcase product with its merchant's first store. */
export type ShowcaseProduct = Product & { store: Store | null };
