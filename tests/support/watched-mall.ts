import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/data/connection/client.ts';
import type { Target } from './alerts.ts';
import { type OwnCluster, startOwnCluster, startReplica } from './cluster.ts';
import { freePort } from './port.ts';
import { type RedisServer, startRedis } from './redis.ts';
import { type Spawned, spawnUntil } from './spawn.ts';
import { startTlsServer } from './tls-server.ts';

/** A process that can be stopped and started again on its ports. */
export type Process = {
  start(more?: Record<string, string>): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<unknown>;
};

/** A running mall whose parts can be made to fail one by one, and what Prometheus scrapes of it. */
export type WatchedMall = {
  targets: Target[];
  env: Record<string, string>;
  /** Where DATA_DIR lies: a file system of its own, of 200 MB. */
  disk: string;
  primary: OwnCluster;
  replica: OwnCluster;
  redis: { stop(): Promise<void>; start(): Promise<void> };
  server: Process;
  jobs: Process;
  /** Gives the public address a certificate for so many days. */
  startEdge(days: number): Promise<void>;
  /** Asks for statistics, as a client. */
  ask(): Promise<unknown>;
  /** Changes a product that has a page. */
  touch(): Promise<void>;
  close(): Promise<void>;
};

/** Executes a statement on a cluster. */
export async function execute(cluster: OwnCluster, statement: string): Promise<void> {
  const sql = openDatabase(cluster.url, { max: 1 });
  await sql.unsafe(statement);
  await sql.end();
}

/** Starts one: a server and jobs, a primary and its replica, Redis, an edge that has no more than a certificate. */
export async function startWatchedMall(): Promise<WatchedMall> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-watched-'));
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', disk]);
  const primary = await startOwnCluster();
  const replica = await startReplica(primary);
  let redis: RedisServer = await startRedis();
  const [port, edgePort] = [await freePort(), await freePort()];
  const env: Record<string, string> = {
    DATA_DIR: join(disk, 'data'),
    PUBLISH_CHECK_SECONDS: '1',
    CLIENT_QUOTAS: '{"127.0.0.0/8": 1000000}',
    PORT: String(port),
    BASE_URL: `https://127.0.0.1:${edgePort}`,
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: replica.url,
    RATE_LIMIT_STORE: redis.url,
  };
  mkdirSync(join(disk, 'data'));
  const targets: Target[] = [
    { job: 'vitrine', port: await freePort() },
    { job: 'vitrine-jobs', port: await freePort() },
  ];
  const processOf = (script: string, word: string, opsPort = 0): Process => {
    let running: Spawned | undefined;
    return {
      async start(more = {}) {
        const own = { ...process.env, ...env, OPS_PORT: String(opsPort), ...more };
        running = await spawnUntil([`scripts/${script}.ts`], own, word);
      },
      stop: async (signal) => running?.stop(signal),
    };
  };
  const server = processOf('serve', 'is ready', targets[0]?.port);
  const jobs = processOf('jobs', 'are running', targets[1]?.port);
  let edge: Server | undefined;
  const endEdge = () => {
    edge?.close();
    edge?.closeAllConnections();
  };
  const mall: WatchedMall = {
    ...{ targets, env, disk, primary, replica, server, jobs },
    redis: {
      stop: () => redis.stop(),
      async start() {
        redis = await startRedis(redis.port);
      },
    },
    async startEdge(days) {
      endEdge();
      edge = await startTlsServer(edgePort, days);
    },
    ask: () => fetch(`http://127.0.0.1:${port}/api/public/v1/products/10001/stats`),
    touch: () =>
      execute(primary, 'update product set description = md5(random()::text) where id = 10001'),
    async close() {
      for (const one of [server, jobs]) await one.stop('SIGKILL');
      await redis.stop();
      endEdge();
      await replica.remove();
      await primary.remove();
      spawnSync('umount', ['-l', disk]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await mall.startEdge(90);
  await jobs.start();
  await server.start();
  return mall;
}
