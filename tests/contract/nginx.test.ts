import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { isPagePath } from '../../src/publish/plan.ts';
import { exchange } from '../support/http.ts';
import { type Nginx, startNginx } from '../support/nginx.ts';
import { currentRelease, pathsOf } from '../support/release.ts';
import { launchService, newDatabase, runCommand, type Service } from '../support/service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-behind-nginx-'));
let service: Service;
let nginx: Nginx;

beforeAll(async () => {
  const env = {
    DATABASE_URL: await newDatabase('sample'),
    DATA_DIR: dataDir,
    BASE_URL: 'https://v.example',
    ALLOWED_HOSTS: 'v.example',
  };
  service = await launchService({ env, publish: true });
  // Two more releases: pages of the base, of the recent layer, of the own one, and withdrawn ones.
  const sql = openDatabase(env.DATABASE_URL, { max: 1 });
  await sql`delete from offer where id in (select id from offer where id > 0 order by id limit 3)`;
  await sql`update product set brand = 'Nova marca' where id = 10020`;
  expect(await runCommand('catalog-publish', [], env)).toMatchObject({ code: 0 });
  await sql`update product set brand = 'Outra marca' where id <= (select min(id) + 250 from product)`;
  expect(await runCommand('catalog-publish', [], env)).toMatchObject({ code: 0 });
  expect(release().manifest).toMatchObject({ recent: expect.any(String), ownPaths: 0 });
  await sql`update product set brand = 'Nova marca' where id = 10030`;
  await sql.end();
  expect(await runCommand('catalog-publish', [], env)).toMatchObject({ code: 0 });
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const page = await (await fetch(`${service.url}/products/10030.md`)).text();
    if (page.includes('Nova marca')) break;
    await new Promise((done) => setTimeout(done, 100));
  }
  nginx = await startNginx(join(dataDir, 'releases'), service.url);
});
afterAll(async () => {
  await nginx?.stop();
  await service?.stop();
});

/** What may differ: who answers, when, and how the connection goes on. */
const OWN_FIELDS = ['date', 'server', 'connection', 'keep-alive', 'transfer-encoding'];

/** Asks both for the same and compares status, header fields and bytes. */
async function same(path: string, method = 'GET', fields: Record<string, string> = {}) {
  const request = { method, path, headers: { host: 'v.example', ...fields } };
  const [ours, theirs] = await Promise.all([
    exchange(service.url, request),
    exchange(nginx.url, request),
  ]);
  for (const { headers } of [ours, theirs]) for (const field of OWN_FIELDS) delete headers[field];
  const what = `${method} ${path} ${JSON.stringify(fields)}`;
  expect([what, theirs.status, theirs.headers]).toEqual([what, ours.status, ours.headers]);
  expect([what, theirs.body.equals(ours.body)]).toEqual([what, true]);
  return ours;
}

const release = () => currentRelease(join(dataDir, 'releases'));

