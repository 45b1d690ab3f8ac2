import { OFFER_PRICE } from '../catalog/records.ts';
import type { Sql } from '../connection/client.ts';
import { KINDS, type Kind } from './format.ts';

/** The text of a record for analysis; `category` has its category's name and those of its ancestors. */
export type SearchText = {
  id: number;
  title: string;
  brand: string | null;
  category: string | null;
  body: string | null;
};

/** The index's input for a record: its text, filter values and static rank. */
export type SearchSource = SearchText & {
  /** Its position in `search_wanted`. */
  position: number;
  /** Its number in a rebuilt index. */
  number: number;
  merchantId: number | null;
  categoryId: number | null;
  aiCategoryKey: string | null;
  price: number | null;
  places: string[];
  rank: number;
  /** A digest of all other fields. */
  source: string;
};

const BATCH_ROWS = 1000;

/** Reads the records listed in `search_wanted`, in its order, in batches. */
export async function* readSources(sql: Sql, kind: Kind): AsyncGenerator<SearchSource[]> {
  for (let after = -1; ; ) {
    const rows = await sql<(SearchSource | { position: number; number: number; id: null })[]>`
      with wanted as materialized (
        select position, number, id from search_wanted
        where kind = ${KINDS[kind]} and position > ${after} order by position limit ${BATCH_ROWS}
      )
      select wanted.position, wanted.number, source.* from wanted
      left join lateral (${sources(sql, kind)} where item.id = wanted.id) source on true
      order by wanted.position`;
    const last = rows.at(-1);
    if (last === undefined) return;
    // Some may no longer be in the catalog.
    yield rows.filter((row) => row.id !== null);
    after = last.position;
  }
}

/** Removes records with an unchanged source from `search_wanted`. */
export async function dropUnchanged(sql: Sql, kind: Kind): Promise<void> {
  await sql`
    delete from search_wanted wanted
    using search_record record, (${sources(sql, kind)}) source
    where wanted.kind = ${KINDS[kind]} and record.kind = wanted.kind and record.id = wanted.id
      and source.id = wanted.id and source.source = record.source`;
}

function sources(sql: Sql, kind: Kind) {
  const columns = kind === 'product' ? productSource(sql) : offerSource(sql);
  return sql`
    select item.*, md5(item::text)::uuid as source from (${columns}) item`;
}

function productSource(sql: Sql) {
  return sql`
    select p.id, p.name as title, p.brand, c.names as category, p.description as body,
      p.merchant_id as "merchantId", p.category_id as "categoryId",
      null::text as "aiCategoryKey", p.price_amount as price,
      coalesce(m.places, '{}') as places, product_rank(p) as rank
    from product p
    left join search_category c on c.category_id = p.category_id
    left join search_merchant m on m.merchant_id = p.merchant_id`;
}

function offerSource(sql: Sql) {
  return sql`
    select o.id, o.title, p.brand,
      concat_ws(', ', o.ai_category, c.name) as category,
      concat_ws('. ', p.name, o.description, o.enriched_copy) as body,
      o.merchant_id as "merchantId", p.category_id as "categoryId",
      o.ai_category_key as "aiCategoryKey", ${sql.unsafe(OFFER_PRICE.amount)} as price,
      coalesce(m.places, '{}') as places, offer_rank(o) as rank
    from offer o
    left join product p on p.id = o.product_id
    left join category c on c.id = p.category_id
    left join search_merchant m on m.merchant_id = o.merchant_id`;
}

/** Whether an offer is or can become public; the index leaves out the others. */
export function indexable(sql: Sql, kind: Kind) {
  return kind === 'product'
    ? sql`true`
    : sql`(item.status = 'active' and not item.app_only_top
        and (item.valid_until is null or item.valid_until > now()))`;
}
