import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/data/connection/client.ts';
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

/** Everything of this run: another one in the same clone has a folder of its own. */
const FOLDER = resolve('.cache/tests', String(process.pid));
/** Short: names of sockets below it have to fit into 108 bytes. */
const TEMPORARY = join(tmpdir(), `vitrine-tests-${process.pid}`);

type Provided = Pick<
  ProvidedContext,
  'clusterUrl' | 'sharedUrl' | 'sharedDatabaseUrl' | 'sharedDataDir'
>;
type Shared = Provided & { stop(): Promise<void> };

/** What the projects of a run share. Vitest loads this module for each of them: the process holds it. */
const run = globalThis as { vitrineTests?: { shared: Promise<Shared>; users: number } };

/** Starts one cluster and one shared service for all tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.vitrineTests ??= { shared: start(), users: 0 };
  const ours = run.vitrineTests;
  ours.users += 1;
  const { stop, ...provided } = await ours.shared;
  for (const [key, value] of Object.entries(provided)) {
    project.provide(key as keyof Provided, value);
  }
  return async () => {
    ours.users -= 1;
    if (ours.users > 0) return;
    delete run.vitrineTests;
    await stop();
  };
}

async function start(): Promise<Shared> {
  removeLeftovers();
  mkdirSync(TEMPORARY, { recursive: true, mode: 0o777 });
  // Its processes, and theirs, put here what tests never clear away.
  process.env.TMPDIR = TEMPORARY;
  const dataDir = join(FOLDER, 'shared');
  const cluster = await startEmbedded({
    folder: join(FOLDER, 'postgres'),
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
    await loadSampleIfEmpty(sql, 'http://localhost:4321', () => {});
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
  return {
    clusterUrl: cluster.url,
    sharedUrl: service.url,
    sharedDatabaseUrl: databaseUrl,
    sharedDataDir: dataDir,
    stop: async () => {
      await service.stop();
      await cluster.stop();
      for (const folder of [FOLDER, TEMPORARY]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes what runs that were killed left behind; folders begin with the number of their process. */
function removeLeftovers(): void {
  const all = dirname(FOLDER);
  mkdirSync(all, { recursive: true });
  for (const name of readdirSync(all)) {
    if (!isRunning(Number.parseInt(name, 10)))
      rmSync(join(all, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
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
