import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/data/connection/client.ts';
import { migrate } from '../../src/data/migrate.ts';
import { recordViews } from '../../src/data/statistics/activity.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { lexiconVersion } from '../../src/understand/lexicon/lexicon.ts';
import { median } from '../support/quantile.ts';
import { generateLoad, loadAt } from './generate.ts';
import { generateMall as generatePages } from './generate-mall.ts';
import { BASE, type Context, type Database, growthRow, SIZES } from './growth-fit.ts';
import { growSearch } from './growth-search.ts';
import { latencies, type Row, type Server, startProcess } from './measure.ts';
import { measureProcess } from './processes.ts';
import { compareServers } from './two-servers.ts';

const AMPLE = {
  PRODUCT_STATS_REQUESTS_PER_HOUR: '1000000000',
  MERCHANT_STATS_REQUESTS_PER_HOUR: '1000000000',
  CATALOG_RECORDS_PER_MINUTE: '1000000000',
  MCP_REQUESTS_PER_MINUTE: '1000000000',
  LOG_LEVEL: 'error',
};
const ROUNDS = 4;
const ASKED_A_ROUND = 60;

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
      return server;
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

async function growStatistics(context: Context): Promise<Row[]> {
  const { scale, folder, tell, open, serve } = context;
  const grown: { database: Database; url: string; merchants: number; products: number }[] = [];
  for (const size of SIZES) {
    const load = loadAt(BASE.statistics * size * scale);
    tell(`statistics at ${size}x: ${load.events} views a day`);
    const database = await open('statistics', size);
    await generateLoad(database.sql, load, () => {});
    grown.push({ database, url: (await serve(database)).url, ...load });
  }
  const middle = SIZES.map(() => [] as number[]);
  const product = SIZES.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { url, merchants, products }] of grown.entries()) {
      // Each merchant once, so that caches play no part.
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
    growthRow('median merchant, uncached, p50', middle.map(median), 'ms', '<= 0.2'),
    growthRow('product statistics, p50', product.map(median), 'ms', ''),
    growthRow(`${BASE.views / 1000}k views for each 1x recorded`, seconds.map(sum), 's', '<= 1.05'),
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

async function growPublish({ scale, folder, tell, open }: Context): Promise<Row> {
  const databases: Database[] = [];
  for (const size of SIZES) {
    const database = await open('publish', size);
    await generatePages(database.sql, Math.round(BASE.offers * size * scale));
    // Not about the search index: the catalog is marked as indexed.
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
  return growthRow('full publish, wall', walls.map(median), 's', '<= 1.05');
}
