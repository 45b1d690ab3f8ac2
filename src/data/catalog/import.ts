import { FEED_KINDS, type FeedKind, type FeedRecord, type PageIds } from '../../domain/catalog.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { GUARDED_KINDS } from './removal.ts';
import { toRow } from './rows.ts';
import { stagedTable, type Tally } from './staging.ts';

const CHUNK_ROWS = 1000;

/** Returns which of the given ids of a kind exist. */
export async function existingIds(sql: Sql, kind: FeedKind, ids: number[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select id from ${sql(kind)} where id = any(${arrayText(ids)}::text::bigint[])`;
  return new Set(rows.map((row) => row.id));
}

/** Tables that imports and the index join while filling them. */
const JOINED = [...FEED_KINDS, 'search_merchant', 'search_category', 'search_record'];

/**
 * Analyzes tables that the planner takes for empty though they are not: after a rolled-back import autovacuum
 * leaves them so, and joins become nested loops over whole tables (1,000 products: 100 s). ANALYZE sees rows of its
 * own transaction.
 */
export async function analyzeUncounted(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where oid = any(${arrayText(JOINED)}::text::regclass[])
      and reltuples <= 0 and pg_relation_size(oid) > 0`;
  for (const { name } of tables) await sql`select analyze_table(${name})`;
}

/** The ids of added and of changed records. */
export type Written = { added: number[]; changed: number[] };

/** Upserts records of one kind. */
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

/** The counts of added and changed records of a kind, with the first names of each. */
export type StagedWritten = { added: Tally; changed: Tally };

/** Upserts the staged records of a kind in a range of lines, start exclusive. */
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
          row_number() over (partition by added order by line) as position
        from written join ${staged} staged using (id)
      ) numbered where position <= ${most} order by line
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

/** Lists the columns of a kind's table that a feed fills. */
async function columnsOf(sql: Sql, kind: FeedKind): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${kind}::text::regclass and attnum > 0 and not attisdropped
      and attname <> 'concepts' order by attnum`;
  return rows.map(({ name }) => name);
}

/**
 * Builds an upsert of rows aliased `new`, returning the written ids. Without `updated_at`, a record keeps its time
 * unless another column changes. Unchanged rows are not written, so that an unchanged feed leaves no dead tuples.
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
    -- xmax is set on a row that this statement updated, and 0 on an inserted one.
    returning id, xmax = 0 as added`;
}

/** The new value of a column, given the `old` row of the same id: SQL over our own column names. */
function newValue(column: string, others: string[]): string {
  if (column !== 'updated_at') return `new.${column}`;
  const told = others.filter((other) => other !== column);
  const row = (of: string) => `row(${told.map((other) => `${of}.${other}`).join(', ')})`;
  return `coalesce(new.updated_at,
    case when ${row('new')} is not distinct from ${row('old')} then old.updated_at end, now())`;
}

/** Finds the ids of categories that are their own ancestors. */
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
 * Records the current merchant of items, of all or of those listed. An item's first entry is valid since -infinity;
 * an item that left the catalog gets a null entry.
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

/** Marks the catalog as no longer the sample. */
export async function endSample(sql: Sql): Promise<void> {
  await sql`update catalog_state set sample = false where sample`;
}

/** Tells whether the catalog has neither merchants nor categories. */
export async function isCatalogEmpty(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ empty: boolean }[]>`
    select not exists (select from merchant) and not exists (select from category) as empty`;
  return row?.empty ?? true;
}
