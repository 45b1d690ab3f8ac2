import type { FeedKind, PageIds } from '../../domain/catalog.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { stagedTable, type Tally } from './staging.ts';

/** The kinds with pages, whose loss is guarded against. */
export const GUARDED_KINDS = ['product', 'offer'] as const;
/** The number of records of a kind, and how many of them would be removed. */
export type Removal = { kind: (typeof GUARDED_KINDS)[number]; removed: number; before: number };

/** Counts the records that are neither staged nor to stay; expired offers do not count. */
export async function countRemovals(sql: Sql): Promise<Removal[]> {
  return Promise.all(
    GUARDED_KINDS.map(async (kind) => {
      const counted =
        kind === 'product' ? sql`true` : sql`(valid_until is null or valid_until > now())`;
      const [row] = await sql<{ before: number; removed: number }[]>`
        select (select count(*) from ${sql(kind)} t where ${counted}) as before,
          (select count(*) from ${sql(kind)} t where ${counted} and ${isAbsent(sql, kind)}) as removed`;
      return { kind, before: row?.before ?? 0, removed: row?.removed ?? 0 };
    }),
  );
}

const NAMES_SHOWN = 10;

/** Counts the records of guarded kinds that are staged or stay. */
export async function countKept(sql: Sql): Promise<number> {
  let kept = 0;
  for (const kind of GUARDED_KINDS) {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from (
        select id from ${sql(stagedTable(kind))} union select id from staged_stay where kind = ${kind}
      ) kept`;
    kept += row?.count ?? 0;
  }
  return kept;
}

/** Removes and notes the records of a kind that are neither staged nor to stay. */
export function removeOthers(sql: Sql, kind: FeedKind): Promise<Tally> {
  return remove(sql, kind, isAbsent(sql, kind));
}

/** Removes and notes the given records of a kind. */
export function removeRecords(sql: Sql, kind: FeedKind, ids: number[]): Promise<Tally> {
  return remove(sql, kind, sql`t.id = any(${arrayText(ids)}::text::bigint[])`);
}

async function remove(
  sql: Sql,
  kind: FeedKind,
  which: ReturnType<typeof isAbsent>,
): Promise<Tally> {
  const guarded = GUARDED_KINDS.some((other) => other === kind);
  const name = sql(kind === 'offer' ? 'title' : 'name');
  const [row] = await sql<Tally[]>`
    with gone as (
      delete from ${sql(kind)} t where ${which} returning id, ${name} as name
    ), noted as (
      insert into catalog_removal as known (kind, id)
      select ${kind}, id from gone where ${guarded}
      on conflict (kind, id) do update set removed_at = excluded.removed_at
    ), first as (
      select id, name from gone order by id limit ${NAMES_SHOWN}
    )
    select (select count(*) from gone) as count,
      coalesce((select json_agg(${kind} || ' ' || id || ' "' || name || '"' order by id) from first), '[]')
        as first`;
  return row ?? { count: 0, first: [] };
}

/** An anti-join: `id <> all(…)` compares every record with every id (20k: 29 s). */
function isAbsent(sql: Sql, kind: FeedKind) {
  return sql`
    not exists (select from ${sql(stagedTable(kind))} staged where staged.id = t.id)
    and not exists (select from staged_stay stay where stay.kind = ${kind} and stay.id = t.id)`;
}

/**
 * Notes which records stay though no valid line has them: those that bad lines concern, in their previous version,
 * and whatever those reference, transitively.
 */
export async function noteStaying(sql: Sql): Promise<void> {
  await sql`
    insert into staged_stay
    with recursive listed as (
      select kind, id from staged_fault
    ), offers as (
      select id, merchant_id, product_id from offer
      where id in (select id from listed where kind = 'offer')
    ), products as (
      select id, merchant_id, category_id from product
      where id in (
        select id from listed where kind = 'product' union select product_id from offers
      )
    ), stores as (
      select id, merchant_id from store where id in (select id from listed where kind = 'store')
    ), categories as (
      select id, parent_id from category
      where id in (
        select id from listed where kind = 'category' union select category_id from products
      )
      union
      select parent.id, parent.parent_id
      from categories join category parent on parent.id = categories.parent_id
    )
    select 'offer' as kind, id from offers
    union all select 'product', id from products
    union all select 'store', id from stores
    union all select 'category', id from categories
    union all select 'merchant', id from merchant where id in (
      select id from listed where kind = 'merchant'
      union select merchant_id from offers
      union select merchant_id from products
      union select merchant_id from stores
    )`;
}

/** Deletes the removal notes of records that are back: all staged ones, or those listed. */
export async function forgetRemovals(sql: Sql, present: PageIds | 'staged'): Promise<void> {
  await sql`delete from catalog_removal where removed_at < now() - interval '90 days'`;
  for (const kind of GUARDED_KINDS) {
    const back =
      present === 'staged'
        ? sql`select id from ${sql(stagedTable(kind))}`
        : sql`select unnest(${arrayText(present[kind])}::text::bigint[])`;
    await sql`
      delete from catalog_removal known where known.kind = ${kind} and known.id in (${back})`;
  }
}
