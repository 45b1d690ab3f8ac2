import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { migrate } from '../../src/data/migrate.ts';
import { recordViews } from '../../src/data/statistics/activity.ts';
import { advanceWindow, sealDueHours } from '../../src/data/statistics/hours.ts';
import { takeSnapshot } from '../../src/data/statistics/snapshots.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { median, quantile } from '../support/quantile.ts';
import { generateLoad, HOT_MERCHANT, type Load, loadAt } from './generate.ts';
import { latencies, type Row, type Server, startProcess } from './measure.ts';
import { throughput } from './throughput.ts';

const AMPLE = {
  PRODUCT_STATS_REQUESTS_PER_HOUR: '1000000000',
  MERCHANT_STATS_REQUESTS_PER_HOUR: '1000000000',
  LOG_LEVEL: 'error',
};
const CACHED = ">= 1x (a')";
const UNIFORM_IDS = 10_000;
const COLD_PAUSE_MS = 700;

/** Measures the statistics endpoints beside their peers on the same data, interleaved. */
export async function benchStats(scale: number, rounds: number, seconds: number): Promise<Row[]> {
  const tell = (step: string) => process.stderr.write(`bench: ${step}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  // The database's own user must have access, or the cluster would be created elsewhere and left behind.
  chmodSync(folder, 0o755);
  const cluster = await startEmbedded({
    folder,
    settings: ['shared_buffers=1GB', 'work_mem=64MB', 'max_wal_size=8GB', 'synchronous_commit=on'],
  });
  const sql = openDatabase(cluster.url, { max: 4 });
  const servers: Server[] = [];
  // What the jobs process does every minute and after every hour.
  const jobs = setInterval(() => void sealDueHours(sql).then(() => advanceWindow(sql)), 60_000);
  const start = async (args: string[]) => {
    const env = { ...AMPLE, DATABASE_URL: cluster.url, DATA_DIR: folder };
    const server = await startProcess(args, env);
    servers.push(server);
    return server.url;
  };
  try {
    const load = loadAt(scale);
    await migrate(sql);
    await generateLoad(sql, load, tell);
    const urls = {
      ours: await start(['scripts/serve.ts']),
      fastify: await start(['tests/bench/peer.ts', 'fastify']),
      memo: await start(['tests/bench/peer.ts', 'fastify-memo']),
      bare: await start(['tests/bench/peer.ts', 'bare']),
    };
    return [
      ...(await benchThroughput(urls, load, rounds, seconds, tell)),
      ...(await benchCold(sql, urls, load, tell)),
      await benchIngestion(sql, urls.ours, load, tell),
      await benchSnapshot(sql, tell),
    ];
  } finally {
    clearInterval(jobs);
    for (const { child } of servers) child.kill('SIGTERM');
    await sql.end();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Urls = { ours: string; fastify: string; memo: string; bare: string };

async function benchThroughput(
  urls: Urls,
  load: Load,
  rounds: number,
  seconds: number,
  tell: (step: string) => void,
): Promise<Row[]> {
  const product = () =>
    `/api/public/v1/products/${1 + Math.floor(Math.random() * Math.min(UNIFORM_IDS, load.products))}/stats`;
  const hotProduct = () => '/api/public/v1/products/7/stats';
  const middle = Math.max(2, Math.round(load.merchants / 2));
  const merchant = (id: () => number) => () => `/api/public/v1/merchants/${id()}/stats`;
  const cases: { what: string; path: () => string; peers: (keyof Urls)[]; goal: string }[] = [
    {
      what: 'product stats, uniform ids',
      path: product,
      peers: ['fastify', 'bare'],
      goal: '>= 3x (a), >= 0.6x (b)',
    },
    {
      what: 'product stats, one id',
      path: hotProduct,
      peers: ['fastify', 'bare'],
      goal: '>= 3x (a), >= 0.6x (b)',
    },
    {
      what: 'median merchant, cached',
      path: merchant(() => middle),
      peers: ['memo'],
      goal: CACHED,
    },
    {
      what: 'top 20 merchants, cached',
      path: merchant(() => 2 + Math.floor(Math.random() * 20)),
      peers: ['memo'],
      goal: CACHED,
    },
    {
      what: 'hot merchant, cached',
      path: merchant(() => HOT_MERCHANT),
      peers: ['memo'],
      goal: CACHED,
    },
  ];
  const rows: Row[] = [];
  for (const { what, path, peers, goal } of cases) {
    const figures = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const name of ['ours', ...peers] satisfies (keyof Urls)[]) {
        tell(`${what}, round ${round + 1}: ${name}`);
        const rate = await throughput(urls[name], seconds, path);
        figures.set(name, [...(figures.get(name) ?? []), rate]);
      }
    }
    const ours = median(figures.get('ours') ?? []);
    const compared = peers.map((name) => {
      const rate = median(figures.get(name) ?? []);
      return `${name} ${Math.round(rate)}/s (${(ours / rate).toFixed(2)}x)`;
    });
    rows.push({ what, ours: `${Math.round(ours)}/s`, peers: compared.join(', '), goal });
  }
  return rows;
}

async function benchCold(
  sql: Sql,
  urls: Urls,
  load: Load,
  tell: (step: string) => void,
): Promise<Row[]> {
  const ask = async (url: string, merchant: number) => {
    await (await fetch(`${url}/api/public/v1/merchants/${merchant}/stats`)).arrayBuffer();
  };
  tell('cold reads: hot merchant beside (a) and the raw scan');
  const hot = { ours: [] as number[], fastify: [] as number[], raw: [] as number[] };
  for (let round = 0; round < 20; round += 1) {
    // Longer than our own cache keeps such an answer.
    await new Promise((done) => setTimeout(done, COLD_PAUSE_MS));
    hot.ours.push(...(await latencies(1, () => ask(urls.ours, HOT_MERCHANT))));
    hot.fastify.push(...(await latencies(1, () => ask(urls.fastify, HOT_MERCHANT))));
    hot.raw.push(...(await latencies(1, () => rawScan(sql, HOT_MERCHANT))));
  }
  tell('cold reads: median merchants, top 20');
  const middle = Math.round(load.merchants / 2);
  const cold = async (url: string, first: number, count: number) =>
    latencies(count, (index) => ask(url, first + index));
  const ms = (values: number[]) =>
    `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.99).toFixed(1)} ms`;
  const ratio = (quantile(hot.raw, 0.99) / quantile(hot.ours, 0.99)).toFixed(1);
  return [
    {
      what: 'hot merchant, cold (p50 / p99)',
      ours: ms(hot.ours),
      peers: `fastify ${ms(hot.fastify)}, raw scan ${ms(hot.raw)} (ours 1/${ratio} at p99)`,
      goal: 'p99 <= 1/8 of (c)',
    },
    {
      what: 'top 20 merchants, cold (p50 / p99)',
      ours: ms(await cold(urls.ours, 2, 20)),
      peers: `fastify ${ms(await cold(urls.fastify, 2, 20))}`,
      goal: '',
    },
    {
      what: 'median merchant, cold (p50 / p99)',
      ours: ms(await cold(urls.ours, middle, 300)),
      peers: `fastify ${ms(await cold(urls.fastify, middle, 300))}`,
      goal: 'p99 <= 10 ms',
    },
  ];
}

function rawScan(sql: Sql, merchant: number) {
  return sql`
    select metric, item_id, count(*) from view_event
    where merchant_id = ${merchant} and at >= now() - interval '24 hours' and at < now()
    group by 1, 2`;
}

async function benchIngestion(
  sql: Sql,
  url: string,
  load: Load,
  tell: (step: string) => void,
): Promise<Row> {
  tell('ingestion in batches of 1,000 while serving');
  const until = Date.now() + 15_000;
  let views = 0;
  const write = async () => {
    while (Date.now() < until) {
      const batch = Array.from({ length: 1000 }, () => ({
        kind: 'product' as const,
        id: 1 + Math.floor(Math.random() * load.products),
        source: 'user' as const,
      }));
      views += await recordViews(sql, batch);
    }
  };
  let served = 0;
  const read = async () => {
    while (Date.now() < until) {
      await (
        await fetch(`${url}/api/public/v1/products/${1 + (served % 1000)}/stats`)
      ).arrayBuffer();
      served += 1;
    }
  };
  await Promise.all([write(), write(), read(), read()]);
  return {
    what: 'ingestion while serving',
    ours: `${Math.round(views / 15)} views/s`,
    peers: `${Math.round(served / 15)} requests/s served meanwhile`,
    goal: '>= 10,000 views/s',
  };
}

async function benchSnapshot(sql: Sql, tell: (step: string) => void): Promise<Row> {
  tell('snapshot of every merchant');
  // The generated day ends now: the snapshot is taken for the last full hour, as if that were 14:00 MSK.
  const at = new Date(Math.floor(Date.now() / 3_600_000 - 1) * 3_600_000);
  const started = performance.now();
  const result = await takeSnapshot(sql, at);
  const took = ((performance.now() - started) / 1000).toFixed(2);
  const merchants =
    result.outcome === 'taken' ? `${result.merchants} merchants` : JSON.stringify(result);
  return { what: 'daily snapshot', ours: `${took} s (${merchants})`, peers: '', goal: '<= 2 s' };
}
