import { FEED_KINDS, type FeedKind, type FeedRecord, type PageIds } from '../../domain/catalog.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { GUARDED_KINDS } from './removal.ts';
import { toRow } from './rows.ts';
import { stagedTable, type Tally } from './staging.ts';

const CHUNK_ROWS = 1000;

/** Which of the given ids of a kind the catalog holds. */
export async function existingIds(sql: Sql, kind: FeedKind, ids: number[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select id from ${sql(kind)} where id = any(${arrayText(ids)}::text::bigint[])`;
  return new Set(rows.map((row) => row.id));
}

/** What imports and the index join while they fill it. */
const JOINED = [...FEED_KINDS, 'search_merchant', 'search_category', 'search_record'];

/**
 * Counts the rows of tables that the planner believes to be empty though they are not: autovacuum leaves
 * them so after an import that was rolled back, and joins then run as nested loops over whole tables
 * (1,000 products: 100 s). ANALYZE sees the rows of its own transaction.
 */
export async function analyzeUncounted(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where oid = any(${arrayText(JOINED)}::text::regclass[])
      and reltuples <= 0 and pg_relation_size(oid) > 0`;
  for (const { name } of tables) await sql`select analyze_table(${name})`;
}

/** The ids of the records that were added, and of those that were changed. */
export type Written = { added: number[]; changed: number[] };

/** Writes records of one kind, updating those whose id is there. */
export async function upsertRecords(
  sql: Sql,
  kind: FeedKind,
  records: FeedRecord[],
): Promise<Written> {
  const written: Written = { added: [], changed: [] };
  for (let start = 0; start < records.length; start += CHUNK_ROWS) {
    if (start === CHUNK_ROWS) await analyzeUncounted(sql);
    const chunk = records.slice(start, start + CHUNK_ROWS).map(toRow);
    const from: ReturnType<Sql> = sql`jsonb_populate_recordset(null::${sql(kind)}, ${JSON.stringify(chunk)}::text::jsonb)`;
    const columns = Object.keys(chunk[0] ?? {});
    const rows = await sql<{ id: number; added: boolean }[]>`${upsert(sql, kind, columns, from)}`;
    for (const { id, added } of rows) (added ? written.added : written.changed).push(id);
  }
  return written;
}

/** How many staged records of a kind were added and changed, and the names of the first of each. */
export type StagedWritten = { added: Tally; changed: Tally };

/** Writes the staged records of a kind that stand after a line and up to another. */
export async function upsertStaged(
  sql: Sql,
  kind: FeedKind,
  [after, upTo]: [number, number],
  most: number,
): Promise<StagedWritten> {
  const staged = sql(stagedTable(kind));
  const name = sql(kind === 'offer' ? 'title' : 'name');
  const from: ReturnType<Sql> = sql`(select * from ${staged} where line > ${after}::int and line <= ${upTo}::int)`;
  const [row] = await sql<
    { added: number; changed: number; names: { added: boolean; name: string }[] }[]
  >`
    with written as (${upsert(sql, kind, await columnsOf(sql, kind), from)}), named as (
      select added, name from (
        select added, ${kind}::text || ' ' || id || ' "' || ${name} || '"' as name, line,
          row_number() over (partition by added order by line) as place
        from written join ${staged} staged using (id)
      ) numbered where place <= ${most} order by line
    )
    select count(*) filter (where added) as added, count(*) filter (where not added) as changed,
      coalesce((select jsonb_agg(to_jsonb(named)) from named), '[]') as names
    from written`;
  const { added = 0, changed = 0, names = [] } = row ?? {};
  const firstOf = (isNew: boolean) => names.flatMap((one) => (one.added === isNew ? one.name : []));
  return {
    added: { count: added, first: firstOf(true) },
    changed: { count: changed, first: firstOf(false) },
  };
}

/** The columns of a kind's table that a feed fills. */
async function columnsOf(sql: Sql, kind: FeedKind): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${kind}::text::regclass and attnum > 0 and not attisdropped
      and attname <> 'concepts' order by attnum`;
  return rows.map(({ name }) => name);
}

/**
 * Writes rows that lie under `new`. One that does not tell when it changed keeps its time until something else about
 * it changes. A row that stays as it is is not written: an unchanged feed leaves no dead rows behind. Returns the
 * ids of those that were.
 */
function upsert(sql: Sql, kind: FeedKind, columns: string[], from: ReturnType<Sql>) {
  const others = columns.filter((column) => column !== 'id');
  const values = columns.map((column) => newValue(column, others)).join(', ');
  const old = columns.map((column) => `old.${column}`).join(', ');
  return sql`
    insert into ${sql(kind)} (${sql(columns)})
    select ${sql.unsafe(values)}
    from ${from} new
    left join ${sql(kind)} old on old.id = new.id
    where row(${sql.unsafe(values)}) is distinct from row(${sql.unsafe(old)})
    on conflict (id) do update set ${sql.unsafe(
      others.map((column) => `${column} = excluded.${column}`).join(', '),
    )}
    -- A row that the statement updated carries the lock of its transaction.
    returning id, xmax = 0 as added`;
}

/** What a column is to hold, beside the `old` row of the same id: SQL over our own column names. */
function newValue(column: string, others: string[]): string {
  if (column !== 'updated_at') return `new.${column}`;
  const told = others.filter((other) => other !== column);
  const row = (of: string) => `row(${told.map((other) => `${of}.${other}`).join(', ')})`;
  return `coalesce(new.updated_at,
    case when ${row('new')} is not distinct from ${row('old')} then old.updated_at end, now())`;
}

/** Ids of categories that are their own ancestors. */
export async function findCategoryCycles(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with recursive up as (
      select id, parent_id from category where parent_id is not null
      union
      select up.id, category.parent_id from up join category on category.id = up.parent_id
      where category.parent_id is not null
    )
    select id from up where id = parent_id order by id`;
  return rows.map((row) => row.id);
}

/**
 * Notes which merchant each item has from now on, of all items or of those listed. The first note of an item
 * reaches back for ever; an item that left the catalog has none from now on.
 */
export async function noteOwners(sql: Sql, listed: PageIds | 'all' = 'all'): Promise<void> {
  for (const kind of GUARDED_KINDS) {
    const among = (column: string) =>
      listed === 'all'
        ? sql`true`
        : sql`${sql(column)} = any(${arrayText(listed[kind])}::text::bigint[])`;
    await sql`
      insert into item_owner (kind, item_id, since, merchant_id)
      select ${kind}, coalesce(item.id, latest.item_id),
        case when latest.item_id is null then '-infinity' else now() end, item.merchant_id
      from (select id, merchant_id from ${sql(kind)} where ${among('id')}) item
      full join (
        select distinct on (item_id) item_id, merchant_id from item_owner
        where kind = ${kind} and ${among('item_id')} order by item_id, since desc
      ) latest on latest.item_id = item.id
      where latest.item_id is null or latest.merchant_id is distinct from item.merchant_id
      on conflict (kind, item_id, since) do update set merchant_id = excluded.merchant_id`;
  }
}

/** Notes that the catalog is not the sample any more. */
export async function endSample(sql: Sql): Promise<void> {
  await sql`update catalog_state set sample = false where sample`;
}

/** True when the catalog holds no merchant: nothing was ever imported, or all of it was removed. */
export async function isCatalogEmpty(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ empty: boolean }[]>`
    select not exists (select from merchant) and not exists (select from category) as empty`;
  return row?.empty ?? true;
}
