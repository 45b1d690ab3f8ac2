import { analyzeUncounted } from '../catalog/import.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { applyChanges, tooManyChanges } from './changes.ts';
import { collectTouched, noteCategories, noteMerchants, type Touched } from './followers.ts';
import {
  BUCKETS,
  KINDS,
  type Kind,
  OUT_OF_STOCK_BUCKET,
  OUT_OF_STOCK_RANK,
  RANK_SHIFT,
} from './format.ts';
import { type Analyser, type IndexedRecord, openKeyer } from './keyer.ts';
import { indexable, readSources } from './sources.ts';

/** One import or rebuild at a time: two feeds must not interleave. */
const IMPORT_LOCK = 726_114_002;

/** Waits until no other import or rebuild is under way; for the rest of the caller's transaction. */
export async function lockCatalog(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORT_LOCK}::bigint)`;
}

/** The version of the lexicon that the index was made with; null before the first time. */
export async function indexedLexicon(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ version: string | null }[]>`
    select lexicon_version as version from catalog_state`;
  return row?.version ?? null;
}

/**
 * Makes the whole search index anew, inside the caller's transaction: readers see the old one until it
 * commits. Tells how many of how many records are done.
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
  const keyer = openKeyer(sql, analyser);
  let done = 0;
  for (const kind of ['product', 'offer'] as const) {
    const batches = readSources(sql, kind);
    let indexed: IndexedRecord[] = [];
    let batch = await batches.next();
    while (!batch.done) {
      // While one batch is analysed, the database writes the last one and reads the next.
      const [analysed, next] = await Promise.all([
        keyer.analyse(batch.value),
        batches.next(),
        writeRecords(sql, kind, indexed),
      ]);
      indexed = await keyer.index(analysed);
      batch = next;
      done += indexed.length;
      onProgress(done, total);
    }
    await writeRecords(sql, kind, indexed);
    await buildPostings(sql, kind, sizes);
  }
  await keyer.writeWords();
  await sql`update catalog_state set lexicon_version = ${analyser.version}`;
  for (const table of ['posting', 'record', 'bucket', 'token', 'word']) {
    await sql`select analyze_table(${`search_${table}`})`;
  }
}

/**
 * Brings the index up to date with the catalog, inside the caller's transaction: for the records that were
 * written, for those that follow other records that changed, and for those that are gone.
 */
export async function indexRecords(
  sql: Sql,
  analyser: Analyser,
  touched: Touched,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  if (touched.categories) await indexCategories(sql, analyser);
  await collectTouched(sql, touched);
  await analyzeUncounted(sql);
  if (await tooManyChanges(sql)) return rebuildSearchIndex(sql, analyser, onProgress);
  const keyer = openKeyer(sql, analyser);
  for (const kind of ['product', 'offer'] as const) await applyChanges(sql, kind, keyer);
  await keyer.writeWords();
}

async function indexCategories(sql: Sql, analyser: Analyser): Promise<void> {
  const rows = await sql<{ id: number; name: string }[]>`select id, name from category`;
  const concepts = rows.map(({ id, name }) => ({ id, concepts: analyser.concepts(name) }));
  await sql`
    update category set concepts = made.concepts
    from jsonb_to_recordset(${JSON.stringify(concepts)}::text::jsonb) as made (id bigint, concepts text[])
    where category.id = made.id and category.concepts <> made.concepts`;
}

/** Lists all records in the order of their numbers; returns how many there are. */
async function numberRecords(sql: Sql): Promise<number> {
  await sql`drop table if exists search_wanted`;
  await sql`
    create temp table search_wanted (kind smallint, place int, id bigint, number int)
    on commit drop`;
  for (const kind of ['product', 'offer'] as const) {
    const rank = sql(`${kind}_rank`);
    await sql`
      insert into search_wanted
      select ${KINDS[kind]}, place, id,
        -- Where two want one number, the later takes the next free.
        max(wanted - place) over (order by place) + place
      from (
        select id, search_number(rank, id) as wanted,
          row_number() over (order by search_number(rank, id), id)::int as place
        from (
          select item.id, ${rank}(item) as rank from ${sql(kind)} item where ${indexable(sql, kind)}
        ) ranked
      ) numbered`;
  }
  await sql`create index on search_wanted (kind, place)`;
  await sql`analyze search_wanted`;
  const [row] = await sql<{ total: number }[]>`select count(*) as total from search_wanted`;
  return row?.total ?? 0;
}

async function writeRecords(sql: Sql, kind: Kind, records: IndexedRecord[]): Promise<void> {
  await sql`
    insert into search_record (kind, number, id, keys, name, source)
    select wanted.kind, wanted.number, made.id, made.keys, hashtextextended(made.name, 0), made.source
    from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb)
      as made (id bigint, keys int[], name text, source uuid, place int)
    join search_wanted wanted on wanted.kind = ${KINDS[kind]} and wanted.place = made.place`;
}

async function buildPostings(sql: Sql, kind: Kind, sizes: typeof BUCKETS): Promise<void> {
  await makeBuckets(sql, kind, bucketPositions(sizes));
  const buckets = await sql<{ bucket: number; first: number; next: number }[]>`
    select bucket, first, lead(first, 1, ${2 ** 31 - 1}::int) over (order by bucket) as next
    from search_bucket where kind = ${KINDS[kind]} order by bucket`;
  // The arrays are gathered by a sort.
  await sql`set local work_mem = '256MB'`;
  for (const { bucket, first, next } of buckets) {
    await sql`
      insert into search_posting (kind, key, bucket, records, numbers)
      select ${KINDS[kind]}, key, ${bucket}::smallint, count(*), array_agg(number)
      from (
        select unnest(keys) as key, number from search_record
        where kind = ${KINDS[kind]} and number >= ${first} and number < ${next}
        order by key, number
      ) sorted
      group by key`;
  }
}

async function makeBuckets(sql: Sql, kind: Kind, positions: number[]): Promise<void> {
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
          select number, row_number() over (order by number) - 1 as position from search_record
          where kind = ${KINDS[kind]} and number >= ${from}
            and number < ${parts[part + 1] ?? 2 ** 31 - 1}::int
        ) numbered
        where position = any(${arrayText(positions)}::text::int[])
      ) firsts`;
  }
}

/** At which records buckets begin: 8192, 24576, 57344, … for up to 100 buckets. */
function bucketPositions({ first, most }: typeof BUCKETS): number[] {
  const positions: number[] = [];
  let position = 0;
  for (let size = first; positions.length < OUT_OF_STOCK_BUCKET - 1; size *= 2) {
    position += Math.min(size, most);
    positions.push(position);
  }
  return positions;
}
