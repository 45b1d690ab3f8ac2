import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { freePort } from '../support/port.ts';
import { newDatabase, runCommand } from '../support/service.ts';

let folder: string;
let databaseUrl: string;
let nobody: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-messages-'));
  databaseUrl = await newDatabase('sample');
  nobody = `postgres://ana:hunter2@127.0.0.1:${await freePort()}/mall`;
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string | Buffer) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const view = (id: number) => JSON.stringify({ kind: 'product', id, source: 'user' });

/** The one line that a command prints before it exits with 1. */
async function lastWords(name: string, args: string[], env: Record<string, string>) {
  const { code, stderr } = await runCommand(name, args, { DATABASE_URL: databaseUrl, ...env });
  expect(code).toBe(1);
  expect(stderr).not.toContain('hunter2');
  // Its log also goes to stderr, through another writer: either line may come last.
  return stderr.split('\n').findLast((line) => line.startsWith('vitrine:'));
}

describe('a command tells what is wrong in the words of its operator:', () => {
  it.each([
    ['db-migrate', []],
    ['stats-snapshot', []],
    ['start', []],
  ])('%s, that the database does not answer, and which setting names it', async (name, args) => {
    const words = await lastWords(name, args, {
      DATABASE_URL: nobody,
      DATA_DIR: folder,
      PORT: String(await freePort()),
    });
    expect(words).toMatch(
      /^vitrine: the database at 127\.0\.0\.1:\d+ \(DATABASE_URL\) does not answer: connect ECONNREFUSED/,
    );
  });

  it('that Postgres refuses, and why', async () => {
    const url = new URL(inject('clusterUrl'));
    url.username = 'nobody_here';
    const words = await lastWords('db-migrate', [], { DATABASE_URL: url.href });
    expect(words).toMatch(
      /^vitrine: the database at .* \(DATABASE_URL\) refuses: role "nobody_here" does not exist$/,
    );
  });

  it.each(['catalog-import', 'stats-import'])('%s, the file that is not there', async (name) => {
    const path = join(folder, 'nowhere.ndjson');
    expect(await lastWords(name, [path], {})).toBe(`vitrine: there is no file ${path}`);
    expect(await lastWords(name, [folder], {})).toBe(`vitrine: ${folder} is a folder`);
  });

  it('catalog-import, the field that a line lacks', async () => {
    const path = file('feed.ndjson', '\n{"kind":"product","id":1,"name":"Bota"}\n');
    expect(await lastWords('catalog-import', [path], {})).toBe(
      `vitrine: ${path}:2: merchant_id is missing; nothing was imported`,
    );
  });

  it('stats-import, the file and line of the event, blank lines counted', async () => {
    const path = file('views.ndjson', `${view(1)}\n\n\n${view(2)}\n${view(-3)}\n`);
    expect(await lastWords('stats-import', [path], {})).toMatch(
      `vitrine: ${path}:5: product ids are positive;`,
    );
    const packed = file('views.ndjson.gz', gzipSync(`${view(1)}\n{nonsense`));
    expect(await lastWords('stats-import', [packed], {})).toMatch(
      `vitrine: ${packed}:2: is not valid JSON`,
    );
  });

  it('catalog-sync, a target that is none', async () => {
    expect(
      await lastWords('catalog-sync', ['https://web2/releases'], { DATA_DIR: folder }),
    ).toMatch(/^vitrine: https:\/\/web2\/releases is a URL: TARGET is a folder, or host:path/);
  });

  it('catalog-publish and start, a folder that cannot be written', async () => {
    const inFile = join(file('plain', ''), 'data');
    for (const name of ['catalog-publish', 'start']) {
      expect(await lastWords(name, [], { DATA_DIR: inFile })).toMatch(
        /^vitrine: .*plain \(DATA_DIR\) cannot be written by this user \(ENOTDIR\)/,
      );
    }
  });
});

describe('before it publishes or migrates, npm start looks at', () => {
  let taken: Server;
  let port: string;
  beforeAll(async () => {
    taken = createServer();
    port = String(await freePort());
    await new Promise<void>((done) => taken.listen(Number(port), '127.0.0.1', done));
  });
  afterAll(() => taken.close());

  it.each([
    [{ PORT: 'taken' }, /: set PORT to a free one$/],
    [{ OPS_PORT: 'taken' }, /: set OPS_PORT to a free one$/],
    [{ HOST: '203.0.113.7' }, /203\.0\.113\.7 is no address of this machine: set HOST to one/],
    [{ OPS_HOST: '203.0.113.7', OPS_PORT: '0' }, /set OPS_HOST to one that is$/],
  ])('%o', async (env, words) => {
    const empty = await newDatabase('empty');
    const sql = openDatabase(empty, { max: 1 });
    await sql`drop table schema_migration`;
    const given = Object.entries({ PORT: '0', ...env }).map(([name, value]) => [
      name,
      value === 'taken' ? port : value,
    ]);
    const said = await lastWords('start', [], {
      DATABASE_URL: empty,
      DATA_DIR: join(folder, 'data'),
      ...Object.fromEntries(given),
    });
    expect(said).toMatch(words);
    // A migration would have created it first.
    const [row] = await sql`select to_regclass('schema_migration') as migrated`;
    expect(row?.migrated).toBe(null);
    await sql.end();
  });
});

it.each(['serve', 'jobs'])('npm run %s says at start that its password is wrong', async (name) => {
  const url = new URL(databaseUrl);
  url.username = 'nobody_here';
  const child = spawn(process.execPath, [`scripts/${name}.ts`], {
    env: { ...process.env, DATABASE_URL: url.href, DATA_DIR: folder, PORT: '0', BASE_URL: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  await expect
    .poll(() => log, { timeout: 20_000 })
    .toMatch(/\(DATABASE_URL\) refuses: role .*nobody_here.* does not exist/);
  child.kill('SIGKILL');
});
