import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { submitCatalog } from '../../src/data/catalog/queue.ts';
import type { Sql } from '../../src/data/connection/client.ts';
import { quantile } from '../support/quantile.ts';
import { type Row, startProcess } from './measure.ts';
import { measureProcess } from './processes.ts';
import { callSearch } from './search.ts';

/** 5,000 changes an hour. */
const EVERY_MS = 720;
const CHANGES = 80;
/** The first ones warm up the processes. */
const WARM_UP = 5;
const LOOK_MS = 20;
const GIVE_UP_MS = 120_000;
/** The measurement must not hit quotas. */
const NO_QUOTAS = {
  CATALOG_RECORDS_PER_MINUTE: '1000000000',
  MCP_REQUESTS_PER_MINUTE: '1000000000',
};

/**
 * Changes names at a steady pace while the service and its jobs run; seconds from each commit until `/mcp` finds the
 * new name, and until the page shows it.
 */
export async function measureLag(
  sql: Sql,
  databaseUrl: string,
  products: number,
  tell: (step: string) => void,
): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-lag-'));
  const env = { ...NO_QUOTAS, DATABASE_URL: databaseUrl, DATA_DIR: folder };
  tell('lag: publishing');
  const published = { ...env, BASE_URL: 'http://localhost:4321' };
  await measureProcess(process.execPath, ['scripts/catalog-publish.ts'], { env: published });
  const server = await startProcess(['scripts/serve.ts'], env);
  const jobs = spawn(process.execPath, ['scripts/jobs.ts'], {
    env: { ...process.env, ...published, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    tell(`lag: ${CHANGES} changes, one every ${EVERY_MS} ms`);
    const lags = await steadyChanges(sql, server.url, products);
    const figures = (which: 'search' | 'page') => {
      const seconds = lags.map((lag) => lag[which]);
      return [0.5, 0.99].map((share) => quantile(seconds, share).toFixed(2)).join(' / ');
    };
    return {
      what: `commit to search and to page, 5,000 changes an hour, ${products} products (p50 / p99)`,
      ours: `${figures('search')} s, ${figures('page')} s`,
      peers: '',
      goal: 'p99 <= 2 s to search, <= 30 s to page',
    };
  } finally {
    for (const { child } of [server, { child: jobs }]) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

type Lag = { search: number; page: number };

async function steadyChanges(sql: Sql, url: string, products: number): Promise<Lag[]> {
  const watched: Promise<Lag>[] = [];
  const start = performance.now();
  for (let at = 0; at < CHANGES; at += 1) {
    await pause(Math.max(0, start + at * EVERY_MS - performance.now()));
    // Every tenth may have been removed by the steps before.
    const id = 1 + 10 * ((at * 7919) % Math.floor(products / 10));
    const name = `Renomeado zq${at}x`;
    await submitCatalog(sql, [{ op: 'patch', kind: 'product', id, set: { name } }]);
    // Refused because of load: not found yet.
    const isFound = () =>
      callSearch(url, { query: `zq${at}x`, limit: 1 }).then(
        (ids) => ids.includes(id),
        () => false,
      );
    const isShown = async () => (await textOf(`${url}/products/${id}`)).includes(name);
    watched.push(
      Promise.all([secondsUntil(isFound), secondsUntil(isShown)]).then(([found, shown]) => ({
        search: found,
        page: shown,
      })),
    );
  }
  return (await Promise.all(watched)).slice(WARM_UP);
}

async function secondsUntil(isSo: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < GIVE_UP_MS) {
    if (await isSo()) return (performance.now() - start) / 1000;
    await pause(LOOK_MS);
  }
  return Number.POSITIVE_INFINITY;
}

const textOf = (url: string): Promise<string> =>
  fetch(url).then(
    (response) => response.text(),
    () => '',
  );
