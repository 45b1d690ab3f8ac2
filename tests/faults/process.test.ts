import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { getJson, postRpc, toolCall } from '../support/http.ts';
import { freePort } from '../support/port.ts';
import { askRaw } from '../support/raw-client.ts';
import { AMPLE_QUOTAS, newDatabase, runCommand, startService } from '../support/service.ts';

async function startWithOps(env: Record<string, string> = {}) {
  const opsPort = String(await freePort());
  const service = await startService({ ...AMPLE_QUOTAS, OPS_PORT: opsPort, ...env });
  const ops = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${opsPort}${path}`);
    return { status: response.status, text: await response.text() };
  };
  return { service, ops };
}

describe('a start without a database', () => {
  it('serves the static half, is live and not ready, and is ready as soon as the database is there', async () => {
    const url = await newDatabase('sample');
    const admin = openDatabase(url, { max: 1 });
    const [{ name } = { name: '' }] = await admin`select current_database() as name`;
    const elsewhere = new URL(url);
    elsewhere.pathname = '/postgres';
    const server = openDatabase(elsewhere.href, { max: 1 });
    await admin.end({ timeout: 1 });
    await server.unsafe(`alter database ${name} rename to ${name}_away`);
    const { service, ops } = await startWithOps({ DATABASE_URL: url });
    try {
      expect((await fetch(service.url)).status).toBe(200);
      expect(await ops('/livez')).toMatchObject({ status: 200 });
      const away = await ops('/readyz');
      expect(away.status).toBe(503);
      expect(JSON.parse(away.text)).toEqual({
        database: false,
        schema: false,
        published: true,
        accepting: true,
      });
      await server.unsafe(`alter database ${name}_away rename to ${name}`);
      await expect.poll(async () => (await ops('/readyz')).status, { timeout: 15_000 }).toBe(200);
      const { status } = await getJson(`${service.url}/api/public/v1/products/10001/stats`);
      expect(status).toBe(200);
    } finally {
      await service.stop();
      await server.end({ timeout: 1 });
    }
  });
});

describe('SIGTERM', () => {
  it('lets requests under way finish, takes no others, tells balancers, and ends with 0', async () => {
    const { service, ops } = await startWithOps();
    const { port } = new URL(service.url);
    const half = connect(Number(port), '127.0.0.1');
    let answer = '';
    half.on('data', (chunk) => {
      answer += chunk;
    });
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    half.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    // Wait until the server has read the header of that request.
    await askRaw(service.url, 'GET /llms.txt HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const closed = new Promise((done) => half.once('close', done));
    const stopped = service.stop();
    await expect.poll(async () => (await ops('/readyz')).status, { interval: 20 }).toBe(503);
    await expect(fetch(service.url)).rejects.toThrow();
    half.write(body.slice(10));
    expect(await stopped).toBe(0);
    await closed;
    expect(answer).toContain('HTTP/1.1 200 OK');
    expect(answer).toMatch(/^connection: close/im);
  });
});

describe('the operator is told', () => {
  it('requests by route and status, latencies, quota rejections, pool, cache, views, ages, search stages', async () => {
    const { service, ops } = await startWithOps({
      PRODUCT_STATS_REQUESTS_PER_HOUR: '1',
      LOG_LEVEL: 'debug',
    });
    try {
      for (const path of ['/', '/nothing', '/api/x', '/gpt/products.json?limit=1']) {
        await fetch(service.url + path);
      }
      for (const id of [1, 1]) await fetch(`${service.url}/api/public/v1/products/${id}/stats`);
      await fetch(`${service.url}/api/public/v1/merchants/1/stats`);
      const args = { query: 'pizza', city: 'Campinas' };
      await postRpc(service.url, toolCall('search_local_products', args));
      await askRaw(service.url, 'nonsense\r\n\r\n');
      const { status, text } = await ops('/metrics');
      expect(status).toBe(200);
      const told = new Set(text.split('\n'));
      const wanted = [
        'vitrine_requests_total{route="static",status="200"} 1',
        'vitrine_requests_total{route="static",status="404"} 1',
        'vitrine_requests_total{route="unknown-api",status="404"} 1',
        'vitrine_requests_total{route="showcase",status="200"} 1',
        'vitrine_requests_total{route="product-stats",status="200"} 1',
        'vitrine_requests_total{route="product-stats",status="429"} 1',
        'vitrine_requests_total{route="merchant-stats",status="200"} 1',
        'vitrine_requests_total{route="mcp",status="200"} 1',
        'vitrine_requests_total{route="none",status="400"} 1',
        'vitrine_request_seconds_count{route="mcp"} 1',
        'vitrine_quota_rejections_total{quota="product-stats"} 1',
        'vitrine_merchant_cache_total{from="database"} 1',
        'vitrine_search_stage_seconds_count{stage="understand"} 1',
        'vitrine_views_buffered 0',
        'vitrine_quota_store_away 0',
      ];
      expect(wanted.filter((line) => !told.has(line))).toEqual([]);
      expect(text).toMatch(/^vitrine_search_stage_seconds_count\{stage="resolve"\} [1-9]/m);
      expect(text).toMatch(/^vitrine_search_stage_seconds_count\{stage="retrieve"\} [1-9]/m);
      expect(text).toMatch(/^vitrine_database_work_total\{outcome="answered"\} [1-9]/m);
      expect(text).toMatch(/^vitrine_build_info\{version="1\.2\.0",schema="\d{4}"\} 1$/m);
      expect(text).toMatch(/^vitrine_publish_age_seconds [0-9.]+$/m);
      expect(text).toMatch(/^vitrine_snapshot_age_seconds [0-9.]+$/m);
      expect((await ops('/')).status).toBe(404);
      expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
      const logged = () => service.log().split('"msg":"request"').length - 1;
      await expect.poll(logged).toBeGreaterThanOrEqual(8);
      const lines = service
        .log()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const requests = lines.filter(({ msg }) => msg === 'request');
      expect(new Set(requests.map(({ request }) => request)).size).toBe(requests.length);
      expect(service.log()).not.toContain('127.0.0.1');
    } finally {
      await service.stop();
    }
  });

  it('a failure by the id that its answer carries', async () => {
    const { service } = await startWithOps({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${await freePort()}/postgres`,
    });
    const { headers } = await getJson(`${service.url}/api/public/v1/products/1/stats`);
    await service.stop();
    const id = headers.get('x-request-id') ?? 'none';
    expect(service.log()).toContain(`"request":"${id}"`);
  });
});

