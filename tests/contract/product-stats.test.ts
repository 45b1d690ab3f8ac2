import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { productStatsSchema } from '../../src/domain/stats.ts';
import { getJson } from '../support/http.ts';
import { sharedService, startService } from '../support/service.ts';

const { url, databaseUrl } = sharedService();
const stats = (id: string | number) => `${url}/api/public/v1/products/${id}/stats`;
const ERROR_FIELDS = ['code', 'error', 'message', 'resolution'];

describe('GET /api/public/v1/products/{productId}/stats', () => {
  it('answers ProductStats: all fields, no others', async () => {
    const sql = openDatabase(databaseUrl, { max: 1 });
    await sql`select record_views('[{"kind":"product","id":424242,"source":"user"},
      {"kind":"product","id":424242,"source":"agent"}]'), set_reaction(424242, 'a', 'like'),
      set_reaction(424242, 'b', 'dislike')`;
    await sql.end();
    const { status, headers, body } = await getJson(stats(424242));
    expect(status).toBe(200);
    expect(body).toEqual({ productId: 424242, viewsCount: 2, likesCount: 1, dislikesCount: 1 });
    expect(productStatsSchema.safeParse(body).success).toBe(true);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=30');
  });

  it('answers zero counts with 200 for an ID that is unknown to the catalog', async () => {
    const { status, body } = await getJson(stats(9007199254740991));
    expect(status).toBe(200);
    expect(body).toEqual({
      productId: 9007199254740991,
      viewsCount: 0,
      likesCount: 0,
      dislikesCount: 0,
    });
  });

  it.each([
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    '0x10',
    'abc',
    '',
    '%31',
    '1%20',
    ' 1',
    '１',
    '٣',
    '9007199254740992',
    '99999999999999999999',
    '1;2',
    'null',
    '%2534',
  ])('answers 400 INVALID_PRODUCT_ID for the ID "%s"', async (id) => {
    const { status, headers, body } = await getJson(stats(id));
    expect(status).toBe(400);
    expect(Object.keys(body).sort()).toEqual(ERROR_FIELDS);
    expect(body).toMatchObject({
      code: 'INVALID_PRODUCT_ID',
      error: 'Product ID must be a positive integer',
      message: 'Product ID must be a positive integer',
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('ignores the query string', async () => {
    expect((await getJson(`${stats(7)}?a=1&b`)).status).toBe(200);
  });

  it('answers 304 when If-None-Match names the present content', async () => {
    const first = await getJson(stats(424243));
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
    for (const tag of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
      const again = await fetch(stats(424243), { headers: { 'if-none-match': tag } });
      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(etag);
      expect(again.headers.get('cache-control')).toBe('public, max-age=30');
      expect(await again.text()).toBe('');
    }
    expect((await getJson(stats(424243), { headers: { 'if-none-match': '"other"' } })).status).toBe(
      200,
    );
  });
});

describe('both statistics endpoints', () => {
  const paths = ['/api/public/v1/products/7/stats', '/api/public/v1/merchants/7/stats'];

  it.each(paths)('%s supports GET and OPTIONS; other methods give 405', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'PROPFIND', 'BREW', 'get-it']) {
      const response = await fetch(url + path, { method });
      expect([method, response.status]).toEqual([method, 405]);
      expect(response.headers.get('allow')).toBe('GET, OPTIONS');
      expect(response.headers.get('cache-control')).toBe('no-store');
      if (method === 'HEAD') continue;
      const body = (await response.json()) as Record<string, string>;
      expect(body).toMatchObject({
        code: 'METHOD_NOT_ALLOWED',
        error: 'Method not allowed',
        message: 'Method not allowed',
        resolution: 'Call the endpoint with GET or OPTIONS',
      });
      expect(Object.keys(body).sort()).toEqual(ERROR_FIELDS);
    }
  });

  it.each(paths)(
    '%s answers OPTIONS with 204 and the preflight headers, whatever the id',
    async (path) => {
      for (const target of [path, path.replace('7', 'abc')]) {
        const response = await fetch(url + target, { method: 'OPTIONS' });
        expect(response.status).toBe(204);
        expect(response.headers.get('allow')).toBe('GET, OPTIONS');
        expect(response.headers.get('access-control-allow-methods')).toBe('GET, OPTIONS');
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(response.headers.get('access-control-allow-headers')).toMatch(/accept/i);
      }
    },
  );

  it.each(paths)('%s allows cross-origin requests without credentials', async (path) => {
    for (const target of [path, path.replace('7', 'abc')]) {
      const { headers } = await getJson(url + target, { headers: { origin: 'https://a.example' } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe(
        'Retry-After, RateLimit, RateLimit-Policy, ETag',
      );
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('checks the method before the id, and the id before the quota', async () => {
    expect((await fetch(stats('abc'), { method: 'POST' })).status).toBe(405);
    const limited = await startService({ PRODUCT_STATS_REQUESTS_PER_HOUR: '2' });
    try {
      const at = (id: string) => `${limited.url}/api/public/v1/products/${id}/stats`;
      for (let request = 0; request < 5; request += 1) {
        expect((await fetch(at('abc'))).status).toBe(400);
        expect((await fetch(at('1'), { method: 'OPTIONS' })).status).toBe(204);
        expect((await fetch(at('1'), { method: 'DELETE' })).status).toBe(405);
      }
      expect((await fetch(at('1'))).status).toBe(200);
      expect((await fetch(at('2'))).status).toBe(200);
      expect((await fetch(at('3'))).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });
});

describe('unknown API paths', () => {
  it.each([
    '/api',
    '/api/',
    '/api/public/v1/products/7',
    '/api/public/v2/products/7/stats',
    '/api/x',
  ])('%s answers 404 API_ROUTE_NOT_FOUND for any method', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const { status, body } = await getJson(url + path, { method });
      expect(status).toBe(404);
      expect(body).toMatchObject({
        code: 'API_ROUTE_NOT_FOUND',
        error: 'API route not found',
        message: 'API route not found',
      });
    }
  });
});
