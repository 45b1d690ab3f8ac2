import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/data/connection/client.ts';
import { migrate } from '../../src/data/migrate.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { feedFileLines } from '../../src/feed/read.ts';
import { startProcess } from '../bench/measure.ts';
import { catalogFile, type EvalSet } from './queries.ts';

/** Quotas that no evaluation reaches. */
const AMPLE = {
  CATALOG_RECORDS_PER_MINUTE: '1000000',
  MCP_REQUESTS_PER_MINUTE: '1000000',
  LOG_LEVEL: 'error',
};

/** Loads the catalog of an evaluation into an empty database. */
export async function loadEvalCatalog(databaseUrl: string, set: EvalSet): Promise<void> {
  const sql = openDatabase(databaseUrl, { max: 2 });
  try {
    await migrate(sql);
    await importFeed(sql, feedFileLines(catalogFile(set)), {
      replace: true,
      skipInvalid: false,
      analyser: openAnalyser(),
    });
  } finally {
    await sql.end();
  }
}

/** Runs work against a real service over the catalog of an evaluation, on a database of its own. */
export async function withEvalService<T>(
  set: EvalSet,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-search-'));
  // The database's own user has to reach it: else the cluster would lie, and stay, elsewhere.
  chmodSync(folder, 0o755);
  const cluster = await startEmbedded({ folder });
  try {
    await loadEvalCatalog(cluster.url, set);
    const env = { ...AMPLE, DATABASE_URL: cluster.url, DATA_DIR: folder };
    const { url, child } = await startProcess(['scripts/serve.ts'], env);
    try {
      return await work(url);
    } finally {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
