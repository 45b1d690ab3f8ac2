import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exchange, toolCall } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const rpc = (message: object) => ({
  method: 'POST',
  path: '/mcp',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(message),
});
const get = (path: string) => ({ method: 'GET', path, headers: {} });
type Request = ReturnType<typeof get> & { body?: string };

const LONG: [string, Request][] = [
  ['tools/list', rpc({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  ['a search', rpc(toolCall('search_local_products', { city: 'São Paulo', limit: 20 }))],
  ['the discovery document', get('/mcp')],
  ['statistics of a merchant with a list', get('/api/public/v1/merchants/101/stats')],
  ['the showcase', get('/gpt/products.json')],
  ['the search page', get('/buscar?q=presente')],
];
const SHORT: [string, Request][] = [
  ['statistics of a product', get('/api/public/v1/products/10001/stats')],
  ['ping', rpc({ jsonrpc: '2.0', id: 1, method: 'ping' })],
  ['an error', get('/api/nothing')],
];

const ask = (request: Request, accept: string | null, more: Record<string, string> = {}) =>
  exchange(url, {
    ...request,
    headers: {
      ...request.headers,
      ...(accept === null ? {} : { 'accept-encoding': accept }),
      ...more,
    },
  });

/** Text without what differs from one second to the next. */
const stable = (body: Buffer) => body.toString().replace(/"generated_at":"[^"]+"/, '');

describe.each(LONG)('%s', (_, request) => {
  it('is compressed as the client accepts it, and says so to caches', async () => {
    const plain = await ask(request, null);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    expect(plain.body.length).toBeGreaterThan(1024);
    for (const [accept, name, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0, *', 'gzip', gunzipSync],
      ['identity', undefined, (body: Buffer) => body],
      ['br;q=0, gzip;q=0', undefined, (body: Buffer) => body],
    ] as const) {
      const { status, headers, body } = await ask(request, accept);
      expect([accept, status, headers['content-encoding']]).toEqual([accept, 200, name]);
      expect(headers.vary).toMatch(/(^|, )Accept-Encoding$/);
      expect(Number(headers['content-length'])).toBe(body.length);
      expect(stable(decode(body))).toBe(stable(plain.body));
      if (name !== undefined) expect(body.length).toBeLessThan(plain.body.length * 0.6);
    }
    expect(plain.headers.vary).toMatch(/(^|, )Accept-Encoding$/);
  });
});

describe.each(SHORT)('%s', (_, request) => {
  it('is short and sent uncompressed', async () => {
    const { headers, body } = await ask(request, 'gzip, br');
    expect(body.length).toBeLessThan(1024);
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  });
});

describe('compressed answers', () => {
  it('keep the other fields that they vary by', async () => {
    expect((await ask(get('/mcp'), 'gzip')).headers.vary).toBe('Accept, Accept-Encoding');
  });

  it('have a weak entity tag, which 304 repeats whatever the encoding', async () => {
    for (const path of ['/mcp', '/api/public/v1/merchants/101/stats']) {
      const tags = new Set<string>();
      for (const accept of [null, 'gzip', 'br']) {
        const etag = String((await ask(get(path), accept)).headers.etag);
        tags.add(etag);
        for (const known of [etag, etag.replace('W/', ''), `"x", ${etag}`]) {
          const again = await ask(get(path), accept, { 'if-none-match': known });
          expect([again.status, again.headers.etag]).toEqual([304, etag]);
          expect(again.body).toHaveLength(0);
          expect(again.headers['content-encoding']).toBeUndefined();
        }
      }
      expect([...tags]).toEqual([expect.stringMatching(/^W\/"[^"]+"$/)]);
    }
  });

  it('tell the same fields to HEAD', async () => {
    for (const path of ['/buscar', '/gpt/products.json?limit=3']) {
      for (const accept of ['br', 'gzip', 'identity']) {
        const [whole, head] = [
          await ask(get(path), accept),
          await ask({ ...get(path), method: 'HEAD' }, accept),
        ];
        expect(head.body).toHaveLength(0);
        for (const field of ['content-encoding', 'content-type', 'vary', 'etag']) {
          expect([field, head.headers[field]]).toEqual([field, whole.headers[field]]);
        }
        const lengths = [head, whole].map(({ headers }) => Number(headers['content-length']));
        // The showcase tells the time, which may compress a little differently.
        expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeLessThan(20);
      }
    }
  });
});
