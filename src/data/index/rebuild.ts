import { analyzeUncounted } from '../catalog/import.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { copyBinary } from '../connection/copy.ts';
import { applyChanges, countChanges } from './changes.ts';
import { collectTouched, noteCategories, noteMerchants, type Touched } from './followers.ts';
import {
  BUCKETS,
  KINDS,
  type Kind,
  OUT_OF_STOCK_BUCKET,
  OUT_OF_STOCK_RANK,
  RANK_SHIFT,
} from './format.ts';
import { type IndexedRecord, openKeyer } from './keyer.ts';
import { type Bucket, openPostings } from './postings.ts';
import { type Analyser, openReader, readAhead } from './reader.ts';
import { indexable, readSources } from './sources.ts';

/** Serialises imports and rebuilds: two feeds must not interleave. */
const IMPORT_LOCK = 726_114_002;

/** Takes the transaction-level advisory lock of imports and rebuilds. */
export async function lockCatalog(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORT_LOCK}::bigint)`;
}

/** Returns the lexicon version of the index; null before the first build. */
export async function indexedLexicon(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ version: string | null }[]>`
    select lexicon_version as version from catalog_state`;
  return row?.version ?? null;
}

/**
 * Rebuilds the whole search index in the caller's transaction: readers see the old one until it commits. Reports
 * progress as records done and in total.
 */
export async function rebuildSearchIndex(
  sql: Sql,
  analyser: Analyser,
  onProgress: (done: number, total: number) => void = () => {},
  sizes = BUCKETS,
): Promise<void> {
  await lockCatalog(sql);
  await indexCategories(sql, analyser);
  for (const table of ['posting', 'record', 'bucket', 'word', 'merchant', 'category']) {
    await sql`delete from ${sql(`search_${table}`)}`;
  }
  await noteMerchants(sql);
  await noteCategories(sql);
  await analyzeUncounted(sql);
  const total = await numberRecords(sql);
  const keyer = openKeyer(sql);
  const reader = openReader(analyser, total);
  let done = 0;
  try {
    for (const kind of ['product', 'offer'] as const) {
      const postings = openPostings(
        sql,
        kind,
        await makeBuckets(sql, kind, bucketPositions(sizes)),
      );
      for await (const { sources, analysis } of readAhead(readSources(sql, kind), reader)) {
        const records = await keyer.index(sources, analysis);
        await writeRecords(sql, kind, records);
        await postings.add(records);
        done += records.length;
        onProgress(done, total);
      }
      await postings.end();
    }
  } finally {
    await reader.close();
  }
  await keyer.writeWords();
  await sql`update catalog_state set lexicon_version = ${analyser.version}`;
  for (const table of ['posting', 'record', 'bucket', 'token', 'word']) {
    await sql`select analyze_table(${`search_${table}`})`;
  }
}

/**
 * Updates the index in the caller's transaction for records that were written, that depend on changed records, or
 * that were removed.
 */
export async function indexRecords(
  sql: Sql,
  analyser: Analyser,
  touched: Touched,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  if (touched.categories) await indexCategories(sql, analyser);
  if (await isEmpty(sql)) return rebuildSearchIndex(sql, analyser, onProgress);
  await collectTouched(sql, touched);
  await analyzeUncounted(sql);
  const { changed, isTooMany } = await countChanges(sql);
  if (isTooMany) return rebuildSearchIndex(sql, analyser, onProgress);
  const keyer = openKeyer(sql);
  const reader = openReader(analyser, changed);
  try {
    for (const kind of ['product', 'offer'] as const) await applyChanges(sql, kind, keyer, reader);
  } finally {
    await reader.close();
  }
  await keyer.writeWords();
}

async function isEmpty(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ empty: boolean }[]>`
    select not exists (select from search_record) as empty`;
  return row?.empty ?? true;
}

async function indexCategories(sql: Sql, analyser: Analyser): Promise<void> {
  const rows = await sql<{ id: number; name: string }[]>`select id, name from category`;
  const concepts = rows.map(({ id, name }) => ({ id, concepts: analyser.concepts(name) }));
  await sql`
    update category set concepts = made.concepts
    from jsonb_to_recordset(${JSON.stringify(concepts)}::text::jsonb) as made (id bigint, concepts text[])
    where category.id = made.id and category.concepts <> made.concepts`;
}

/** Lists all records with their numbers in number order; returns the total. */
async function numberRecords(sql: Sql): Promise<number> {
  await sql`drop table if exists search_wanted`;
  await sql`
    create temp table search_wanted (kind smallint, position int, id bigint, number int)
    on commit drop`;
  for (const kind of ['product', 'offer'] as const) {
    const rank = sql(`${kind}_rank`);
    await sql`
      insert into search_wanted
      select ${KINDS[kind]}, position, id,
        -- On a collision the later record takes the next free number.
        max(wanted - position) over (order by position) + position
      from (
        select id, search_number(rank, id) as wanted,
          row_number() over (order by search_number(rank, id), id)::int as position
        from (
          select item.id, ${rank}(item) as rank from ${sql(kind)} item where ${indexable(sql, kind)}
        ) ranked
      ) numbered`;
  }
  await sql`create index on search_wanted (kind, position)`;
  await sql`analyze search_wanted`;
  const [row] = await sql<{ total: number }[]>`select count(*) as total from search_wanted`;
  return row?.total ?? 0;
}

async function writeRecords(sql: Sql, kind: Kind, records: IndexedRecord[]): Promise<void> {
  let at = 0;
  await copyBinary(sql, 'search_record (kind, number, id, keys, name, source)', (rows) => {
    const record = records[at];
    if (record === undefined) return false;
    at += 1;
    rows.row(6);
    rows.int2(KINDS[kind]);
    rows.int4(record.number);
    rows.int8(record.id);
    rows.int4s(record.keys);
    rows.int8(record.name);
    rows.uuid(record.source);
    return true;
  });
}

async function makeBuckets(sql: Sql, kind: Kind, positions: number[]): Promise<Bucket[]> {
  const parts = kind === 'product' ? [0, OUT_OF_STOCK_RANK << RANK_SHIFT] : [0];
  for (const [part, from] of parts.entries()) {
    await sql`
      insert into search_bucket (kind, bucket, first)
      select ${KINDS[kind]}, ${part * OUT_OF_STOCK_BUCKET}::int + row_number() over (order by first) - 1,
        first
      from (
        select ${from}::int as first
        union
        select number from (
          select number, row_number() over (order by number) - 1 as position from search_wanted
          where kind = ${KINDS[kind]} and number >= ${from}
            and number < ${parts[part + 1] ?? 2 ** 31 - 1}::int
        ) numbered
        where position in (select unnest(${arrayText(positions)}::text::int[]))
      ) firsts`;
  }
  return sql<Bucket[]>`
    select bucket, first, lead(first, 1, ${2 ** 31 - 1}::int) over (order by bucket) as next
    from search_bucket where kind = ${KINDS[kind]} order by bucket`;
}

/** Returns the positions at which buckets start: 8192, 24576, 57344, … for up to 100 buckets. */
function bucketPositions({ first, most }: typeof BUCKETS): number[] {
  const positions: number[] = [];
  let position = 0;
  for (let size = first; positions.length < OUT_OF_STOCK_BUCKET - 1; size *= 2) {
    position += Math.min(size, most);
    positions.push(position);
  }
  return positions;
}
