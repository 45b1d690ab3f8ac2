import { describe, expect, it } from 'vitest';
import { callTool, getJson } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');
const text = async (path: string) => (await fetch(url + path)).text();

type Counts = Record<string, number>;

async function overview() {
  const { structuredContent } = await callTool(url, 'catalog_overview', {});
  return structuredContent as unknown as { counts: Counts } & Record<string, unknown>;
}

describe('the discovery documents', () => {
  it('tell the same counts', async () => {
    const { counts } = await overview();
    expect((await getJson(`${url}/gpt.json`)).body.counts).toEqual(counts);
    const guide = await text('/llms.txt');
    expect(guide).toContain(`${counts.products} products and ${counts.offers} current offers`);
    expect(guide).toContain(`${counts.merchants} merchants with ${counts.stores} stores`);
    const offers = await text('/sitemaps/offers/1');
    expect(offers.match(/<loc>/g)).toHaveLength(counts.offers ?? -1);
    const products = await text('/sitemaps/products/1');
    expect(products.match(/<loc>/g)).toHaveLength(counts.products ?? -1);
    const digits = new RegExp(`${counts.products}\\D{1,30}produtos`);
    expect((await text('/')).replace(/<[^>]*>/g, ' ')).toMatch(digits);
  });

  it('tell the same tools, capabilities, limits and rules', async () => {
    const [manifest, card, discovery] = await Promise.all(
      ['/gpt.json', '/.well-known/mcp/server-card.json', '/mcp'].map(
        async (path) => (await getJson(url + path)).body,
      ),
    );
    expect((manifest?.mcp as { tools?: unknown } | undefined)?.tools).toEqual(card?.tools);
    expect(discovery?.tools).toEqual(card?.tools);
    expect(discovery?.capabilities).toEqual(card?.capabilities);
    const told = await overview();
    for (const field of ['limits', 'usage_policy']) {
      expect([field, manifest?.[field]]).toEqual([field, told[field]]);
      expect([field, discovery?.[field]]).toEqual([field, told[field]]);
    }
    expect(manifest?.endpoints).toEqual(told.endpoints);
  });

  it('link to nothing that is not there', async () => {
    const paths = [
      '/',
      '/docs',
      '/llms.txt',
      '/gpt.json',
      '/robots.txt',
      '/sitemap.xml',
      '/openapi.json',
      '/api/openapi.yaml',
      '/mcp',
      '/.well-known/mcp/server-card.json',
      '/.well-known/api-catalog',
      '/.well-known/security.txt',
    ];
    const links = new Set<string>();
    for (const path of paths) {
      for (const [link] of (await text(path))
        .replaceAll('&quot;', '"')
        .matchAll(/https?:\/\/[^\s"'<>)\]\\`]+/g)) {
        if (link.startsWith(base)) links.add(link.replace(/[.,;]$/, '').replace(/#.*/, ''));
      }
    }
    expect(links.size).toBeGreaterThan(40);
    for (const link of links) {
      const filled = link
        .replace('/offers/{id}', '/offers/50001')
        .replace('/products/{id}', '/products/10001')
        .replace(/\{(productId|merchantId|id|part)\}|%7Bid%7D/g, '1')
        .replace('{n}', '1')
        .replace(base, url);
      // The examples of the description name records that the sample does not have.
      if (/\/api\/public\/v1\/$|\/offers\/50001$|\/products\/1$/.test(filled)) continue;
      const { status } = await fetch(filled);
      expect([link, status < 400]).toEqual([link, true]);
    }
  });
});