describe('the log', () => {
  it('names no client, not even when it tells of every request', async () => {
    const { service } = await startWithOps({ LOG_LEVEL: 'debug', TRUSTED_PROXIES: '127.0.0.1' });
    const headers = { 'X-Forwarded-For': '203.0.113.77' };
    await fetch(`${service.url}/api/public/v1/products/10001/stats`, { headers });
    await fetch(`${service.url}/api/public/v1/merchants/none/stats`, { headers });
    await fetch(`${service.url}/?address=203.0.113.77`, { headers });
    await service.stop();
    expect(service.log()).toContain('"route":"product-stats"');
    expect(service.log()).toContain('"route":"static"');
    expect(service.log()).not.toContain('203.0.113');
  });
});

describe('a port that is taken', () => {
  it('is told in one line, and the server that has it goes on', async () => {
    const { service } = await startWithOps();
    const { port } = new URL(service.url);
    const { databaseUrl } = service;
    const second = await runCommand('serve', [], { PORT: port, DATABASE_URL: databaseUrl });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`port ${port} on 127.0.0.1 is taken: set PORT to a free one`);
    expect((await fetch(service.url)).status).toBe(200);
    await service.stop();
  });
});

/** A file system of its own, so that only it is full; needs root. */
function smallDisk(): { folder: string; unmount(): void } | null {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-full-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder]);
  if (status !== 0) return null;
  return { folder, unmount: () => spawnSync('umount', ['-l', folder]) };
}

describe('a full disk', () => {
  it('fails a publish in clear words and leaves the release that is there', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === null) return skip('mounting a small file system needs root');
    const env = { DATABASE_URL: await newDatabase('sample'), DATA_DIR: join(disk.folder, 'data') };
    mkdirSync(env.DATA_DIR);
    try {
      const results: Awaited<ReturnType<typeof runCommand>>[] = [];
      const current = () => readlinkSync(join(env.DATA_DIR, 'releases', 'current'));
      let last = '';
      // Each full publish takes a few megabytes; old ones are kept for a while.
      for (let publish = 0; publish < 6; publish += 1) {
        const result = await runCommand('catalog-publish', ['--full'], env);
        results.push(result);
        if (result.code !== 0) break;
        last = current();
      }
      const failed = results.at(-1);
      expect(failed?.code).not.toBe(0);
      expect(failed?.stderr.trim().split('\n').at(-1)).toMatch(/^vitrine: .*ENOSPC/);
      if (last !== '') expect(current()).toBe(last);
    } finally {
      disk.unmount();
    }
  });
});

describe('time zones', () => {
  it('of process and database change neither answers nor snapshots', async () => {
    const url = await newDatabase('sample');
    const admin = openDatabase(url, { max: 1 });
    const [row] = await admin`select current_database() as name,
      (select max(taken_at) from snapshot_run) as taken`;
    await admin.unsafe(`alter database ${row?.name} set timezone = 'Pacific/Kiritimati'`);
    const env = { DATABASE_URL: url, TZ: 'America/Los_Angeles' };
    expect(await runCommand('stats-snapshot', [], env)).toMatchObject({ code: 0 });
    const [after] = await admin`select count(*) as count, max(taken_at) as taken from snapshot_run`;
    expect(after).toEqual({ count: 1, taken: row?.taken });
    const service = await startService(env);
    const { body } = await getJson(`${service.url}/api/public/v1/merchants/1/stats`);
    const moscow = new Date(row?.taken.getTime() + 3 * 3_600_000).toISOString().slice(0, 10);
    expect(body.comparisonDate).toBe(moscow);
    await service.stop();
    await admin.end({ timeout: 1 });
  });
});
