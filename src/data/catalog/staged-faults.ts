import { FEED_KINDS, type FeedKind } from '../../domain/catalog.ts';
import { REFERENCES } from '../../domain/references.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { stagedTable } from './staging.ts';

/** The kinds that have references. */
const NAMING = FEED_KINDS.filter((kind) => REFERENCES[kind].length > 0);

/** A line whose record is already in an earlier line. */
export type Repeated = { line: number; kind: FeedKind; id: number; first: number };

/** A line that references a record neither in the feed nor staying in the catalog. */
export type Dangling = {
  line: number;
  kind: FeedKind;
  id: number;
  field: string;
  named: FeedKind;
  namedId: number;
};

/** Removes staged lines whose record is already in an earlier line. */
export async function takeRepeated(sql: Sql): Promise<Repeated[]> {
  const found: Repeated[] = [];
  for (const kind of FEED_KINDS) {
    const rows = await sql<Omit<Repeated, 'kind'>[]>`
      with twice as (
        select id, min(line) as first from ${sql(stagedTable(kind))} group by id having count(*) > 1
      ), taken as (
        delete from ${sql(stagedTable(kind))} staged using twice
        where staged.id = twice.id and staged.line > twice.first
        returning staged.line, staged.id, twice.first
      ), noted as (
        insert into staged_fault select ${kind}, id from taken
      )
      select line, id, first from taken`;
    found.push(...rows.map((row) => ({ ...row, kind })));
  }
  return found;
}

/** Finds the first line with a dangling reference. With `removing`, catalog records do not count as targets. */
export async function firstDangling(sql: Sql, removing: boolean): Promise<Dangling | null> {
  const found: Dangling[] = [];
  for (const kind of NAMING) {
    const [row] = await sql<Dangling[]>`
      select * from (${dangling(sql, kind, removing)}) first order by line limit 1`;
    if (row !== undefined) found.push(row);
  }
  return found.sort((a, b) => a.line - b.line)[0] ?? null;
}

/**
 * Removes staged lines with dangling references, transitively. With `removing`, only catalog records that bad lines
 * concern count as targets.
 */
export async function takeDangling(sql: Sql, removing: boolean): Promise<Dangling[]> {
  const found: Dangling[] = [];
  // No kind references a later one in this order, so one pass per kind is enough; only categories reference their
  // own.
  for (const kind of NAMING) {
    for (;;) {
      const rows = await sql<Dangling[]>`
        with dangling as (${dangling(sql, kind, removing)}), taken as (
          delete from ${sql(stagedTable(kind))} staged using dangling where staged.line = dangling.line
        ), noted as (
          insert into staged_fault select kind, id from dangling
        )
        select * from dangling`;
      found.push(...rows);
      if (rows.length === 0 || kind !== 'category') break;
    }
  }
  return found;
}

/** Finds the staged lines of a kind with dangling references, each with the first one. */
function dangling(sql: Sql, kind: FeedKind, removing: boolean) {
  const parts = REFERENCES[kind].map(([field, named], order) => {
    const id = sql`staged.${sql(field)}`;
    const isSpokenOf = removing
      ? sql`exists (select from staged_fault f where f.kind = ${named} and f.id = ${id})`
      : sql`true`;
    return sql`
      select staged.line, ${kind}::text as kind, staged.id, ${field}::text as field, ${named}::text as named,
        ${id} as "namedId", ${order}::int as position
      from ${sql(stagedTable(kind))} staged
      where ${id} is not null
        and not exists (select from ${sql(stagedTable(named))} other where other.id = ${id})
        and not (${isSpokenOf} and exists (select from ${sql(named)} known where known.id = ${id}))`;
  });
  const all = parts.reduce((left, right) => sql`${left} union all ${right}`);
  return sql`
    select distinct on (line) line, kind, id, field, named, "namedId" from (${all}) found
    order by line, position`;
}

/** Finds the first staged line of any of some categories. */
export async function findCategoryLine(
  sql: Sql,
  ids: readonly number[],
): Promise<{ line: number; id: number } | null> {
  const [row] = await sql<{ line: number; id: number }[]>`
    select line, id from staged_category where id = any(${arrayText(ids)}::text::bigint[]) order by line limit 1`;
  return row ?? null;
}
