import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabase } from '../../src/data/connection/client.ts';
import { prepareBinaries } from '../../src/embedded/binaries.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { loadSampleIfEmpty, migrateAndIndex } from '../../src/server/database.ts';
import { freePort } from './port.ts';

/** A Postgres of its own for tests that stop, freeze or starve it. */
export type OwnCluster = {
  port: number;
  /** Where its files lie. */
  files: string;
  /** The URL through another port, such as that of a proxy. */
  urlAt(port: number): string;
  url: string;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
};

const FAST = ['fsync=off', 'full_page_writes=off', 'shared_buffers=32MB'];

/** Starts a cluster with the migrated sample catalog, on a port that it keeps. */
export async function startOwnCluster(settings: string[] = []): Promise<OwnCluster> {
  const cluster = await openCluster(newFolder(), [...FAST, ...settings]);
  const sql = openDatabase(cluster.url, { max: 2 });
  await migrateAndIndex(sql);
  await loadSampleIfEmpty(sql, 'http://localhost:4321', () => {});
  await sql.end({ timeout: 1 });
  return cluster;
}

/** Starts a streaming replica of a cluster: a copy of its files, taken as a backup over SQL. */
export async function startReplica(primary: OwnCluster): Promise<OwnCluster> {
  const folder = newFolder();
  const slot = `replica_${randomUUID().slice(0, 8)}`;
  mkdirSync(folder, { recursive: true });
  const { cluster } = prepareBinaries(folder);
  const sql = openDatabase(primary.url, { max: 1 });
  await sql`select pg_create_physical_replication_slot(${slot}, true)`;
  await sql`select pg_backup_start('replica', true)`;
  const { status, stderr } = spawnSync('cp', ['-a', `${primary.files}/.`, cluster]);
  if (status !== 0) throw new Error(`the copy failed: ${stderr}`);
  const [backup] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
  await sql.end();
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(cluster, name));
  for (const [name, text] of [
    ['standby.signal', ''],
    ['backup_label', backup?.labelfile ?? ''],
  ] as const) {
    writeFileSync(join(cluster, name), text);
    const { uid, gid } = statSync(cluster);
    chownSync(join(cluster, name), uid, gid);
  }
  writeFileSync(join(folder, 'cluster-initialised'), '');
  return openCluster(folder, [
    ...FAST,
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres`,
    `primary_slot_name=${slot}`,
    'wal_retrieve_retry_interval=200ms',
  ]);
}

function newFolder(): string {
  return resolve('.cache/tests', `${process.pid}-cluster-${randomUUID()}`);
}

async function openCluster(folder: string, settings: string[]): Promise<OwnCluster> {
  const port = await freePort();
  const all = [...settings, `port=${port}`];
  let running = await startEmbedded({ folder, settings: all });
  const urlAt = (other: number) => `postgres://postgres@127.0.0.1:${other}/postgres`;
  const moved = join(folder, 'cluster-path');
  const files = existsSync(moved) ? readFileSync(moved, 'utf8').trim() : join(folder, 'cluster');
  const pids = () => {
    const [pid] = readFileSync(join(files, 'postmaster.pid'), 'utf8').split('\n');
    const postmaster = Number(pid);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    return [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)];
  };
  return {
    port,
    files,
    urlAt,
    url: urlAt(port),
    signal(name) {
      for (const pid of pids()) {
        try {
          process.kill(pid, name);
        } catch (error) {
          // A backend that has ended meanwhile needs no signal.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
        }
      }
    },
    stop: () => running.stop(),
    async start() {
      running = await startEmbedded({ folder, settings: all });
    },
    async remove() {
      await running.stop();
      for (const path of [files, folder]) rmSync(path, { recursive: true, force: true });
    },
  };
}
