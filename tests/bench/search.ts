import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { rebuildSearchIndex } from '../../src/data/index/rebuild.ts';
import { migrate } from '../../src/data/migrate.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { quantile } from '../support/quantile.ts';
import { generateMall, type MallSize, makeVocabulary, type Vocabulary } from './mall.ts';
import { latencies, type Row, type Server, startProcess } from './measure.ts';
import { measurePeers, type PeerFigures, preparePlain, timePlain } from './search-peers.ts';
import { benchQuality, findRealFeed } from './search-quality.ts';
import { type QueryClass, queryClasses } from './search-queries.ts';

const AMPLE = {
  CATALOG_RECORDS_PER_MINUTE: '1000000000',
  MCP_REQUESTS_PER_MINUTE: '1000000000',
  LOG_LEVEL: 'error',
};
const TIMES = 200;
const WARM_UP = 30;
const TOGETHER = 8;
/** In-process engines are measured up to this size: beyond it they need too much memory. */
const PEERS_UP_TO = 300_000;
const CHANGED = 500;

/** Sizes of the mall; at scale 1: 1M products of 20k merchants, 50k offers. */
const mallAt = (scale: number): MallSize => ({
  products: Math.round(1_000_000 * scale),
  merchants: Math.round(20_000 * Math.min(1, scale * 4)),
  offers: Math.round(50_000 * scale),
});

/**
 * Measures search: how fast over the mall at a scale, and how well it finds known items of a real feed (the
 * one that is named, or the usual one if it is there).
 */
export async function benchSearch(scale: number, feed?: string): Promise<Row[]> {
  const real = findRealFeed(feed);
  const tell = (step: string) => process.stderr.write(`bench: ${step}\n`);
  return [...(await benchSpeed(scale, tell)), ...(await benchQuality(real, tell))];
}

/** Measures search over HTTP beside ts_rank_cd on the same data, and engines in process. */
async function benchSpeed(scale: number, tell: (step: string) => void): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  // Readable by the database's user, which must not be root.
  chmodSync(folder, 0o755);
  const cluster = await startEmbedded({
    folder,
    settings: ['shared_buffers=2GB', 'max_wal_size=8GB', 'maintenance_work_mem=512MB'],
  });
  const sql = openDatabase(cluster.url, { max: 2 });
  const servers: Server[] = [];
  try {
    const size = mallAt(scale);
    const words = makeVocabulary();
    await migrate(sql);
    tell(`${size.products} products of ${size.merchants} merchants`);
    await generateMall(sql, size, words);
    const rebuild = await timeRebuild(sql, tell);
    await preparePlain(sql, tell);
    const server = await startProcess(['scripts/serve.ts'], {
      ...AMPLE,
      DATABASE_URL: cluster.url,
      DATA_DIR: folder,
    });
    servers.push(server);
    const classes = queryClasses(words);
    const ours: Row[] = [];
    for (const one of classes) {
      const row = await measureClass(sql, server.url, one, size);
      tell(`${row.what}: ${row.ours}; ${row.peers}`);
      ours.push(row);
    }
    const change = await timeChange(sql, server.url, words, tell);
    const peers =
      size.products <= PEERS_UP_TO
        ? await measurePeers(sql, classes, tell)
        : new Map<string, PeerFigures>();
    return [...ours.map((row) => withPeers(row, peers.get(row.what))), rebuild, change];
  } finally {
    for (const { child } of servers) child.kill('SIGTERM');
    await sql.end();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const ms = (value: number) => value.toFixed(1);
const figures = (values: number[]) =>
  [0.5, 0.95, 0.99].map((share) => ms(quantile(values, share))).join(' / ');

async function measureClass(
  sql: Sql,
  url: string,
  { name, sorted, make }: QueryClass,
  { products }: MallSize,
): Promise<Row> {
  const ask = () => callSearch(url, make().arguments);
  await latencies(WARM_UP, ask);
  const alone = await latencies(TIMES, ask);
  const each = Math.ceil(TIMES / TOGETHER);
  const crowd = await Promise.all(Array.from({ length: TOGETHER }, () => latencies(each, ask)));
  const plain = await timePlain(sql, make);
  const ratio = (plain / quantile(alone, 0.5)).toFixed(1);
  const goal = (products <= PEERS_UP_TO ? 12 : 20) * (sorted ? 2 : 1);
  return {
    what: name,
    ours: `${figures(alone)} ms; ${TOGETHER} in parallel ${figures(crowd.flat())} ms`,
    peers: `ts_rank_cd ${ms(plain)} ms (${ratio}x)`,
    goal: `p99 <= ${goal} ms`,
  };
}

function withPeers(row: Row, peers: PeerFigures | undefined): Row {
  if (peers === undefined) return row;
  const inProcess = `MiniSearch ${ms(peers.miniSearch)} ms, Orama ${ms(peers.orama)} ms`;
  return { ...row, peers: `${row.peers}; ${inProcess}` };
}

/** Searches products over HTTP; returns the ids. */
export async function callSearch(url: string, args: Record<string, unknown>): Promise<number[]> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_local_products', arguments: args },
    }),
  });
  const { result } = (await response.json()) as {
    result?: { isError?: boolean; structuredContent?: { products: { id: number }[] } };
  };
  if (result?.structuredContent === undefined) {
    throw new Error(`${JSON.stringify(args)} failed with ${response.status}`);
  }
  return result.structuredContent.products.map(({ id }) => id);
}

async function timeRebuild(sql: Sql, tell: (step: string) => void): Promise<Row> {
  const started = performance.now();
  let told = 0;
  await sql.begin((tx) =>
    rebuildSearchIndex(tx, openAnalyser(), (done, total) => {
      if (done < total && done - told < 100_000) return;
      told = done;
      tell(`indexed ${done} of ${total}`);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  await sql`vacuum analyze`;
  const [row] = await sql<{ postings: string; records: string }[]>`
    select pg_size_pretty(pg_total_relation_size('search_posting')) as postings,
      pg_size_pretty(pg_total_relation_size('search_record')) as records`;
  return {
    what: 'full rebuild',
    ours: `${seconds.toFixed(0)} s; postings ${row?.postings}, records ${row?.records}`,
    peers: '',
    goal: '300k in a few minutes',
  };
}

/** Changes products by an import and asks at once after its commit. */
async function timeChange(
  sql: Sql,
  url: string,
  { needs, brands }: Vocabulary,
  tell: (step: string) => void,
): Promise<Row> {
  tell(`${CHANGED} changed products`);
  const marker = 'xilomarca';
  const lines = Array.from({ length: CHANGED }, (_, place) =>
    JSON.stringify({
      kind: 'product',
      id: place * 37 + 1,
      merchant_id: place + 1,
      name: `${needs[place % 50]} ${brands[place % 40]} ${marker}`,
      description: 'Mudou agora.',
      price: { amount: 1000 + place, currency: 'BRL' },
    }),
  );
  const started = performance.now();
  const options = { replace: false, skipInvalid: false, analyser: openAnalyser() };
  await importFeed(sql, lines, options);
  const imported = performance.now();
  const found = await callSearch(url, { query: marker, limit: 20 });
  if (found.length !== 20) throw new Error(`only ${found.length} changed products found`);
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(2);
  return {
    what: `${CHANGED} changed products`,
    ours: `searchable ${seconds(imported, performance.now())} s after the commit; import ${seconds(started, imported)} s`,
    peers: '',
    goal: '<= 2 s',
  };
}
