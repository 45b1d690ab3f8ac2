import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { getJson } from '../support/http.ts';
import { freePort } from '../support/port.ts';
import { runCommand } from '../support/service.ts';

type Started = {
  url: string;
  child: ChildProcess;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Runs what `npm start` runs, in a data directory of its own. */
async function start(env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    env: { ...process.env, BASE_URL: '', DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((ready, fail) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const match = /^Vitrine is ready at (\S+)$/m.exec(output);
      if (match?.[1]) ready(match[1]);
    });
    child.once('exit', (code) => fail(new Error(`npm start ended with ${code}`)));
  });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const ended = new Promise<number | null>((done) => child.once('exit', done));
    child.kill(signal);
    return ended;
  };
  return { url, child, stop };
}

describe('npm start', () => {
  it('sets everything up, serves, refuses a second start beside it, drains at SIGTERM or SIGHUP with exit 0, and keeps its data for the next start', async () => {
    const env = {
      DATA_DIR: mkdtempSync(join(tmpdir(), 'vitrine-start-')),
      PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
      LOG_LEVEL: 'error',
    };
    const first = await start(env);
    expect(first.url).toBe(`http://127.0.0.1:${env.PORT}`);
    const { body } = await getJson(`${first.url}/gpt.json`);
    expect((body.counts as { products: number }).products).toBeGreaterThan(0);
    expect((await getJson(`http://127.0.0.1:${env.OPS_PORT}/livez`)).status).toBe(200);
    expect((await getJson(`http://127.0.0.1:${env.OPS_PORT}/readyz`)).body).toEqual({
      database: true,
      schema: true,
      published: true,
      accepting: true,
    });
    expect((await fetch(`${first.url}/livez`)).status).toBe(404);

    // A second start would lose its database when the first one ends.
    const beside = { ...env, DATABASE_URL: '', PORT: String(await freePort()), OPS_PORT: '' };
    const refused = await runCommand('start', [], beside);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      new RegExp(`^vitrine: process ${first.child.pid} runs the embedded Postgres in .*DATA_DIR`),
    );

    const printed = await runCommand('db-url', [], { ...env, DATABASE_URL: '' });
    const sql = openDatabase(printed.stdout.trim(), { max: 1 });
    await sql`select record_views('[{"kind":"product","id":31337,"source":"user"}]')`;
    await sql.end();
    expect(await first.stop()).toBe(0);
    const stopped = await runCommand('db-url', [], { ...env, DATABASE_URL: '' });
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/not running: start it with npm start/);

    const second = await start(env);
    const stats = await getJson(`${second.url}/api/public/v1/products/31337/stats`);
    expect(stats.body.viewsCount).toBe(1);
    // As a terminal that is closed sends it.
    expect(await second.stop('SIGHUP')).toBe(0);
    expect((await runCommand('db-url', [], { ...env, DATABASE_URL: '' })).code).toBe(1);
  });

  it('takes over the database of a start that was killed', async () => {
    const env = {
      DATA_DIR: mkdtempSync(join(tmpdir(), 'vitrine-killed-')),
      PORT: String(await freePort()),
      LOG_LEVEL: 'error',
    };
    const first = await start(env);
    const ended = new Promise((done) => first.child.once('exit', done));
    first.child.kill('SIGKILL');
    await ended;
    const second = await start(env);
    expect((await getJson(`${second.url}/api/public/v1/products/1/stats`)).status).toBe(200);
    expect(await second.stop()).toBe(0);
    expect((await runCommand('db-url', [], { ...env, DATABASE_URL: '' })).code).toBe(1);
  });

  it('lists every fault of the environment at once', async () => {
    const { code, stderr } = await runCommand('start', [], { PORT: 'x', LOG_LEVEL: 'loud' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/PORT="x": /);
    expect(stderr).toMatch(/LOG_LEVEL="loud": /);
  });
});

describe('every command', () => {
  it.each([
    'start',
    'serve',
    'jobs',
    'db-migrate',
    'db-url',
    'catalog-import',
    'catalog-publish',
    'stats-import',
    'stats-snapshot',
    'bench',
    'check',
    'test',
  ])('%s has --help', async (name) => {
    const { code, stdout } = await runCommand(name, ['--help'], {});
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: npm /);
  });

  it('refuses an unknown option in one clear line', async () => {
    const { code, stderr } = await runCommand('db-url', ['--nonsense'], {});
    expect(code).toBe(1);
    expect(stderr).toMatch(/^vitrine: Unknown option '--nonsense'/);
    const bare = await runCommand('catalog-import', [], {});
    expect(bare.code).not.toBe(0);
    expect(bare.stderr).toMatch(/^vitrine: arguments expected: 1, given: 0\. Usage: .*\n$/);
  });
});
