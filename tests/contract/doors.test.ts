import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/log.ts';
import { openService } from '../../src/service/service.ts';
import { AMPLE_QUOTAS, sharedService } from '../support/service.ts';

type App = {
  render(request: Request, options: { locals: object; clientAddress: string }): Promise<Response>;
};

const { url, databaseUrl } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');

describe('the two servers of a live handler', () => {
  it("answer the same bytes: our server's and Astro's", async () => {
    const config = readConfig({ ...AMPLE_QUOTAS, BASE_URL: base });
    const service = await openService(config, databaseUrl, openLog('silent'), {
      showcase: () => [],
      text: async () => null,
    });
    const { app } = (await import(pathToFileURL('dist/server/entry.mjs').href)) as { app: App };
    const requests: [path: string, init: RequestInit][] = [
      ['/api/public/v1/products/5/stats', {}],
      ['/api/public/v1/products/abc/stats', {}],
      ['/api/public/v1/products/%31/stats', {}],
      ['/api/public/v1/merchants/5/stats', { method: 'DELETE' }],
      ['/api/public/v1/merchants/999999/stats', {}],
      ['/api/public/v1/merchants/5/stats', { method: 'OPTIONS' }],
      ['/api/nothing', {}],
      ['/mcp', {}],
      ['/mcp', { method: 'OPTIONS' }],
      ['/mcp', { headers: { accept: 'text/event-stream' } }],
      [
        '/mcp',
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        },
      ],
      ['/mcp', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }],
    ];
    try {
      for (const [path, init] of requests) {
        const ours = await fetch(url + path, init);
        const headers = new Headers(init.headers);
        headers.set('host', new URL(base).host);
        const astro = await app.render(new Request(base + path, { ...init, headers }), {
          locals: { live: service.live },
          clientAddress: '127.0.0.1',
        });
        expect([path, astro.status]).toEqual([path, ours.status]);
        expect(await astro.text()).toBe(await ours.text());
        for (const name of [
          'content-type',
          'cache-control',
          'etag',
          'allow',
          'vary',
          'access-control-allow-origin',
        ]) {
          expect([path, name, astro.headers.get(name)]).toEqual([
            path,
            name,
            ours.headers.get(name),
          ]);
        }
      }
    } finally {
      await service.close();
    }
  });
});
