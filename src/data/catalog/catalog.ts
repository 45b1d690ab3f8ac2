import type {
  CatalogCounts,
  CatalogState,
  FeedKind,
  Offer,
  Product,
  Store,
} from '../../domain/catalog.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import {
  type OfferRow,
  offerColumns,
  type ProductRow,
  productColumns,
  storeRecord,
  toOffer,
  toProduct,
} from './records.ts';

/** Reads the live counts and the last change; the only source of counts for all documents. */
export async function readCatalogState(sql: Sql): Promise<CatalogState> {
  const [row] = await sql<(CatalogCounts & { updated_at: Date | null })[]>`
    select
      (select count(*) from product) as products,
      (select count(*) from product where in_stock) as products_in_stock,
      (select count(*) from offer o where is_public(o, now())) as offers,
      (select count(*) from merchant) as merchants,
      (select count(*) from store) as stores,
      (select count(distinct city_key) from store) as cities,
      (select count(distinct (city_key, district_key)) from store) as districts,
      (select count(*) from category) as categories,
      updated_at
    from catalog_state`;
  if (row === undefined) throw new Error('catalog_state has no row');
  const { updated_at, ...counts } = row;
  return { counts, updatedAt: updated_at?.toISOString() ?? null };
}

/** Reads a product with its merchant's stores; null for an unknown id. */
export async function readProduct(
  sql: Sql,
  id: number,
): Promise<{ product: Product; stores: Store[] } | null> {
  const [row] = await sql<(ProductRow & { stores: Store[] | null })[]>`
    select ${productColumns(sql)}, ${storesOf(sql)} as stores
    from product p
    join merchant m on m.id = p.merchant_id
    left join category c on c.id = p.category_id
    where p.id = ${id}`;
  return row === undefined ? null : { product: toProduct(row), stores: row.stores ?? [] };
}

/** Reads products by id, unordered; unknown ids are left out. */
export async function readProducts(sql: Sql, ids: number[]): Promise<Product[]> {
  if (ids.length === 0) return [];
  const rows = await sql<ProductRow[]>`
    select ${productColumns(sql)}
    from product p
    join merchant m on m.id = p.merchant_id
    left join category c on c.id = p.category_id
    where p.id = any(${arrayText(ids)}::text::bigint[])`;
  return rows.map(toProduct);
}

/** Reads a public offer with its merchant's stores; null for any other id. */
export async function readOffer(
  sql: Sql,
  id: number,
): Promise<{ offer: Offer; stores: Store[] } | null> {
  const [row] = await sql<(OfferRow & { stores: Store[] | null })[]>`
    select ${offerColumns(sql)}, ${storesOf(sql)} as stores
    from offer o
    left join merchant m on m.id = o.merchant_id
    left join product p on p.id = o.product_id
    where o.id = ${id} and is_public(o, now())`;
  return row === undefined ? null : { offer: toOffer(row), stores: row.stores ?? [] };
}

/** Returns the kinds of public records with an id, to help callers that confuse kinds. */
export async function findKinds(sql: Sql, id: number): Promise<FeedKind[]> {
  const rows = await sql<{ kind: FeedKind }[]>`
    select 'product' as kind from product where id = ${id}
    union all select 'offer' from offer o where id = ${id} and is_public(o, now())
    union all select 'merchant' from merchant where id = ${id}
    union all select 'category' from category where id = ${id}
    union all select 'store' from store where id = ${id}`;
  return rows.map((row) => row.kind);
}

const storesOf = (sql: Sql) => sql`(
  select json_agg(${storeRecord(sql)} order by s.id)
  from store s where s.merchant_id = m.id
)`;

/** Lists the positive ids of all products or offers, ascending. */
export async function listIds(sql: Sql, kind: 'product' | 'offer'): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id from ${sql(kind)} where id > 0 order by id`;
  return rows.map((row) => row.id);
}