describe('scripts/deploy/nginx.conf', () => {
  it('serves every resource of a release as Node does: fields and bytes, in each encoding', async () => {
    const [own, recent] = release().index.indexes;
    const isOwn = (path: string) => own?.find(path) !== null;
    const some = pathsOf(release()).filter((path, at) => at % 20 === 0 || isOwn(path));
    expect(some.filter(isPagePath).filter(isOwn).length).toBeGreaterThan(1);
    expect(some.filter((path) => recent?.find(path)).length).toBeGreaterThan(10);
    for (const path of some) {
      await same(path, 'GET', { 'accept-encoding': 'br, gzip' });
      await same(path, 'HEAD', { 'accept-encoding': 'gzip' });
    }
    for (const path of ['/', '/offers/50010', '/offers/50010.md', '/sitemaps/products/1']) {
      expect((await same(path, 'GET', { 'accept-encoding': 'br' })).headers.vary).toBe(
        'Accept-Encoding',
      );
      const plain = await same(path);
      expect([path, plain.status, plain.headers['content-encoding']]).toEqual([
        path,
        200,
        undefined,
      ]);
    }
  });

  it('redirects a slash at the end as Node does', async () => {
    for (const path of ['/docs', '/widgets', '/offers/50010', '/llms.txt']) {
      const { status, headers } = await same(`${path}/?a=1`);
      expect([path, status, headers.location]).toEqual([path, 308, `${path}?a=1`]);
      expect((await same(`${path}/`, 'HEAD')).status).toBe(308);
    }
    for (const path of ['//', '//evil.example/', '//docs/', '/docs//', '/offers/987654321/']) {
      expect([path, (await same(path)).status]).toEqual([path, 404]);
    }
  });

  it('answers conditions and ranges as Node does', async () => {
    const path = '/products/10020';
    const { headers } = await same(path);
    const etag = String(headers.etag);
    const modified = String(headers['last-modified']);
    const statusOf = async (fields: Record<string, string>) =>
      (await same(path, 'GET', fields)).status;
    expect(await statusOf({ 'if-none-match': etag })).toBe(304);
    expect(await statusOf({ 'if-none-match': `"x", W/${etag}` })).toBe(304);
    expect(await statusOf({ 'if-none-match': '"x"' })).toBe(200);
    expect(await statusOf({ 'if-modified-since': modified })).toBe(304);
    expect(await statusOf({ 'if-modified-since': new Date().toUTCString() })).toBe(304);
    expect(await statusOf({ range: 'bytes=0-99' })).toBe(206);
    expect(await statusOf({ range: 'bytes=100-', 'accept-encoding': 'br' })).toBe(206);
    expect(await statusOf({ range: 'bytes=-50', 'accept-encoding': 'gzip' })).toBe(200);
    expect(await statusOf({ range: 'bytes=-50' })).toBe(206);
    expect(await statusOf({ range: 'bytes=0-9', 'if-range': etag })).toBe(206);
    expect(await statusOf({ range: 'bytes=0-9', 'if-range': '"x"' })).toBe(200);
    expect(await statusOf({ range: 'bytes=0-9,20-29' })).toBe(200);
    expect(await statusOf({ range: 'bytes=9999999-' })).toBe(416);
  });

  it('leaves what is missing, withdrawn or not allowed to Vitrine', async () => {
    const gone = pathsOf(release(), true);
    expect(gone).toHaveLength(6);
    for (const path of gone) {
      expect((await same(path)).status).toBe(410);
      expect((await same(path, 'GET', { accept: 'text/html' })).status).toBe(410);
    }
    for (const path of [
      '/offers/987654321',
      '/offers/50010.html',
      '/offers/50010.html.gz',
      '/offers/50001.gone',
      '/offers/%35%30010',
      '/offers//50010',
      '/offers/./50010',
      '/offers/../offers/50010',
      '/site/index.html',
      '/base/offers/50010.html',
      '/index.html',
      '/manifest.json',
      '/404',
      '/nothing?x=1',
    ]) {
      expect([path, (await same(path)).status]).toEqual([path, 404]);
    }
    const preflight = { origin: 'https://x.example', 'access-control-request-method': 'GET' };
    for (const path of ['/', '/docs', '/vitrine.js', '/gpt.json', '/offers/50010']) {
      const { status, headers } = await same(path, 'OPTIONS', preflight);
      expect([path, status, headers.allow]).toEqual([path, 204, 'GET, HEAD, OPTIONS']);
    }
    expect((await same('/offers/987654321', 'OPTIONS')).status).toBe(404);
    expect((await same(gone[0] ?? '', 'OPTIONS')).status).toBe(410);
    expect((await same('/offers/50010', 'POST')).status).toBe(405);
    expect((await same('/', 'DELETE')).status).toBe(405);
  });

  it('hands live routes on, and keeps statistics for at most 30 seconds', async () => {
    const path = '/api/public/v1/products/10020/stats';
    const ask = () => exchange(nginx.url, { method: 'GET', path, headers: {} });
    const first = await ask();
    expect(first.status).toBe(200);
    const sql = openDatabase(service.databaseUrl, { max: 1 });
    await sql`select record_views('[{"kind":"product","id":10020,"source":"user"}]'::jsonb)`;
    await sql.end();
    const again = await ask();
    expect(again.body.equals(first.body)).toBe(true);
    // Counted from when Vitrine answered, by whoever keeps it.
    expect(again.headers.date).toBe(first.headers.date);
    expect(again.headers['cache-control']).toBe('public, max-age=30');
    const other = await exchange(nginx.url, { method: 'GET', path: `${path}?x=1`, headers: {} });
    expect(other.body.equals(first.body)).toBe(true);
    const known = { 'if-none-match': String(first.headers.etag) };
    expect((await exchange(nginx.url, { method: 'GET', path, headers: known })).status).toBe(304);

    // Long ones are kept once for each encoding, compressed by Vitrine alone.
    for (const accept of ['br', 'gzip', 'identity', 'br']) {
      const long = await exchange(nginx.url, {
        ...{ method: 'GET', path: '/api/public/v1/merchants/101/stats' },
        headers: { 'accept-encoding': accept },
      });
      const encoding = long.headers['content-encoding'] ?? 'identity';
      expect([encoding, long.headers.vary]).toEqual([accept, 'Accept-Encoding']);
    }

    expect((await same(path, 'HEAD')).status).toBe(405);
    expect((await same(path, 'OPTIONS')).status).toBe(204);
    expect((await same('/api/public/v1/products/%31/stats')).status).toBe(400);
    expect((await same('/api/public/v1/nothing')).status).toBe(404);
    expect((await same('/mcp', 'GET', { accept: 'application/json' })).status).toBe(200);
    expect((await same('/mcp', 'HEAD')).status).toBe(200);
    expect((await same('/mcp/')).headers.location).toBe('/mcp');
    const showcase = { method: 'GET', path: '/gpt/products.json?limit=2', headers: {} };
    expect((await exchange(nginx.url, showcase)).status).toBe(200);
  });

  it('answers in the documented shape when Vitrine is away, and goes on serving pages', async () => {
    const away = await startNginx(join(dataDir, 'releases'), 'http://127.0.0.1:9');
    const live = await fetch(`${away.url}/api/public/v1/products/1/stats`);
    expect([live.status, live.headers.get('retry-after')]).toEqual([500, '1']);
    expect(await live.json()).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect((await fetch(`${away.url}/offers/50010`)).status).toBe(200);
    await away.stop();
  });
});
