import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { listIds } from '../data/catalog/catalog.ts';
import { markSampleCatalog } from '../data/catalog/export.ts';
import { isCatalogEmpty } from '../data/catalog/import.ts';
import { openDatabase, type Sql } from '../data/connection/client.ts';
import { reachDatabase } from '../data/connection/reach.ts';
import { indexedLexicon, lockCatalog, rebuildSearchIndex } from '../data/index/rebuild.ts';
import { migrate } from '../data/migrate.ts';
import { recordViews, setReactions } from '../data/statistics/activity.ts';
import { sealDueHours } from '../data/statistics/hours.ts';
import { takeSnapshot } from '../data/statistics/snapshots.ts';
import { latestSnapshotInstant } from '../domain/stats.ts';
import { runningEmbeddedUrl, startEmbedded } from '../embedded/postgres.ts';
import { openAnalyser } from '../feed/analyser.ts';
import { importFeed } from '../feed/import.ts';
import { sampleActivity } from '../sample/activity.ts';
import { sampleFeedLines } from '../sample/load.ts';
import { lexiconVersion } from '../understand/lexicon/lexicon.ts';
import { checkDataDir } from './prerequisites.ts';

/** Marks an installed system, on which no embedded database may be started by mistake. */
const INSTALLED = process.env.VITRINE_ENV_FILE || '/etc/vitrine/vitrine.env';

/** A database in use; `stop` ends the embedded one if this process started it. */
export type DatabaseAccess = { url: string; embedded: boolean; stop(): Promise<void> };

/**
 * Returns the configured database; without DATABASE_URL the embedded one, started if needed. With `alone`, throws if
 * another process has started it.
 */
export async function openConfiguredDatabase(
  config: Config,
  { alone = false } = {},
): Promise<DatabaseAccess> {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl, embedded: false, stop: async () => {} };
  }
  if (existsSync(INSTALLED)) {
    throw new Error(
      `DATABASE_URL is not set, and ${INSTALLED} says that this is an installed system: ` +
        'run the command through scripts/deploy/vitrine, which sets the environment and the user of the services',
    );
  }
  checkDataDir(config.dataDir);
  const { url, stop } = await startEmbedded({ folder: embeddedFolder(config), alone });
  return { url, embedded: true, stop };
}

/** Returns the URL of the database in use; null if the embedded one is not running. */
export function databaseUrlInUse(config: Config): string | null {
  return config.databaseUrl ?? runningEmbeddedUrl(embeddedFolder(config));
}

function embeddedFolder(config: Config): string {
  return join(config.dataDir, 'postgres');
}

/** Runs one command's work on the configured database, migrated first. */
export async function withDatabase<T>(config: Config, work: (sql: Sql) => Promise<T>): Promise<T> {
  const database = await openConfiguredDatabase(config);
  await reachDatabase(database.url);
  const sql = openDatabase(database.url, { max: 4 });
  try {
    await migrateAndIndex(sql);
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
    await database.stop();
  }
}

/** Migrates the schema and rebuilds an outdated search index; returns the migrations applied. */
export async function migrateAndIndex(
  sql: Sql,
  onProgress?: (done: number, total: number) => void,
): Promise<string[]> {
  const applied = await migrate(sql);
  const version = lexiconVersion();
  if ((await indexedLexicon(sql)) !== version) {
    await sql.begin(async (tx) => {
      await lockCatalog(tx);
      // Another process may have rebuilt it meanwhile.
      if ((await indexedLexicon(tx)) === version) return;
      await rebuildSearchIndex(tx, openAnalyser(), onProgress);
    });
  }
  return applied;
}

const VIEWS_PER_BATCH = 5000;

/** Loads the sample catalog with activity and a first snapshot if the catalog is empty; false if it is not. */
export async function loadSampleIfEmpty(
  sql: Sql,
  baseUrl: string,
  onStep: (step: string) => void,
): Promise<boolean> {
  if (!(await isCatalogEmpty(sql))) return false;
  const now = new Date();
  onStep('Loading the sample catalog');
  await importFeed(sql, sampleFeedLines(now, baseUrl), {
    replace: false,
    skipInvalid: false,
    analyser: openAnalyser(),
  });
  await markSampleCatalog(sql);
  onStep('Loading 48 hours of sample activity');
  const catalog = {
    productIds: await listIds(sql, 'product'),
    offerIds: await listIds(sql, 'offer'),
  };
  const { views, reactions } = sampleActivity(catalog, now);
  for (let start = 0; start < views.length; start += VIEWS_PER_BATCH) {
    await recordViews(sql, views.slice(start, start + VIEWS_PER_BATCH));
  }
  await setReactions(sql, reactions);
  await sealDueHours(sql);
  await takeSnapshot(sql, latestSnapshotInstant(now));
  return true;
}
