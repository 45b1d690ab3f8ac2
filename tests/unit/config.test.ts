import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { clientKey } from '../../src/http/client-address.ts';

describe('the environment', () => {
  it('has the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 4321,
      baseUrl: 'http://localhost:4321',
      databaseUrl: null,
      serviceName: 'Vitrine',
      defaultCity: 'São Paulo',
      productUrlTemplate: null,
      trustedProxies: [],
      rateLimitStore: 'memory',
      quotas: {
        productStatsPerHour: 600,
        merchantStatsPerHour: 600,
        catalogRecordsPerMinute: 40,
        mcpPerMinute: 120,
        searchPagesPerMinute: 30,
      },
      publishCheckSeconds: 30,
      opsPort: null,
      logLevel: 'info',
    });
    expect(readConfig({}).allowedHosts).toEqual([
      'localhost:4321',
      'localhost',
      '127.0.0.1',
      '[::1]',
    ]);
    expect(readConfig({ BASE_URL: 'https://v.example/' })).toMatchObject({
      baseUrl: 'https://v.example',
      allowedHosts: ['v.example'],
    });
  });

  it('is validated together: every fault is listed at once', () => {
    const read = () =>
      readConfig({
        PORT: '99999',
        BASE_URL: 'ftp://x',
        DATABASE_URL: 'mysql://x',
        DATABASE_READ_URL: 'postgres://a:1,b:x/name',
        RATE_LIMIT_STORE: 'disk',
        TRUSTED_PROXIES: '10.0.0.0/99',
        PRODUCT_URL_TEMPLATE: 'https://x.example/p',
        CLIENT_QUOTAS: '{"nonsense": 2}',
        LOG_LEVEL: 'loud',
        CATALOG_RECORDS_PER_MINUTE: '-1',
      });
    expect(read).toThrow(ConfigError);
    for (const name of [
      'PORT',
      'BASE_URL',
      'DATABASE_URL',
      'DATABASE_READ_URL',
      'RATE_LIMIT_STORE',
      'TRUSTED_PROXIES',
      'PRODUCT_URL_TEMPLATE',
      'CLIENT_QUOTAS',
      'LOG_LEVEL',
      'CATALOG_RECORDS_PER_MINUTE',
    ]) {
      expect(read).toThrow(new RegExp(`^${name}[=:]`, 'm'));
    }
  });

  it.each(['/mall', '/?a=1', '#x'])('has no BASE_URL with %s behind its host', (rest) => {
    expect(() => readConfig({ BASE_URL: `https://v.example${rest}` })).toThrow(
      /^BASE_URL=.*must have no path, query or fragment$/,
    );
  });
});

describe('the secrets of the environment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-config-'));
  const file = join(folder, 'url');
  writeFileSync(file, 'postgres://user:hunter2@db/mall\n');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('may stand in files', () => {
    const env = { DATABASE_URL_FILE: file, RATE_LIMIT_STORE_FILE: join(folder, 'store') };
    writeFileSync(env.RATE_LIMIT_STORE_FILE, 'redis://:hunter2@cache');
    expect(readConfig(env)).toMatchObject({
      databaseUrl: 'postgres://user:hunter2@db/mall',
      rateLimitStore: 'redis://:hunter2@cache',
    });
    expect(readConfig({ DATABASE_URL_FILE: '', DATABASE_URL: 'postgres://db/x' })).toMatchObject({
      databaseUrl: 'postgres://db/x',
    });
  });

  it('are set in one place only, which must exist', () => {
    const both = { DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://db/x' };
    expect(() => readConfig(both)).toThrow(/^DATABASE_URL_FILE=.*DATABASE_URL is set as well/);
    const missing = { DATABASE_URL_FILE: join(folder, 'nowhere') };
    expect(() => readConfig(missing)).toThrow(/^DATABASE_URL_FILE=.*cannot be read \(ENOENT\)/);
  });

  it('are never printed', () => {
    const env = {
      DATABASE_URL: 'postgres://user:hunter2@:x/mall',
      DATABASE_READ_URL: 'mysql://user:hunter2@db',
      RATE_LIMIT_STORE: 'disk://:hunter2@',
    };
    const message = (() => {
      try {
        readConfig(env);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(message.split('\n')).toHaveLength(3);
    expect(message).not.toContain('hunter2');
  });
});

describe('the replicas of the environment', () => {
  const DATABASE_URL = 'postgres://primary/mall';
  const read = (text: string) =>
    readConfig({ DATABASE_URL, DATABASE_READ_URL: text }).databaseReadUrls;

  it.each([
    ['', []],
    ['postgres://one/mall', ['postgres://one/mall']],
    [
      'postgresql://u:p%40@one:5433,[::1]:5434/mall?sslmode=require',
      [
        'postgresql://u:p%40@one:5433/mall?sslmode=require',
        'postgresql://u:p%40@[::1]:5434/mall?sslmode=require',
      ],
    ],
  ])('of %s are %j', (text, urls) => {
    expect(read(text)).toEqual(urls);
  });

  it.each(['one,two', 'http://one/mall', 'postgres://one,/mall', 'postgres:///mall'])(
    '%s is refused',
    (text) => {
      expect(() => read(text)).toThrow(/^DATABASE_READ_URL: .*hosts separated by commas/m);
    },
  );

  it('need a primary', () => {
    expect(() => readConfig({ DATABASE_READ_URL: 'postgres://one/mall' })).toThrow(
      /^DATABASE_READ_URL: needs DATABASE_URL/m,
    );
  });
});

describe('the key of a client', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    // Some proxies write the port as well.
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8:1:2::5]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::5]:4711', '2001:db8:1:2::/64'],
    ['203.0.113.9:', 'unknown'],
    ['nonsense', 'unknown'],
  ])('of %s is %s', (address, key) => {
    expect(clientKey(address)).toBe(key);
  });
});
