import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordViews } from '../../src/data/activity.ts';
import { openDatabase, type Sql } from '../../src/data/client.ts';
import { migrate } from '../../src/data/migrate.ts';
import { rebuildSearchIndex } from '../../src/data/search-index.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { lexiconVersion } from '../../src/understand/lexicon.ts';
import { generateLoad, loadAt } from './generate.ts';
import { generateMall as generatePages } from './generate-mall.ts';
import { generateMall, makeVocabulary } from './mall.ts';
import { latencies, median, quantile, type Server, startProcess } from './measure.ts';
import { measureProcess } from './processes.ts';
import { callSearch } from './search.ts';
import { queryClasses } from './search-queries.ts';
import { compareServers } from './two-servers.ts';

type Row = { what: string; ours: string; peers: string; goal: string };

/** How many times the data of the base. */
const SIZES = [1, 3, 10] as const;
/** The base at scale 1: 20k products, 400 merchants, 300k views a day; 2,000 offers to publish. */
const BASE = { statistics: 0.02, products: 20_000, merchants: 400, offers: 2000, views: 20_000 };
const AMPLE = {
  PRODUCT_STATS_REQUESTS_PER_HOUR: '1000000000',
  MERCHANT_STATS_REQUESTS_PER_HOUR: '1000000000',
  CATALOG_RECORDS_PER_MINUTE: '1000000000',
  MCP_REQUESTS_PER_MINUTE: '1000000000',
  LOG_LEVEL: 'error',
};
const ROUNDS = 4;
const ASKED_A_ROUND = 60;
const SEARCHES_A_ROUND = 8;

type Database = { size: number; url: string; sql: Sql };
type Context = {
  scale: number;
  folder: string;
  tell: (step: string) => void;
  open: (name: string, size: number) => Promise<Database>;
  serve: (database: Database) => Promise<string>;
};

/**
 * Measures at 1x, 3x and 10x of the data, the sizes in turn so that noise meets all of them alike, and
 * fits how each figure grows: 0 not at all, 1 as the data does.
 */
