import { stagedTable } from '../catalog/staging.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { KINDS, type Kind, placeTokens, type StorePlace } from './format.ts';

/** What was written to the catalog. */
export type Touched = {
  /** Ids, or 'staged' for those of the staged feed. */
  products: number[] | 'staged';
  offers: number[] | 'staged';
  /** Whether other records may have been removed too. */
  removed: boolean;
  stores: boolean;
  categories: boolean;
};

/** Updates the location tokens of merchants; returns the merchants whose tokens changed. */
export async function noteMerchants(sql: Sql): Promise<number[]> {
  const stores = await sql<(StorePlace & { merchantId: number })[]>`
    select merchant_id as "merchantId", city_key as "cityKey", district_key as "districtKey",
      latitude, longitude
    from store`;
  const places = new Map<number, Set<string>>();
  for (const store of stores) {
    const known = places.get(store.merchantId) ?? new Set();
    for (const token of placeTokens(store)) known.add(token);
    places.set(store.merchantId, known);
  }
  const rows = [...places].map(([id, tokens]) => ({ id, places: [...tokens].sort() }));
  const changed = await sql<{ id: number }[]>`
    with now as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as now (id bigint, places text[])
    ), gone as (
      delete from search_merchant known
      where not exists (select from now where now.id = known.merchant_id)
      returning merchant_id
    ), noted as (
      insert into search_merchant as known select id, places from now
      on conflict (merchant_id) do update set places = excluded.places
      where known.places <> excluded.places
      returning merchant_id
    )
    select merchant_id as id from gone union select merchant_id from noted`;
  return changed.map(({ id }) => id);
}

/** Updates the names of categories with their ancestors; returns the categories that changed. */
export async function noteCategories(sql: Sql): Promise<number[]> {
  const changed = await sql<{ id: number }[]>`
    with recursive path as (
      select id, name, parent_id, 1 as depth from category
      union all
      select path.id, parent.name, parent.parent_id, depth + 1
      from path join category parent on parent.id = path.parent_id
      where depth < 10
    ), now as (
      select id, string_agg(name, ', ' order by depth) as names from path group by id
    ), gone as (
      delete from search_category known
      where not exists (select from now where now.id = known.category_id)
      returning category_id
    ), noted as (
      insert into search_category as known select id, names from now
      on conflict (category_id) do update set names = excluded.names
      where known.names <> excluded.names
      returning category_id
    )
    select category_id as id from gone union select category_id from noted`;
  return changed.map(({ id }) => id);
}

/**
 * Fills `search_wanted` with all records whose index entries may change: those written, items of merchants whose
 * locations or categories whose names changed, offers of affected products and, after removals, records that no
 * longer exist.
 */
export async function collectTouched(sql: Sql, touched: Touched): Promise<void> {
  const merchants = arrayText(touched.stores ? await noteMerchants(sql) : []);
  const categories = arrayText(touched.categories ? await noteCategories(sql) : []);
  await sql`drop table if exists search_wanted`;
  await sql`
    create temp table search_wanted (
      kind smallint, position int, id bigint, number int, unique (kind, id)
    )
    on commit drop`;
  await sql`
    insert into search_wanted (kind, id)
    select ${KINDS.product}::smallint, id from (${idsOf(sql, 'product', touched.products)}) written
    union
    select ${KINDS.product}::smallint, id from product
    -- A semi-join: = any of 3,000 merchants took 18 s for 50,000 products.
    where merchant_id in (select unnest(${merchants}::text::bigint[]))
    union
    select ${KINDS.product}::smallint, id from product
    where category_id in (select unnest(${categories}::text::bigint[]))`;
  await sql`
    insert into search_wanted (kind, id)
    select ${KINDS.offer}::smallint, id from (${idsOf(sql, 'offer', touched.offers)}) written
    union
    select ${KINDS.offer}::smallint, id from offer
    where merchant_id in (select unnest(${merchants}::text::bigint[]))
    union
    select ${KINDS.offer}::smallint, offer.id
    from search_wanted join offer on offer.product_id = search_wanted.id
    where search_wanted.kind = ${KINDS.product}`;
  if (touched.removed) await collectRemoved(sql);
  await sql`analyze search_wanted`;
}

const idsOf = (sql: Sql, kind: Kind, ids: number[] | 'staged') =>
  ids === 'staged'
    ? sql`select id from ${sql(stagedTable(kind))}`
    : sql`select unnest(${arrayText(ids)}::text::bigint[]) as id`;

async function collectRemoved(sql: Sql): Promise<void> {
  for (const kind of ['product', 'offer'] as const) {
    await sql`
      insert into search_wanted (kind, id)
      select kind, id from search_record record
      where kind = ${KINDS[kind]}
        and not exists (select from ${sql(kind)} item where item.id = record.id)
      on conflict do nothing`;
  }
}
