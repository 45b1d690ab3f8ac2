import type { PageIds, PageKind } from '../../domain/catalog.ts';
import type { Listed } from '../../domain/lists.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { besideOffer, besideProduct } from './pages.ts';

/**
 * What a reader knows of the catalog: its version, that version's time, and when it was read, by the database's
 * clock.
 */
export type Known = { version: number; updatedAt: string | null; readAt: string };

/**
 * Finds the pages that may differ from those at a known version: of touched records, of pages that show them, and
 * of offers that started or ended. Null if the changes since are not on record or exceed `most`.
 */
export async function readTouchedPages(
  sql: Sql,
  known: Known,
  most: number,
): Promise<PageIds | null> {
  const [state] = await sql<{ at: Date; touched: number }[]>`
    select at, (
      select count(*) from (
        select from catalog_touched where version > ${known.version}::bigint limit ${most + 1}
      ) touched
    ) as touched
    from catalog_version where version = ${known.version}::bigint`;
  if (state?.at.toISOString() !== known.updatedAt || state.touched > most) return null;
  const pages: PageIds = { offer: [], product: [] };
  const rows = await sql<{ kind: PageKind; id: number }[]>`
    with ${touchedRecords(sql, known)}
    select 'product' as kind, id from products
    union select 'product', belongs_to from touched where kind = 'offer' and belongs_to is not null
    union select 'product', near.id
    from touched cross join lateral (
      ${besideProduct(sql, { of: 'touched', category: 'belongs_to' })}
    ) near where touched.kind = 'product'
    union select 'offer', id from offers
    union select 'offer', id from offer where merchant_id in (select id from merchants)
    union select 'offer', near.id from offers cross join lateral (${besideOffer(sql, 'offers')}) near`;
  for (const { kind, id } of rows) pages[kind].push(id);
  return pages;
}

/**
 * CTEs: records touched since a version, their merchants, and the products and offers that may now show something
 * else.
 */
const touchedRecords = (sql: Sql, known: Known) => sql`
  touched as materialized (
    select distinct kind, id, merchant_id, belongs_to from catalog_touched
    where version > ${known.version}::bigint
    union select 'offer', id, merchant_id, product_id from offer
    where status = 'active' and not app_only_top
      and valid_from > ${known.readAt}::text::timestamptz and valid_from <= now()
    union select 'offer', id, merchant_id, product_id from offer
    where status = 'active' and not app_only_top
      and valid_until > ${known.readAt}::text::timestamptz and valid_until <= now()
  ), merchants as materialized (
    select distinct merchant_id as id from touched where kind in ('merchant', 'store')
  ), products as materialized (
    -- Products whose own model may have changed.
    select id from touched where kind = 'product'
    union select id from product where merchant_id in (select id from merchants)
    union select id from product
    where category_id in (select id from touched where kind = 'category')
  ), offers as materialized (
    select id, merchant_id from touched where kind = 'offer'
    union select id, merchant_id from offer where product_id in (select id from products)
  )`;

/** Lists that may have changed, and the entries that may show something else. */
export type TouchedLists = {
  merchants: number[];
  /** Those of the merchants whose names or stores changed, which lists of stores and merchants show. */
  renamed: number[];
  categories: number[];
  /** A category's change may affect those above and below it, a store's change the place it left. */
  allCategories: boolean;
  allPlaces: boolean;
  entries: Listed;
};

/** Finds the lists of records touched since a version, old places included, and the entries to compare. */
export async function readTouchedLists(sql: Sql, known: Known): Promise<TouchedLists> {
  const rows = await sql<{ what: string; id: number }[]>`
    with ${touchedRecords(sql, known)}
    select 'offer' as what, id from offers
    union select 'offer', id from offer where merchant_id in (select id from merchants)
    union select 'product', id from products
    union select 'store', id from touched where kind = 'store'
    union select 'store', id from store where merchant_id in (select id from merchants)
    union select 'renamed', id from merchants
    union select 'merchants', merchant_id from touched where merchant_id is not null
    union select 'merchants', merchant_id from offers where merchant_id is not null
    union select 'categories', coalesce(belongs_to, 0) from touched where kind = 'product'
    union select 'categories', id from touched where kind = 'category'
    union select 'categories', coalesce(category_id, 0) from product
    where merchant_id in (select id from merchants)
    union select 'all ' || kind, 0 from touched where kind in ('category', 'store')`;
  const ids = (name: string) => rows.flatMap(({ what, id }) => (what === name ? [id] : []));
  return {
    merchants: ids('merchants'),
    renamed: ids('renamed'),
    categories: ids('categories'),
    allCategories: ids('all category').length > 0,
    allPlaces: ids('all store').length > 0,
    entries: { offer: ids('offer'), product: ids('product'), store: ids('store') },
  };
}

/** Returns the age in seconds of the oldest change after a version; 0 if there is none. */
export async function readAgeBeyond(sql: Sql, version: number): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds
    from catalog_version where version > ${version}::bigint`;
  return row?.seconds ?? 0;
}

/** Deletes versions older than 7 days: a publisher that lags further compares every page. */
export async function forgetOldVersions(sql: Sql): Promise<void> {
  await sql`
    with old as (
      delete from catalog_version
      where at < now() - interval '7 days' and version < (select version from catalog_state)
      returning version
    )
    delete from catalog_touched where version <= (select max(version) from old)`;
}

/**
 * Counts the records with lost pages that no import removed: deleted by hand, or never in this database. Expired
 * and hidden offers are still in the catalog.
 */
export async function countUnexplained(sql: Sql, lost: PageIds): Promise<number> {
  const [row] = await sql<{ unexplained: number }[]>`
    select count(*) as unexplained
    from (
      select 'product' as kind, unnest(${arrayText(lost.product)}::text::bigint[]) as id
      union all
      select 'offer', id from unnest(${arrayText(lost.offer)}::text::bigint[]) id
      where not exists (select from offer where offer.id = id.id)
    ) missing
    where not exists (
      select from catalog_removal known where known.kind = missing.kind and known.id = missing.id
    )`;
  return row?.unexplained ?? 0;
}
