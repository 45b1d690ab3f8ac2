import type { Media, Money, Named, Offer, Product } from '../../domain/catalog.ts';
import type { Sql } from '../connection/client.ts';

/** The column names of a price. */
export type PriceColumns = { amount: string; currency: string };
export const PRODUCT_PRICE: PriceColumns = {
  amount: 'p.price_amount',
  currency: 'p.price_currency',
};
/** The price of an offer `o` with product `p`: its own, else its product's. */
export const OFFER_PRICE: PriceColumns = {
  amount: 'coalesce(o.price_amount, p.price_amount)',
  currency: 'coalesce(o.price_currency, p.price_currency)',
};

/** JSON of a store `s`, with further members. */
export const storeRecord = (sql: Sql, further = sql``) => sql`
  json_build_object(
    'id', s.id, 'name', s.name, 'address', s.address, 'district', s.district, 'city', s.city,
    'state', s.state, 'latitude', s.latitude, 'longitude', s.longitude ${further})`;

/** The columns of a product `p` joined with merchant `m` and category `c`. */
export const productColumns = (sql: Sql) => sql`
  p.id, p.name, p.description, p.brand, p.category_id, c.name as category_name,
  p.merchant_id, m.name as merchant_name, p.price_amount, p.price_currency,
  p.list_price_amount, p.list_price_currency, p.in_stock, p.media, p.updated_at`;

/** The columns of an offer `o` joined with merchant `m` and product `p`. */
export const offerColumns = (sql: Sql) => sql`
  o.id, o.title, o.description, o.ai_category, o.enriched_copy, o.quality_score,
  o.merchant_id, m.name as merchant_name, o.product_id, p.name as product_name,
  ${sql.unsafe(OFFER_PRICE.amount)} as price_amount,
  ${sql.unsafe(OFFER_PRICE.currency)} as price_currency, o.price_amount is not null as has_own_price,
  p.price_amount as product_price_amount, p.price_currency as product_price_currency, o.media, o.valid_from, o.valid_until, o.updated_at`;

/** A row of `productColumns`. */
export type ProductRow = {
  id: number;
  name: string;
  description: string | null;
  brand: string | null;
  category_id: number | null;
  category_name: string | null;
  merchant_id: number;
  merchant_name: string;
  price_amount: number | null;
  price_currency: string | null;
  list_price_amount: number | null;
  list_price_currency: string | null;
  in_stock: boolean;
  media: Media[];
  updated_at: Date;
};

/** A row of `offerColumns`. */
export type OfferRow = {
  id: number;
  title: string;
  description: string | null;
  ai_category: string | null;
  enriched_copy: string | null;
  quality_score: number;
  merchant_id: number | null;
  merchant_name: string | null;
  product_id: number | null;
  product_name: string | null;
  price_amount: number | null;
  price_currency: string | null;
  has_own_price: boolean;
  product_price_amount: number | null;
  product_price_currency: string | null;
  media: Media[];
  valid_from: Date | null;
  valid_until: Date | null;
  updated_at: Date;
};

/** Maps a row to a product. */
export function toProduct(row: ProductRow): Product {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    brand: row.brand,
    category: named(row.category_id, row.category_name),
    merchant: { id: row.merchant_id, name: row.merchant_name },
    price: money(row.price_amount, row.price_currency),
    listPrice: money(row.list_price_amount, row.list_price_currency),
    inStock: row.in_stock,
    media: row.media,
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Maps a row to an offer. */
export function toOffer(row: OfferRow): Offer {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    aiCategory: row.ai_category,
    enrichedCopy: row.enriched_copy,
    qualityScore: row.quality_score,
    merchant: named(row.merchant_id, row.merchant_name),
    product: named(row.product_id, row.product_name),
    price: money(row.price_amount, row.price_currency),
    productPrice: money(row.product_price_amount, row.product_price_currency),
    hasOwnPrice: row.has_own_price,
    media: row.media,
    validFrom: row.valid_from?.toISOString() ?? null,
    validUntil: row.valid_until?.toISOString() ?? null,
    updatedAt: row.updated_at.toISOString(),
  };
}

function named(id: number | null, name: string | null): Named | null {
  return id === null || name === null ? null : { id, name };
}

function money(amount: number | null, currency: string | null): Money | null {
  return amount === null || currency === null ? null : { amount, currency };
}
