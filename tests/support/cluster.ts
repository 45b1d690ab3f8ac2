import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { openDatabase } from '../../src/data/client.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { loadSampleIfEmpty, migrateAndIndex } from '../../src/server/database.ts';
import { freePort } from './port.ts';

/** A Postgres of its own for tests that stop, freeze or starve it. */
export type OwnCluster = {
  port: number;
  /** The URL through another port, such as that of a proxy. */
  urlAt(port: number): string;
  url: string;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
};

/** Starts a cluster with the migrated sample catalog, on a port that it keeps. */
export async function startOwnCluster(settings: string[] = []): Promise<OwnCluster> {
  const folder = join(dirname(inject('sharedDataDir')), `faults-${randomUUID()}`);
  const port = await freePort();
  const all = [
    'fsync=off',
    'full_page_writes=off',
    'shared_buffers=32MB',
    `port=${port}`,
    ...settings,
  ];
  let running = await startEmbedded({ folder, settings: all });
  const urlAt = (other: number) => `postgres://postgres@127.0.0.1:${other}/postgres`;
  const sql = openDatabase(urlAt(port), { max: 2 });
  await migrateAndIndex(sql);
  await loadSampleIfEmpty(sql, () => {});
  await sql.end({ timeout: 1 });
  const moved = join(folder, 'cluster-path');
  const cluster = existsSync(moved) ? readFileSync(moved, 'utf8').trim() : join(folder, 'cluster');
  const pids = () => {
    const [pid] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const postmaster = Number(pid);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    return [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)];
  };
  return {
    port,
    urlAt,
    url: urlAt(port),
    signal(name) {
      for (const pid of pids()) process.kill(pid, name);
    },
    stop: () => running.stop(),
    async start() {
      running = await startEmbedded({ folder, settings: all });
    },
    async remove() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
