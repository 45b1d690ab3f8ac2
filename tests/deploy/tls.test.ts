import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { reachDatabase } from '../../src/data/connection/reach.ts';
import { prepareBinaries } from '../../src/embedded/binaries.ts';
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded/postgres.ts';
import { runCommand } from '../support/service.ts';

/** Certificates: a CA of one's own, a server that it vouches for, and one that nobody knows. */
const folder = mkdtempSync(join(tmpdir(), 'vitrine-tls-'));
const path = (name: string) => join(folder, name);
let database: EmbeddedDatabase;
let port: string;

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function makeCa(name: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  openssl('req', '-x509', ...key, ...files, '-days', '2', '-subj', `/CN=${name}`);
}

beforeAll(async () => {
  chmodSync(folder, 0o755);
  makeCa('ca');
  makeCa('other');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost');
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...by, '-days', '2', '-out', 'server.pem');
  mkdirSync(path('postgres'));
  // Postgres wants the key to be its own.
  const { uid = -1, gid = -1 } = prepareBinaries(path('postgres')).spawnOptions;
  if (uid >= 0) chownSync(path('server.key'), uid, gid);
  chmodSync(path('server.key'), 0o600);
  database = await startEmbedded({
    folder: path('postgres'),
    settings: [
      'fsync=off',
      'ssl=on',
      `ssl_cert_file=${path('server.pem')}`,
      `ssl_key_file=${path('server.key')}`,
    ],
  });
  ({ port } = new URL(database.url));
});
afterAll(async () => {
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const url = (host: string, query: string) =>
  `postgres://postgres@${host}:${port}/postgres?${query}`;
const ca = (name: string) => `sslrootcert=${path(`${name}.pem`)}`;

describe('TLS to Postgres, with a CA of one’s own', () => {
  it.each([
    ['localhost', () => `sslmode=verify-full&${ca('ca')}`],
    ['localhost', () => ca('ca')],
    ['127.0.0.1', () => `sslmode=verify-ca&${ca('ca')}`],
    ['127.0.0.1', () => `sslmode=require&${ca('ca')}`],
    ['localhost', () => 'sslmode=require'],
    ['localhost', () => 'sslmode=prefer'],
  ])('%s is reached, and the session is encrypted', async (host, query) => {
    const sql = openDatabase(url(host, query()), { max: 1 });
    const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    await sql.end();
    expect(row?.ssl).toBe(true);
  });

  it.each([
    ['a CA that did not sign it', 'localhost', () => `sslmode=verify-ca&${ca('other')}`],
    ['no CA of one’s own', 'localhost', () => 'sslmode=verify-full'],
    ['another name', '127.0.0.1', () => `sslmode=verify-full&${ca('ca')}`],
  ])('with %s nothing is sent, and the fault names what is trusted', async (_, host, query) => {
    await expect(reachDatabase(url(host, query()))).rejects.toThrow(
      /\(DATABASE_URL\) cannot be used over TLS: .*\(sslmode and sslrootcert say what is trusted\)$/,
    );
  });

  it('serves a command whose URL stands in a file', async () => {
    writeFileSync(path('url'), `${url('localhost', `sslmode=verify-full&${ca('ca')}`)}\n`);
    const { code, stdout, stderr } = await runCommand('db-migrate', [], {
      DATABASE_URL: '',
      DATABASE_URL_FILE: path('url'),
    });
    expect([code, stderr.includes('vitrine:')]).toEqual([0, false]);
    expect(stdout).toMatch(/^Applied \d{4}_\w+\.sql/);
  });
});
