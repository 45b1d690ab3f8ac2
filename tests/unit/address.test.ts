import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { describeAddress, readAddress } from '../../src/data/connection/address.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-address-'));
const ca = join(folder, 'ca.pem');
writeFileSync(ca, 'PEM');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the URL of a database', () => {
  const socket = '/var/run/postgresql/.s.PGSQL.5432';
  it.each([
    ['postgres://ana:s%40@db1/mall', { host: ['db1'], port: [5432], user: 'ana', password: 's@' }],
    ['postgresql://db1:5433/mall', { host: ['db1'], port: [5433] }],
    ['postgres://[::1]:5433/mall', { host: ['::1'], port: [5433] }],
    ['postgres://a:1,b/mall', { host: ['a', 'b'], port: [1, 5432] }],
    ['postgres:///mall?host=/var/run/postgresql', { path: socket }],
    ['postgres://ana@/mall?host=/var/run/postgresql', { path: socket, user: 'ana' }],
    ['postgres://%2Fvar%2Frun%2Fpostgresql/mall', { path: socket }],
    ['postgres:///mall?host=/run&port=5433&user=ana', { path: '/run/.s.PGSQL.5433', user: 'ana' }],
    ['postgres:///mall', {}],
  ])('%s is read as libpq reads it', (url, expected) => {
    const { ssl, connection, ...rest } = readAddress(url);
    expect({ ...rest, ssl, connection }).toEqual({
      ...expected,
      database: 'mall',
      ssl: false,
      connection: {},
    });
  });

  it('may set what a session begins with, and has what only libpq knows left out', () => {
    const { connection } = readAddress(
      'postgres://db/mall?application_name=web&search_path=mall&connect_timeout=9&channel_binding=require',
    );
    expect(connection).toEqual({ application_name: 'web', search_path: 'mall' });
  });

  it('names a server without its secrets', () => {
    const name = (url: string) => describeAddress(readAddress(url));
    expect(name('postgres://ana:hunter2@db1/mall')).toBe('db1:5432');
    expect(name('postgres://ana:hunter2@[::1]:1,b/mall')).toBe('[::1]:1,b:5432');
    expect(name('postgres://ana:hunter2@/mall?host=/run')).toBe('/run/.s.PGSQL.5432');
  });

  it.each([
    ['sslmode=disable', false],
    ['sslmode=prefer', 'prefer'],
    ['sslmode=require', 'require'],
    ['ssl=true', 'require'],
    ['sslmode=verify-full', { rejectUnauthorized: true }],
    [`sslmode=require&sslrootcert=${ca}`, { rejectUnauthorized: true, ca: 'PEM' }],
    [`sslrootcert=${ca}`, { rejectUnauthorized: true, ca: 'PEM' }],
    [
      `sslmode=require&sslcert=${ca}&sslkey=${ca}`,
      { rejectUnauthorized: false, cert: 'PEM', key: 'PEM' },
    ],
  ])('with %s is reached over TLS as it says', (query, expected) => {
    const { ssl } = readAddress(`postgres://db/mall?${query}`);
    if (typeof expected === 'object') expect(ssl).toMatchObject(expected);
    else expect(ssl).toBe(expected);
  });

  it('checks the name of the certificate unless it says verify-ca', () => {
    const check = (query: string) => {
      const { ssl } = readAddress(`postgres://db/mall?sslrootcert=${ca}${query}`);
      const of = { subject: { CN: 'other' }, subjectaltname: 'DNS:other' };
      return (
        ssl as { checkServerIdentity(name: string, of: object): unknown }
      ).checkServerIdentity('db', of);
    };
    expect(check('&sslmode=verify-ca')).toBe(undefined);
    expect(check('&sslmode=verify-full')).toBeInstanceOf(Error);
    expect(check('')).toBeInstanceOf(Error);
  });

  it.each([
    ['mysql://ana:hunter2@db/mall', /must be a postgres:\/\/ URL$/],
    ['postgres://ana:hunter2@db:99999/mall', /port that is no number within 1\.\.65535$/],
    ['postgres://ana:hunter2@db/mall?sslmode=often', /the sslmode often/],
    ['postgres://ana:hunter2@db/mall?sslrootcert=/nowhere', /sslrootcert=\/nowhere.*\(ENOENT\)$/],
    ['postgres://ana:hunter2%@db/mall', /a % that encodes nothing$/],
  ])('%s is refused by its setting, and not printed', (url, fault) => {
    for (const env of [
      { DATABASE_URL: url },
      { DATABASE_URL: 'postgres://db/mall', DATABASE_READ_URL: url },
    ]) {
      try {
        readConfig(env);
        expect.unreachable();
      } catch (error) {
        const { message } = error as Error;
        expect(message).toMatch(env.DATABASE_READ_URL ? /^DATABASE_READ_URL: / : /^DATABASE_URL: /);
        expect(message.replace(', its hosts separated by commas', '')).toMatch(fault);
        expect(message).not.toContain('hunter2');
      }
    }
  });
});