export async function benchGrowth(scale: number): Promise<Row[]> {
  const tell = (step: string) => process.stderr.write(`bench: ${step}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-growth-'));
  chmodSync(folder, 0o755);
  const cluster = await startEmbedded({
    folder: join(folder, 'postgres'),
    settings: ['shared_buffers=1GB', 'max_wal_size=4GB', 'maintenance_work_mem=256MB'],
  });
  const admin = openDatabase(cluster.url, { max: 1 });
  const databases: Database[] = [];
  const servers: Server[] = [];
  const context: Context = {
    scale,
    folder,
    tell,
    async open(name, size) {
      const url = new URL(cluster.url);
      url.pathname = `/${name}_${size}`;
      await admin.unsafe(`create database ${name}_${size}`);
      const sql = openDatabase(url.href, { max: 2 });
      const database = { size, url: url.href, sql };
      databases.push(database);
      await migrate(sql);
      return database;
    },
    async serve({ url }) {
      const env = { ...AMPLE, DATABASE_URL: url, DATA_DIR: folder };
      const server = await startProcess(['scripts/serve.ts'], env);
      servers.push(server);
      return server.url;
    },
  };
  try {
    const statistics = await growStatistics(context);
    return [...statistics, ...(await growSearch(context)), await growPublish(context)];
  } finally {
    for (const { child } of servers) child.kill('SIGTERM');
    for (const { sql } of databases) await sql.end();
    await admin.end();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The exponent of a power law through the figures at each size, by least squares over logarithms. */
export function exponentOf(figures: number[], sizes: readonly number[] = SIZES): number {
  const x = sizes.map(Math.log);
  const y = figures.map(Math.log);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, value, at) => sum + (value - mx) * ((y[at] ?? 0) - my), 0);
  return covariance / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

function row(what: string, figures: number[], unit: string, goal: string): Row {
  const exponent = exponentOf(figures);
  return {
    what: `${what} at ${SIZES.map((size) => `${size}x`).join(', ')}`,
    ours: `${figures.map((figure) => figure.toPrecision(3)).join(', ')} ${unit}`,
    peers: `exponent ${exponent.toFixed(2)}`,
    goal,
  };
}

async function growStatistics(context: Context): Promise<Row[]> {
  const { scale, folder, tell, open, serve } = context;
  const grown: { database: Database; url: string; merchants: number; products: number }[] = [];
  for (const size of SIZES) {
    const load = loadAt(BASE.statistics * size * scale);
    tell(`statistics at ${size}x: ${load.events} views a day`);
    const database = await open('statistics', size);
    await generateLoad(database.sql, load, () => {});
    grown.push({ database, url: await serve(database), ...load });
  }
  const middle = SIZES.map(() => [] as number[]);
  const product = SIZES.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { url, merchants, products }] of grown.entries()) {
      // Each merchant once: what is kept in memory has no part in it.
      const first = Math.max(2, Math.round(merchants / 2)) + round * ASKED_A_ROUND;
      const get = async (path: string) =>
        (await fetch(`${url}/api/public/v1/${path}/stats`)).text();
      const asked = await latencies(ASKED_A_ROUND, (i) =>
        get(`merchants/${2 + ((first + i) % merchants)}`),
      );
      middle[at]?.push(...asked);
      const ids = await latencies(ASKED_A_ROUND, (i) =>
        get(`products/${1 + ((i * 97) % products)}`),
      );
      product[at]?.push(...ids);
    }
  }
  tell('ingestion');
  const seconds = SIZES.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { database, products }] of grown.entries()) {
      seconds[at]?.push(await ingest(database, products, (BASE.views * database.size) / ROUNDS));
    }
  }
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const largest = grown.at(-1);
  const servers =
    largest === undefined
      ? []
      : await compareServers(largest, { ...AMPLE, DATA_DIR: folder }, tell);
  return [
    row('median merchant, uncached, p50', middle.map(median), 'ms', '<= 0.2'),
    row('product statistics, p50', product.map(median), 'ms', ''),
    row(`${BASE.views / 1000}k views for each 1x recorded`, seconds.map(sum), 's', '<= 1.05'),
    ...servers,
  ];
}

/** Records views of products in batches; returns the seconds that it took. */
async function ingest({ sql }: Database, products: number, views: number): Promise<number> {
  const started = performance.now();
  for (let done = 0; done < views; done += 1000) {
    const batch = Array.from({ length: 1000 }, () => ({
      kind: 'product' as const,
      id: 1 + Math.floor(Math.random() * products),
      source: 'user' as const,
    }));
    await recordViews(sql, batch);
  }
  return (performance.now() - started) / 1000;
}

async function growSearch({ scale, tell, open, serve }: Context): Promise<Row[]> {
  const words = makeVocabulary();
  const urls: string[] = [];
  const rebuilds: number[] = [];
  for (const size of SIZES) {
    const products = Math.round(BASE.products * size * scale);
    tell(`search at ${size}x: ${products} products`);
    const database = await open('search', size);
    const merchants = Math.max(10, Math.round(BASE.merchants * size * scale));
    await generateMall(
      database.sql,
      { products, merchants, offers: Math.round(products / 20) },
      words,
    );
    const started = performance.now();
    await database.sql.begin((tx) => rebuildSearchIndex(tx as unknown as Sql, openAnalyser()));
    rebuilds.push((performance.now() - started) / 1000);
    await database.sql`vacuum analyze`;
    urls.push(await serve(database));
  }
  const classes = queryClasses(words);
  // A mean of medians over the classes of search, each weighing the same.
  const logs = { p50: SIZES.map(() => 0), p95: SIZES.map(() => 0) };
  const rows: Row[] = [];
  for (const { name, make } of classes) {
    tell(`search: ${name}`);
    const times = SIZES.map(() => [] as number[]);
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [at, url] of urls.entries()) {
        const asked = await latencies(SEARCHES_A_ROUND, () => callSearch(url, make().arguments));
        // The first round warms up.
        if (round > 0) times[at]?.push(...asked);
      }
    }
    for (const [at, values] of times.entries()) {
      logs.p50[at] = (logs.p50[at] ?? 0) + Math.log(median(values)) / classes.length;
      logs.p95[at] = (logs.p95[at] ?? 0) + Math.log(quantile(values, 0.95)) / classes.length;
    }
    rows.push(row(`search, ${name}, p50`, times.map(median), 'ms', ''));
  }
  return [
    row('search, mean of all classes, p50', logs.p50.map(Math.exp), 'ms', '<= 0.3'),
    row('search, mean of all classes, p95', logs.p95.map(Math.exp), 'ms', ''),
    ...rows,
    row('search index made anew', rebuilds, 's', ''),
  ];
}

async function growPublish({ scale, folder, tell, open }: Context): Promise<Row> {
  const databases: Database[] = [];
  for (const size of SIZES) {
    const database = await open('publish', size);
    await generatePages(database.sql, Math.round(BASE.offers * size * scale));
    // The search index has no part in this: the catalog passes for indexed.
    await database.sql`update catalog_state set lexicon_version = ${lexiconVersion()}`;
    databases.push(database);
  }
  const walls = SIZES.map(() => [] as number[]);
  for (let round = 0; round < 3; round += 1) {
    for (const [at, { size, url }] of databases.entries()) {
      tell(`publish at ${size}x`);
      const dataDir = join(folder, `releases-${size}`);
      mkdirSync(dataDir, { recursive: true });
      const env = { DATABASE_URL: url, DATA_DIR: dataDir, BASE_URL: 'http://localhost:4321' };
      const args = ['scripts/catalog-publish.ts', '--full'];
      walls[at]?.push((await measureProcess(process.execPath, args, { env })).wall);
    }
  }
  return row('full publish, wall', walls.map(median), 's', '<= 1.05');
}
