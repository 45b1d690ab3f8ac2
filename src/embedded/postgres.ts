import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { isAlive, readPid, withProcessLock } from './process-lock.ts';

/** A running embedded Postgres. */
export type EmbeddedDatabase = {
  url: string;
  /** Stops the server if this call (or a process that died) started it; otherwise leaves it running. */
  stop(): Promise<void>;
};

type Options = {
  /** The folder of the cluster. */
  folder: string;
  /** Extra server settings, such as `fsync=off` in tests. */
  settings?: string[];
  /** Fail if a living process owns the cluster, since it will stop it. */
  alone?: boolean;
};

/** How often a starting server's log is read. */
const LOOK_AGAIN_MS = 20;

/** Returns the URL of the cluster running in a folder; null if none is. */
export function runningEmbeddedUrl(folder: string): string | null {
  const server = readServer(resolveCluster(folder));
  return server === null ? null : urlOf(server.port);
}

/** Starts the cluster of a folder, creating it on first use, or joins the server already running there. */
export async function startEmbedded(options: Options): Promise<EmbeddedDatabase> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  // Two concurrent starts would both create a cluster.
  return withProcessLock(join(folder, 'start.lock'), () => startOrJoin(options));
}

async function startOrJoin(options: Options): Promise<EmbeddedDatabase> {
  const { folder, settings = [], alone = false } = options;
  const binaries = prepareBinaries(folder);
  const running = readServer(binaries.cluster);
  if (running !== null) {
    const owner = readPid(join(folder, OWNER));
    const owned = isAlive(owner);
    if (owned && alone) {
      throw new Error(
        `process ${owner} runs the embedded Postgres in ${folder}, and will stop it when it ends: stop ` +
          'that process first, or set DATA_DIR to a folder of its own',
      );
    }
    if (!owned) writeOwner(folder);
    return {
      url: urlOf(running.port),
      stop: async () => {
        if (!owned) await stopPid(running.pid);
      },
    };
  }
  // initdb writes PG_VERSION early; only our own marker file proves that it finished.
  const initialised = join(folder, 'cluster-initialised');
  if (!existsSync(initialised)) {
    await initialise(binaries);
    writeFileSync(initialised, '');
  }
  rmSync(join(binaries.cluster, 'postmaster.pid'), { force: true });
  const port = await freePort();
  const server = await launch(binaries, join(folder, 'postgres.log'), [
    `port=${port}`,
    ...settings,
  ]);
  writeOwner(folder);
  return { url: urlOf(port), stop: () => stopChild(server) };
}

async function initialise(binaries: Binaries): Promise<void> {
  const { initdb, cluster, spawnOptions } = binaries;
  for (const entry of readdirSync(cluster)) rmSync(join(cluster, entry), { recursive: true });
  const child = spawn(
    initdb,
    [
      ...['-D', cluster, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    ],
    { ...spawnOptions, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const code = await new Promise<number | null>((done, fail) => {
    child.once('exit', done);
    child.once('error', fail);
  });
  if (code !== 0)
    throw new Error(`initdb failed to create a cluster in ${cluster}:\n${log.trim()}`);
}

/**
 * Starts a server with a log of its own, from this start on. A file rather than a pipe: a full pipe would block the
 * server as soon as this process is too busy to read it.
 */
async function launch(
  binaries: Binaries,
  logFile: string,
  settings: string[],
): Promise<ChildProcess> {
  const all = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'max_connections=100',
    'shared_buffers=128MB',
    // Not the errors of statements, which are told to who sends them.
    'log_min_messages=log',
    ...settings,
  ];
  const log = openSync(logFile, 'w');
  const child = spawn(
    binaries.postgres,
    ['-D', binaries.cluster, ...all.flatMap((setting) => ['-c', setting])],
    // A process group of its own: Ctrl-C stops the service, which then stops the database.
    { ...binaries.spawnOptions, detached: true, stdio: ['ignore', 'ignore', log] },
  );
  closeSync(log);
  const readLog = () => readFileSync(logFile, 'utf8');
  await new Promise<void>((ready, fail) => {
    const look = setInterval(() => {
      if (/ready to accept (read-only )?connections/.test(readLog())) settle(ready);
    }, LOOK_AGAIN_MS);
    const settle = (done: () => void) => {
      clearInterval(look);
      done();
    };
    child.once('error', (error) => settle(() => fail(error)));
    child.once('exit', (code) =>
      settle(() => fail(new Error(`Postgres exited (${code}):\n${readLog().trim()}`))),
    );
  });
  child.unref();
  return child;
}

type Server = { pid: number; port: number };

function readServer(cluster: string): Server | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const server = { pid: Number(lines[0]), port: Number(lines[3]) };
    return server.port > 0 && isAlive(server.pid) && isPostgres(server.pid) ? server : null;
  } catch {
    return null;
  }
}

/** Guards against a pid reused after a crash; without /proc, trusts it. */
function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  } catch {
    return !existsSync('/proc/self');
  }
}

/** Follows the pointer left when the cluster was moved to a folder that the server's user can reach. */
function resolveCluster(folder: string): string {
  try {
    return readFileSync(join(folder, 'cluster-path'), 'utf8').trim();
  } catch {
    return join(folder, 'cluster');
  }
}

/** Holds the pid of the process that will stop the server. */
const OWNER = 'owner.pid';

function writeOwner(folder: string): void {
  writeFileSync(join(folder, OWNER), String(process.pid));
}

function urlOf(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.removeAllListeners('exit');
  const ended = new Promise((done) => child.once('exit', done));
  child.ref();
  child.kill('SIGINT');
  await ended;
}

async function stopPid(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT');
  while (isAlive(pid)) await new Promise((done) => setTimeout(done, 20));
}

/** Ports that the system gives to nobody by itself, unlike those from 32768 on. */
const PORTS = { from: 10_000, count: 20_000 };

/** Finds a port of loopback that no server has, and that no connection takes before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    const probe = createServer();
    const isFree = await new Promise<boolean>((done, fail) => {
      probe.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? done(false) : fail(error),
      );
      probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
