import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/data/connection/client.ts';
import { migrate } from '../../../src/data/migrate.ts';
import { startEmbedded } from '../../../src/embedded/postgres.ts';
import { openAnalyser } from '../../../src/feed/analyser.ts';
import { importFeed } from '../../../src/feed/import.ts';
import { startProcess } from '../../bench/measure.ts';
import type { FeedSource } from './items.ts';

/** Quotas that no evaluation reaches. */
const AMPLE = {
  CATALOG_RECORDS_PER_MINUTE: '1000000',
  MCP_REQUESTS_PER_MINUTE: '1000000',
  LOG_LEVEL: 'error',
};

type Stage = { databaseUrl: string; folder: string };

/** Runs work with a temporary Postgres. */
export async function withCluster<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-known-'));
  // The database's own user must have access, or the cluster would be created elsewhere and left behind.
  chmodSync(folder, 0o755);
  const cluster = await startEmbedded({ folder });
  try {
    return await work({ databaseUrl: cluster.url, folder });
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs work against a real service over a feed. */
export function withFeedService<T>(
  source: FeedSource,
  work: (url: string) => Promise<T>,
): Promise<T> {
  return withCluster(async ({ databaseUrl, folder }) => {
    await loadFeed(databaseUrl, source);
    const env = { ...AMPLE, DATABASE_URL: databaseUrl, DATA_DIR: folder };
    const { url, child } = await startProcess(['scripts/serve.ts'], env);
    try {
      return await work(url);
    } finally {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
    }
  });
}

/** Loads a feed into an empty database. */
export async function loadFeed(databaseUrl: string, source: FeedSource): Promise<void> {
  const sql = openDatabase(databaseUrl, { max: 2 });
  try {
    await migrate(sql);
    const analyser = openAnalyser();
    await importFeed(sql, source(), { replace: true, skipInvalid: false, analyser });
  } finally {
    await sql.end();
  }
}
