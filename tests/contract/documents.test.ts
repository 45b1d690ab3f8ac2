import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { RESOURCES } from '../../src/domain/resources.ts';
import { getJson } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');
const text = async (path: string) => (await fetch(url + path)).text();
const type = async (path: string) => (await fetch(url + path)).headers.get('content-type');

describe('/gpt.json', () => {
  it('is the catalog manifest with live counts and endpoint metadata', async () => {
    const { status, headers, body } = await getJson(`${url}/gpt.json`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual([
      'name',
      'description',
      'version',
      'base_url',
      'updated_at',
      'locale',
      'default_city',
      'counts',
      'endpoints',
      'mcp',
      'limits',
      'usage_policy',
    ]);
    expect(body).toMatchObject({
      name: 'Vitrine',
      version: '1.2.0',
      base_url: base,
      locale: 'pt-BR',
      default_city: 'São Paulo',
      mcp: { url: `${base}/mcp`, protocol_version: '2025-06-18' },
    });
    for (const endpoint of body.endpoints as Record<string, unknown>[]) {
      expect(Object.keys(endpoint)).toEqual([
        'name',
        'method',
        'url',
        'description',
        'cache_seconds',
      ]);
    }
    expect(Object.keys(body.usage_policy as object)).toEqual(
      expect.arrayContaining(['allowed', 'not_allowed', 'attribution']),
    );
  });
});

describe('/gpt/products.json', () => {
  it('is a non-paginated sample of at most 20 rotating discovery products', async () => {
    const { headers, body } = await getJson(`${url}/gpt/products.json?limit=5`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('ratelimit-policy')).toMatch(/^"catalog-records";/);
    expect(body).toMatchObject({ service: 'Vitrine', limit: 5, result_count: 5, paginated: false });
    expect((body.rotation as { period_seconds: number }).period_seconds).toBe(300);
    const products = body.products as { product_url: string; product_link_markdown: string }[];
    expect(products).toHaveLength(5);
    for (const product of products) {
      expect(product.product_link_markdown).toContain(product.product_url);
      expect(body.answer_markdown).toContain(product.product_link_markdown);
    }
  });

  it('clamps limit to 1..20, takes 20 when it is absent or unreadable, and ignores paging', async () => {
    const count = async (query: string) =>
      (await getJson(`${url}/gpt/products.json${query}`)).body.result_count;
    expect(await count('')).toBe(20);
    expect(await count('?limit=abc')).toBe(20);
    expect(await count('?limit=')).toBe(20);
    expect(await count('?limit=500')).toBe(20);
    expect(await count('?limit=0')).toBe(1);
    expect(await count('?limit=-3')).toBe(1);
    expect(await count('?limit=7&page=2&offset=10')).toBe(7);
  });

  it('is the same selection for everybody within a period', async () => {
    const ids = async (query: string) => {
      const { body } = await getJson(`${url}/gpt/products.json${query}`);
      const rotation = body.rotation as { next_at: string };
      return {
        next: rotation.next_at,
        ids: (body.products as { id: number }[]).map(({ id }) => id),
      };
    };
    const [a, b] = [await ids(''), await ids('?page=3')];
    if (a.next === b.next) expect(a.ids).toEqual(b.ids);
  });
});

describe('the sitemap', () => {
  it('is an index that includes /sitemaps/offers/{part}', async () => {
    expect(await type('/sitemap.xml')).toMatch(/^application\/xml/);
    const index = await text('/sitemap.xml');
    expect(index).toContain(`<loc>${base}/sitemaps/offers/1</loc>`);
    expect(index).toContain(`<loc>${base}/sitemaps/products/1</loc>`);
    expect(index).toMatch(/<lastmod>\d{4}-\d\d-\d\dT/);
  });

  it('lists every page of the public offer index with a true lastmod, and nothing else', async () => {
    expect(await type('/sitemaps/offers/1')).toMatch(/^application\/xml/);
    const part = await text('/sitemaps/offers/1');
    const urls = [...part.matchAll(/<loc>([^<]+)<\/loc><lastmod>([^<]+)<\/lastmod>/g)];
    const manifest = await getJson(`${url}/gpt.json`);
    expect(urls).toHaveLength((manifest.body.counts as { offers: number }).offers);
    for (const [, address = ''] of urls.slice(0, 40)) {
      expect((await fetch(address.replace(base, url), { method: 'HEAD' })).status).toBe(200);
    }
    for (const missing of ['0', '2', '01', 'x']) {
      expect((await fetch(`${url}/sitemaps/offers/${missing}`)).status).toBe(404);
    }
  });

  it('names a picture of the pages that show one', async () => {
    const parts = await Promise.all(['/sitemaps/offers/1', '/sitemaps/products/1'].map(text));
    const pictures = parts.flatMap((part) => [
      ...part.matchAll(
        /<url><loc>([^<]+)<.*?<image:loc>([^<]+)<\/image:loc><\/image:image><\/url>/g,
      ),
    ]);
    expect(pictures.length).toBeGreaterThan(100);
    for (const [, page = '', picture = ''] of pictures.slice(0, 5)) {
      expect(await text(page.slice(base.length))).toContain(`src="${picture}"`);
    }
  });

  it('is named by robots.txt', async () => {
    expect(await text('/robots.txt')).toContain(`Sitemap: ${base}/sitemap.xml`);
  });
});

describe('/ofertas.atom', () => {
  it('is an Atom feed of the public offers, those that changed or began last first', async () => {
    expect(await type('/ofertas.atom')).toBe('application/atom+xml; charset=utf-8');
    const feed = await text('/ofertas.atom');
    expect(feed).toContain('<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pt-BR">');
    expect(feed).toContain(`<id>${base}/ofertas.atom</id>`);
    const entries = [
      ...feed.matchAll(
        /<entry><id>([^<]+)<\/id><title>[^<]+<\/title><link rel="alternate" type="text\/html" href="\1"\/><updated>([^<]+)<\/updated>/g,
      ),
    ];
    expect(entries).toHaveLength(100);
    const dates = entries.map(([, , date = '']) => date);
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(feed).toMatch(new RegExp(`</subtitle>[^]*?<updated>${dates[0]}</updated>`));
    expect(Date.parse(dates[0] ?? '')).toBeLessThanOrEqual(Date.now());
    for (const [, address = ''] of entries.slice(0, 10)) {
      expect((await fetch(address.replace(base, url), { method: 'HEAD' })).status).toBe(200);
    }
    expect(feed).toMatch(
      /<summary>R\$ [\d.,]+ · [^<]+ · [^<]+, [^<]+ · vale até \d\d\/\d\d\/\d{4}</,
    );
    for (const page of ['/', '/ofertas'])
      expect(await text(page)).toContain(
        `type="application/atom+xml" title="Ofertas" href="${base}/ofertas.atom"`,
      );
  });
});

describe('the API description', () => {
  it('is OpenAPI 3.0.3, version 1.2.0, and the same document in JSON and YAML', async () => {
    const { headers, body } = await getJson(`${url}/openapi.json`);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toMatchObject({ openapi: '3.0.3', info: { version: '1.2.0' } });
    expect(await type('/api/openapi.yaml')).toMatch(/^application\/yaml/);
    expect(parse(await text('/api/openapi.yaml'))).toEqual(body);
  });

  it('describes the whole public surface', async () => {
    const { body } = await getJson(`${url}/openapi.json`);
    expect(Object.keys(body.paths as object)).toEqual(
      expect.arrayContaining([
        '/api/public/v1/products/{productId}/stats',
        '/api/public/v1/merchants/{merchantId}/stats',
        '/mcp',
        '/gpt/products.json',
        '/offers/{id}',
        '/sitemaps/offers/{part}',
        ...RESOURCES.filter(({ isShell }) => !isShell).map(({ path }) => path),
      ]),
    );
  });

  // Half of the 214,022 bytes that it had with every answer and example written out.
  it('is at most 107 KB long', async () => {
    expect(Buffer.byteLength(await text('/openapi.json'))).toBeLessThanOrEqual(107_000);
  });

  it('is clean under redocly lint, recommended-strict', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'vitrine-openapi-')), 'openapi.json');
    // The linter refuses a server on localhost; the public one has a name of its own.
    writeFileSync(file, (await text('/openapi.json')).replaceAll(base, 'https://vitrine.test'));
    const { status, stdout, stderr } = spawnSync(
      'node_modules/.bin/redocly',
      ['lint', file, '--extends=recommended-strict', '--format=stylish'],
      {
        encoding: 'utf8',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  });
});

describe('the well-known documents', () => {
  it('are a server card, an API catalog (RFC 9727) and a security.txt', async () => {
    const card = await getJson(`${url}/.well-known/mcp/server-card.json`);
    expect(card.body).toMatchObject({
      protocolVersion: '2025-06-18',
      remotes: [{ type: 'streamable-http', url: `${base}/mcp` }],
    });
    // RFC 9727: the profile of the type, and a Link that HEAD tells.
    const head = await fetch(`${url}/.well-known/api-catalog`, { method: 'HEAD' });
    expect(head.headers.get('content-type')).toMatch(
      /^application\/linkset\+json; profile="https:\/\/www\.rfc-editor\.org\/info\/rfc9727"/,
    );
    expect(head.headers.get('link')).toBe('</.well-known/api-catalog>; rel="api-catalog"');
    const catalog = JSON.parse(await text('/.well-known/api-catalog'));
    expect(catalog.linkset[0]['service-desc'][0].href).toBe(`${base}/openapi.json`);
    expect(await text('/.well-known/security.txt')).toMatch(/^Contact: .+\nExpires: /);
  });
});
