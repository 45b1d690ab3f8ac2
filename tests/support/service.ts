import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { freePort } from './port.ts';

export type Service = {
  url: string;
  databaseUrl: string;
  /** Everything the process wrote to stderr so far: its log. */
  log(): string;
  process: ChildProcess;
  stop(): Promise<number | null>;
};

/** Quotas that no test reaches. */
export const AMPLE_QUOTAS = {
  PRODUCT_STATS_REQUESTS_PER_HOUR: '1000000',
  MERCHANT_STATS_REQUESTS_PER_HOUR: '1000000',
  CATALOG_RECORDS_PER_MINUTE: '1000000',
  MCP_REQUESTS_PER_MINUTE: '1000000',
  SEARCH_PAGES_PER_MINUTE: '1000000',
};

/** The origins of the services that this test file uses: their answers are held to the API description. */
export const serviceOrigins = new Set<string>();

type LaunchOptions = { env: Record<string, string>; publish?: boolean };

/** The service that all tests share: the published sample catalog and quotas that no test reaches. */
export function sharedService(): { url: string; databaseUrl: string } {
  const url = inject('sharedUrl');
  serviceOrigins.add(url);
  return { url, databaseUrl: inject('sharedDatabaseUrl') };
}

/**
 * Starts a service of its own for a test: a fresh copy of the sample database (or `empty`), the shared
 * release unless `publish`, and the given environment.
 */
export async function startService(
  env: Record<string, string> = {},
  options: { template?: 'sample' | 'empty'; publish?: boolean } = {},
): Promise<Service> {
  const databaseUrl = env.DATABASE_URL ?? (await newDatabase(options.template));
  const dataDir = options.publish
    ? `${inject('sharedDataDir')}-${randomUUID()}`
    : inject('sharedDataDir');
  return launchService({
    env: { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env },
    publish: options.publish ?? false,
  });
}

/** A new database, a copy of a template of the test cluster. */
export function newDatabase(template: 'sample' | 'empty' = 'sample'): Promise<string> {
  return cloneDatabase(inject('clusterUrl'), template);
}

/** Copies a template database of a cluster; returns the URL of the copy. */
export async function cloneDatabase(clusterUrl: string, template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = openDatabase(clusterUrl, { max: 1 });
  await admin.unsafe(`create database ${name} template ${template}`);
  await admin.end();
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Starts the real server process and waits for its ready line. */
export async function launchService({ env, publish = false }: LaunchOptions): Promise<Service> {
  const port = await freePort();
  const fullEnv: Record<string, string | undefined> = {
    ...process.env,
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'info',
    ...env,
  };
  if (publish) {
    const { code, stderr } = await runCommand('catalog-publish', [], fullEnv);
    if (code !== 0) throw new Error(`publishing for the service failed: ${stderr}`);
  }
  const child = spawn(process.execPath, ['scripts/serve.ts'], {
    env: fullEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let output = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const url = await new Promise<string>((ready, fail) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const match = /^Vitrine is ready at (\S+)$/m.exec(output);
      if (match?.[1]) ready(match[1]);
    });
    child.once('exit', (code) => fail(new Error(`the service ended with ${code}: ${log}`)));
  });
  serviceOrigins.add(url);
  return {
    url,
    databaseUrl: fullEnv.DATABASE_URL ?? '',
    log: () => log,
    process: child,
    stop: () => stopProcess(child),
  };
}

/** Runs a command of `scripts/` to its end. */
export async function runCommand(
  name: string,
  args: string[],
  env: Record<string, string | undefined>,
  input?: Buffer,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args], {
    // vitest sets a BASE_URL of its own.
    env: { ...process.env, BASE_URL: '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A command that ends before it has read all closes its end.
  child.stdin.on('error', () => {}).end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, stdout, stderr };
}

function stopProcess(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  child.kill('SIGTERM');
  return ended;
}
