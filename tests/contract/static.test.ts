import { describe, expect, it } from 'vitest';
import { sendRaw } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();

async function anOffer(): Promise<string> {
  const sitemap = await (await fetch(`${url}/sitemaps/offers/1`)).text();
  return new URL(/<loc>([^<]+\/offers\/\d+)<\/loc>/.exec(sitemap)?.[1] ?? '').pathname;
}

describe('static resources', () => {
  it('have content type, cache rule, ETag, Last-Modified and CORS', async () => {
    const { status, headers } = await fetch(url + (await anOffer()));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=3600');
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(Date.parse(headers.get('last-modified') ?? '')).toBeLessThanOrEqual(Date.now());
    expect(headers.get('vary')).toMatch(/accept-encoding/i);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('are compressed as the client accepts it, with an ETag of their own', async () => {
    const path = await anOffer();
    const get = async (encoding: string) => {
      const response = await fetch(url + path, { headers: { 'accept-encoding': encoding } });
      return {
        encoding: response.headers.get('content-encoding'),
        etag: response.headers.get('etag'),
        text: await response.text(),
      };
    };
    const [plain, gzip, all] = [await get('identity'), await get('gzip'), await get('gzip, br')];
    expect([plain.encoding, gzip.encoding, all.encoding]).toEqual([null, 'gzip', 'gzip']);
    expect([gzip.text, all.text]).toEqual([plain.text, plain.text]);
    expect(gzip.etag).not.toBe(plain.etag);
    expect(all.etag).toBe(gzip.etag);
    for (const other of ['br', 'gzip;q=0', 'br;q=0, gzip;q=0']) {
      expect([other, (await get(other)).encoding]).toEqual([other, null]);
    }
  });

  it('answer 304 to If-None-Match and If-Modified-Since', async () => {
    const path = await anOffer();
    const { headers } = await fetch(url + path);
    const etag = headers.get('etag') ?? '';
    const modified = headers.get('last-modified') ?? '';
    const status = async (conditions: Record<string, string>) =>
      (await fetch(url + path, { headers: conditions })).status;
    expect(await status({ 'if-none-match': etag })).toBe(304);
    expect(await status({ 'if-modified-since': modified })).toBe(304);
    expect(await status({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200);
    expect(await status({ 'if-none-match': '"x"', 'if-modified-since': modified })).toBe(200);
  });

  it('answer HEAD without a body and other methods with 405', async () => {
    for (const path of ['/', '/llms.txt', '/gpt.json', '/sitemap.xml', await anOffer()]) {
      const head = await fetch(url + path, { method: 'HEAD' });
      expect([path, head.status]).toEqual([path, 200]);
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
      expect(await head.text()).toBe('');
      const post = await fetch(url + path, { method: 'POST', body: 'x' });
      expect([path, post.status]).toEqual([path, 405]);
      expect(post.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
  });

  it('answer OPTIONS with what is allowed, and a preflight with what a browser asks', async () => {
    for (const path of ['/', '/docs', '/gpt.json', '/vitrine.js', await anOffer()]) {
      const { status, headers } = await fetch(url + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
      });
      expect([path, status]).toEqual([path, 204]);
      expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
      expect(headers.get('access-control-allow-headers')).toMatch(/\bIf-None-Match\b/);
      expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
    }
    const missing = await fetch(`${url}/offers/987654321`, { method: 'OPTIONS' });
    expect(missing.status).toBe(404);
  });

  it('redirect a slash at the end to the address without it, when that exists', async () => {
    const to = async (path: string, method = 'GET') => {
      const target = `${method} ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
      const answer = await sendRaw(url, target);
      const location = /^location: (.*)\r$/m.exec(answer)?.[1] ?? null;
      return [path, Number(answer.split(' ')[1]), location];
    };
    const offer = await anOffer();
    for (const path of ['/docs', '/widgets', '/llms.txt', offer, `${offer}.md`]) {
      expect(await to(`${path}/`)).toEqual([`${path}/`, 308, path]);
      expect(await to(`${path}/`, 'HEAD')).toEqual([`${path}/`, 308, path]);
    }
    expect(await to('/docs/?a=1&b=//evil')).toEqual([
      '/docs/?a=1&b=//evil',
      308,
      '/docs?a=1&b=//evil',
    ]);
    for (const path of [
      ...[
        '//',
        '//evil.example/',
        '//evil.example/docs/',
        '/\\evil.example/',
        '/docs//',
        '//docs/',
      ],
      ...['/.//docs/', '/%2fevil.example/', '/%64ocs/', '/404/', '/offers/987654321/', '/offers/'],
    ]) {
      expect(await to(path)).toEqual([path, 404, null]);
    }
    const followed = await fetch(`${url}/docs/`);
    expect([followed.status, followed.url]).toEqual([200, `${url}/docs`]);
  });

  it('allow no path tricks', async () => {
    for (const path of [
      '/../package.json',
      '/offers/../../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/manifest.json',
      '/site/index.html',
      '/offers/1.html',
      '//etc/passwd',
      '/404',
      '/410',
      '/_image',
      '/__proto__',
      '/constructor',
      '/offers/%31',
    ]) {
      const answer = await sendRaw(
        url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect([path, answer.split(' ')[1]]).toEqual([path, '404']);
    }
  });

  it('that are missing answer JSON, and a page to those who ask for HTML; no cache stores it', async () => {
    const json = await fetch(`${url}/offers/987654321`);
    expect(json.status).toBe(404);
    expect(await json.json()).toMatchObject({ code: 'NOT_FOUND' });
    const html = await fetch(`${url}/offers/987654321`, { headers: { accept: 'text/html,*/*' } });
    expect(html.status).toBe(404);
    expect(html.headers.get('content-type')).toMatch(/^text\/html/);
    expect(html.headers.get('cache-control')).toBe('no-store');
    const page = await fetch(url + (await anOffer()));
    expect(html.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(html.headers.get('content-security-policy')).toBe(
      page.headers.get('content-security-policy'),
    );
    const text = await html.text();
    expect(text).toContain('lang="pt-BR"');
    // No dead end: a search, the offers and the categories.
    for (const way of [
      /action="\/buscar"/,
      /href="[^"]+\/ofertas"/,
      /href="[^"]+\/categorias\/\d+"/,
    ])
      expect(text).toMatch(way);
  });
});
