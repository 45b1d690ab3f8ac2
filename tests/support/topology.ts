import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type OwnCluster, startOwnCluster, startReplica } from './cluster.ts';
import { type Nginx, startNginx } from './nginx.ts';
import { freePort } from './port.ts';
import { type RedisServer, startRedis } from './redis.ts';
import { launchService, type Service } from './service.ts';
import { spawnUntil } from './spawn.ts';

/** A part of the topology that can be stopped, at once and without leave, and started again. */
export type Part = { stop(): Promise<void>; start(): Promise<void> };

/** A server process: where it answers, and its operator's port. */
export type ServerPart = Part & {
  url: string;
  /** Stops it as an operator does: it drains. */
  drain(): Promise<number | null>;
  metric(name: string): Promise<number | null>;
};

/** Several machines' worth of parts on one: what scripts/deploy/README.md describes. */
export type Topology = {
  edge: Nginx;
  servers: [ServerPart, ServerPart];
  jobs: [Part, Part];
  sync: Part;
  redis: Part;
  primary: OwnCluster;
  replica: OwnCluster;
  /** Environment of a command on the first machine. */
  env: Record<string, string>;
  close(): Promise<void>;
};

/** Requests of this machine come from a client with a quota that no test reaches. */
const CLIENT_QUOTAS = '{"127.0.0.0/8": 1000000}';

/**
 * Starts the whole topology on loopback: nginx with its cache in front of two servers, two job runners,
 * Redis, a primary and its streaming replica. The first server and the jobs share a folder of releases;
 * the second server has one of its own, to which `catalog:sync --follow` brings what is published.
 */
export async function startTopology(): Promise<Topology> {
  const folder = resolve('.cache/tests', `${process.pid}-topology-${randomUUID()}`);
  const primary = await startOwnCluster();
  const replica = await startReplica(primary);
  let redis: RedisServer = await startRedis();
  const redisPort = redis.port;
  const edgePort = await freePort();
  const env = {
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: replica.url,
    RATE_LIMIT_STORE: redis.url,
    BASE_URL: `http://localhost:${edgePort}`,
    DATA_DIR: join(folder, 'first'),
    TRUSTED_PROXIES: '127.0.0.1',
    CLIENT_QUOTAS,
    PUBLISH_CHECK_SECONDS: '1',
    LOG_LEVEL: 'warn',
  };
  const second = { ...env, DATA_DIR: join(folder, 'second') };
  const jobs: [Part, Part] = [
    await startScript('jobs', [], env, 'Vitrine jobs are running'),
    await startScript('jobs', [], env, 'Vitrine jobs are running'),
  ];
  const target = join(second.DATA_DIR, 'releases');
  const sync = await startScript('catalog-sync', ['--follow', target], env, 'is at');
  const servers: [ServerPart, ServerPart] = [await startServer(env), await startServer(second)];
  const edge = await startNginx(
    join(env.DATA_DIR, 'releases'),
    servers.map(({ url }) => url),
    edgePort,
  );
  return {
    edge,
    servers,
    jobs,
    sync,
    redis: {
      stop: () => redis.stop(),
      async start() {
        redis = await startRedis(redisPort);
      },
    },
    primary,
    replica,
    env,
    async close() {
      await edge.stop();
      await Promise.all([...servers, ...jobs, sync].map((part) => part.stop()));
      await redis.stop();
      await replica.remove();
      await primary.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(env: Record<string, string>): Promise<ServerPart> {
  const own = { ...env, PORT: String(await freePort()), OPS_PORT: String(await freePort()) };
  let service: Service = await launchService({ env: own });
  return {
    url: service.url,
    drain: () => service.stop(),
    stop: () => kill(service),
    async start() {
      service = await launchService({ env: own });
    },
    async metric(name) {
      const answer = await fetch(`http://127.0.0.1:${own.OPS_PORT}/metrics`);
      const line = (await answer.text()).split('\n').find((one) => one.startsWith(name));
      return line === undefined ? null : Number(line.slice(line.lastIndexOf(' ') + 1));
    },
  };
}

/** Starts a script that goes on running, and waits for a word of it. */
async function startScript(
  name: string,
  args: string[],
  env: Record<string, string>,
  word: string,
): Promise<Part> {
  const start = () => spawnUntil([`scripts/${name}.ts`, ...args], { ...process.env, ...env }, word);
  let running = await start();
  return {
    stop: async () => void (await running.stop('SIGKILL')),
    async start() {
      running = await start();
    },
  };
}

async function kill({ process: child }: Service): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill('SIGKILL');
  await ended;
}
