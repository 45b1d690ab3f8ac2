import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { getJson, postRpc, toolCall } from '../support/http.ts';
import { freePort } from '../support/port.ts';
import { type Service, startService } from '../support/service.ts';

describe('with the database away', () => {
  let service: Service;
  beforeAll(async () => {
    const database = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
    service = await startService({ DATABASE_URL: database });
  });
  afterAll(() => service.stop());

  it.each(['/api/public/v1/products/1/stats', '/api/public/v1/merchants/1/stats'])(
    '%s answers 500 INTERNAL_ERROR with Retry-After: 1 and leaks nothing internal',
    async (path) => {
      const { status, headers, body } = await getJson(service.url + path);
      expect(status).toBe(500);
      expect(headers.get('retry-after')).toBe('1');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toEqual({
        error: 'Internal server error',
        code: 'INTERNAL_ERROR',
        message: 'Internal server error',
        resolution: expect.stringMatching(/^Retry later, or contact the operator.*\(1 second\)$/),
      });
    },
  );

  it('/mcp answers HTTP 500 with the four-field body', async () => {
    const { status, headers, body } = await postRpc(
      service.url,
      toolCall('search_local_products', { query: 'pizza' }),
    );
    expect(status).toBe(500);
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i);
  });

  it('the static half, the showcase and the discovery document are unaffected', async () => {
    for (const path of [
      '/',
      '/llms.txt',
      '/gpt.json',
      '/sitemap.xml',
      '/mcp',
      '/gpt/products.json?limit=1',
    ]) {
      expect([path, (await fetch(service.url + path)).status]).toEqual([path, 200]);
    }
  });

  it('the search for people says so on a page, with ways on', () => expectKindPage(service.url));
});

describe('with a database that never answers', () => {
  it('the search for people says so on a page, in time', async () => {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: 1 });
    proxy.set('silent');
    const service = await startService({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
    });
    await expectKindPage(service.url);
    await service.stop();
    await proxy.close();
  });
});

/** 503 with Retry-After, what was typed still in its field, in words for people and nothing of the inside. */
async function expectKindPage(url: string): Promise<void> {
  const answer = await fetch(`${url}/buscar?q=p%C3%A3o+%3Cb%3E`);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-robots-tag')).toBe('noindex');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await answer.text();
  expect(html).toContain('Não deu para buscar agora. Tente de novo em 1 segundo.');
  expect(html).toContain('value="pão &lt;b&gt;"');
  expect(html).toMatch(/<main.*href="[^"]*\/ofertas"/s);
  expect(html).not.toMatch(/ECONN|127\.0\.0\.1|postgres:|INTERNAL_ERROR/i);
}
