import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogChange, submitCatalog } from '../../src/data/catalog/queue.ts';
import { arrayText } from '../../src/data/connection/arrays.ts';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import type { Analyser } from '../../src/data/index/reader.ts';
import { migrate } from '../../src/data/migrate.ts';
import type { FeedRecord } from '../../src/domain/catalog.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { applyQueue } from '../../src/feed/changes.ts';
import { importFeed } from '../../src/feed/import.ts';
import { mallRecords } from './generate-mall.ts';
import { measureLag } from './lag.ts';
import type { Row } from './measure.ts';

/** Products and offers, in equal parts, at scale 1. */
const SIZES = [100_000, 300_000];
/** `id <> all(…)` is measured on so many ids: at 100,000 it takes minutes. */
const NAIVE_UP_TO = 10_000;
const TABLES = ['category', 'merchant', 'store', 'product', 'offer'];

/** The steps of a feed's life; each starts from the state that the previous one left. */
const STEPS: { name: string; change: (record: FeedRecord) => FeedRecord | null }[] = [
  { name: 'first import', change: (record) => record },
  { name: 'unchanged --replace', change: (record) => record },
  {
    name: '--replace, 1 % changed',
    change: (record) =>
      record.kind === 'offer' && record.id % 50 === 0
        ? { ...record, title: `${record.title} nova`, price: { amount: 990, currency: 'BRL' } }
        : record,
  },
  {
    name: '--replace, 10 % removed',
    change: (record) =>
      (record.kind === 'offer' || record.kind === 'product') && record.id % 10 === 0
        ? null
        : record,
  },
];

/**
 * Imports a mall at two sizes, so that growth shows: first, unchanged, 1 % changed, 10 % removed.
 * Bounds on the same rows: COPY into tables with the same indexes, and the removal by `id <> all(…)`.
 */
export async function benchFeed(scale: number): Promise<Row[]> {
  const tell = (step: string) => process.stderr.write(`bench: ${step}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-feed-'));
  chmodSync(folder, 0o755);
  const cluster = await startEmbedded({
    folder: join(folder, 'postgres'),
    settings: ['shared_buffers=1GB', 'max_wal_size=4GB', 'maintenance_work_mem=256MB'],
  });
  const admin = openDatabase(cluster.url, { max: 1 });
  const analyser = openAnalyser();
  const rows: Row[] = [];
  const seconds: number[][] = [];
  try {
    for (const [at, records] of SIZES.map((size) => Math.round(size * scale)).entries()) {
      const url = new URL(cluster.url);
      url.pathname = `/feed_${at}`;
      await admin.unsafe(`create database feed_${at}`);
      const sql = openDatabase(url.href, { max: 2 });
      try {
        await migrate(sql);
        const took = await measureSteps(sql, analyser, records, tell);
        const submitted = await measureChanges(sql, analyser, records);
        const lag = await measureLag(sql, url.href, records / 2, tell);
        const copy = await timeCopy(sql);
        const naive = await timeRemoval(sql);
        seconds.push(took);
        const peers = [
          `COPY of the same rows ${copy.toFixed(1)} s (${((took[0] ?? 0) / copy).toFixed(0)}x)`,
          naive,
          '',
          '',
        ];
        for (const [step, { name }] of STEPS.entries()) {
          rows.push({
            what: `${name}, ${records} products and offers`,
            ours: figure(took[step] ?? 0, records),
            peers: peers[step] ?? '',
            goal: '',
          });
        }
        rows.push(
          {
            what: `changes by submit_catalog, ${records} products and offers`,
            ours: submitted,
            peers: '',
            goal: '',
          },
          lag,
        );
      } finally {
        await sql.end();
      }
    }
    return [...rows, growth(seconds)];
  } finally {
    await admin.end();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds of each step. */
async function measureSteps(
  sql: Sql,
  analyser: Analyser,
  records: number,
  tell: (step: string) => void,
): Promise<number[]> {
  const took: number[] = [];
  for (const { name, change } of STEPS) {
    const started = performance.now();
    const { removed } = await importFeed(sql, feedLines(records / 2, change), {
      replace: true,
      skipInvalid: false,
      analyser,
    });
    took.push((performance.now() - started) / 1000);
    tell(`${name}: ${figure(took.at(-1) ?? 0, records)}, ${removed.count} removed`);
    // Vacuums, so that the next step is not charged for it.
    await sql`vacuum analyze`;
  }
  return took;
}

const SINGLES = 20;
const MANY = 5000;

/** Submits changed prices, one alone and many at once; from the call until search has them. */
async function measureChanges(sql: Sql, analyser: Analyser, records: number): Promise<string> {
  const patches = (count: number, amount: number): CatalogChange[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ op: 'patch', kind: 'product', id: 1 + ((at * 7919) % (records / 2)) },
      set: { price: { amount: amount + at, currency: 'BRL' } },
    }));
  const apply = async (changes: CatalogChange[]) => {
    const started = performance.now();
    await submitCatalog(sql, changes);
    await applyQueue(sql, analyser);
    return performance.now() - started;
  };
  const singles: number[] = [];
  for (let at = 0; at < SINGLES; at += 1) singles.push(await apply(patches(1, 1000 + at)));
  singles.sort((a, b) => a - b);
  const many = await apply(patches(MANY, 5000));
  return (
    `one ${singles[SINGLES / 2]?.toFixed(0)} ms (most ${singles.at(-1)?.toFixed(0)}), ` +
    `${MANY} in ${(many / 1000).toFixed(1)} s`
  );
}

function* feedLines(offers: number, change: (record: FeedRecord) => FeedRecord | null) {
  for (const record of mallRecords(offers)) {
    const changed = change(record);
    if (changed !== null) yield JSON.stringify(changed);
  }
}

/** Seconds that Postgres takes to COPY the catalog's rows into tables with the same indexes. */
async function timeCopy(sql: Sql): Promise<number> {
  const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`;
  let total = 0;
  for (const table of TABLES) {
    const file = `${row?.folder}/bench-${table}.copy`;
    await sql.unsafe(`copy ${table} to '${file}'`);
    await sql.unsafe(`create table copied_${table} (like ${table} including all)`);
    const started = performance.now();
    await sql.unsafe(`copy copied_${table} from '${file}'`);
    total += (performance.now() - started) / 1000;
  }
  return total;
}

/** The removal of nothing by `id <> all(…)` on the first rows of the copied products. */
async function timeRemoval(sql: Sql): Promise<string> {
  const kept = await sql<{ id: number }[]>`
    select id from copied_product order by id limit ${NAIVE_UP_TO}`;
  const ids = kept.map(({ id }) => id);
  await sql`delete from copied_product where id > ${ids.at(-1) ?? 0}`;
  const started = performance.now();
  await sql`delete from copied_product where id <> all(${arrayText(ids)}::text::bigint[])`;
  const naive = performance.now() - started;
  return `removal alone by id <> all of ${ids.length} ${naive.toFixed(0)} ms`;
}

function figure(seconds: number, records: number): string {
  return `${seconds.toFixed(1)} s, ${Math.round(records / seconds)} records/s`;
}

function growth(seconds: number[][]): Row {
  const [small = [], large = []] = seconds;
  const times = STEPS.map(
    ({ name }, at) => `${name} ${((large[at] ?? 0) / (small[at] ?? 1)).toFixed(1)}x`,
  );
  return {
    what: 'three times the records',
    ours: times.join(', '),
    peers: '',
    goal: '<= 3.3x each',
  };
}
