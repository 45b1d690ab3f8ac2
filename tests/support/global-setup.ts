import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/data/client.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { loadSampleIfEmpty, migrateAndIndex } from '../../src/server/database.ts';
import { AMPLE_QUOTAS, cloneDatabase, launchService } from './service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The test cluster; its database `sample` is the template of all others. */
    clusterUrl: string;
    /** A service with the published sample catalog and quotas that no test reaches. */
    sharedUrl: string;
    sharedDatabaseUrl: string;
    sharedDataDir: string;
  }
}

const CACHE = resolve('.cache/tests');

/** Starts one cluster and one shared service for all tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = `${CACHE}/shared-${process.pid}`;
  const cluster = await startEmbedded({
    folder: `${CACHE}/postgres-${process.pid}`,
    settings: [
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      'max_connections=300',
    ],
  });
  await makeTemplate(cluster.url, 'empty', async () => {});
  await makeTemplate(cluster.url, 'sample', async (url) => {
    const sql = openDatabase(url, { max: 2 });
    await loadSampleIfEmpty(sql, () => {});
    await sql.end();
  });
  const databaseUrl = await cloneDatabase(cluster.url, 'sample');
  const service = await launchService({
    env: {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ...AMPLE_QUOTAS,
    },
    publish: true,
  });
  project.provide('clusterUrl', cluster.url);
  project.provide('sharedUrl', service.url);
  project.provide('sharedDatabaseUrl', databaseUrl);
  project.provide('sharedDataDir', dataDir);
  return async () => {
    await service.stop();
    await cluster.stop();
    rmSync(CACHE, { recursive: true, force: true });
  };
}

async function makeTemplate(
  clusterUrl: string,
  name: string,
  fill: (url: string) => Promise<void>,
) {
  const admin = openDatabase(clusterUrl, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  const sql = openDatabase(url.href, { max: 2 });
  await migrateAndIndex(sql);
  await sql.end();
  await fill(url.href);
}
