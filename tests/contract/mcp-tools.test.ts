import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import {
  offerAnswerSchema,
  overviewSchema,
  productAnswerSchema,
} from '../../src/domain/records.ts';
import { callTool, getJson } from '../support/http.ts';
import { ask, searchOffers, searchProducts } from '../support/mcp.ts';
import { sharedService } from '../support/service.ts';

const { url, databaseUrl } = sharedService();

describe('the official MCP SDK client', () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`))));
  afterAll(() => client.close());

  it('lists the five tools with schemas and read-only annotations', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'catalog_overview',
      'search_local_products',
      'get_product',
      'search_local_offers',
      'get_offer',
    ]);
    for (const tool of tools) {
      expect(tool.inputSchema.additionalProperties).toBe(false);
      expect(tool.outputSchema?.type).toBe('object');
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(JSON.stringify(tool)).not.toContain('$ref');
    }
  });

  it('calls all five tools; the SDK validates each answer against its outputSchema', async () => {
    await client.listTools();
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError ?? false).toBe(false);
      return result.structuredContent as Record<string, { id: number }[]>;
    };
    await call('catalog_overview', {});
    const products = await call('search_local_products', { query: 'pizza' });
    await call('get_product', { product_id: products.products?.[0]?.id });
    const offers = await call('search_local_offers', { query: 'pizza' });
    await call('get_offer', { offer_id: offers.offers?.[0]?.id });
  });
});

describe('catalog_overview', () => {
  it('gives live counts, public documents and endpoints, the same counts as /gpt.json', async () => {
    const overview = await ask(url, overviewSchema, 'catalog_overview', {});
    expect(overview.counts.products).toBeGreaterThan(0);
    const manifest = await getJson(`${url}/gpt.json`);
    expect(manifest.body.counts).toEqual(overview.counts);
    expect(overview.default_city).toBe('São Paulo');
    expect(overview.documents.map(({ name }) => name)).toContain('llms.txt');
  });
});

describe('get_product', () => {
  it('returns details, price, merchant stores and canonical URL, and records one agent view', async () => {
    const [{ id } = { id: 0 }] = (await searchProducts(url, { query: 'pizza' })).products;
    const views = async () =>
      Number((await getJson(`${url}/api/public/v1/products/${id}/stats`)).body.viewsCount);
    const before = await views();
    const { product } = await ask(url, productAnswerSchema, 'get_product', { product_id: id });
    expect(product.id).toBe(id);
    expect(product.stores.length).toBeGreaterThan(0);
    expect(product.product_link_markdown).toContain(product.product_url);
    expect(await views()).toBe(before + 1);
    await searchProducts(url, { query: 'pizza' });
    expect(await views()).toBe(before + 1);
  });

  it('answers an unknown id with isError text that names it', async () => {
    const result = await callTool(url, 'get_product', { product_id: 999999999 });
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain('999999999');
  });
});

describe('search_local_offers and get_offer', () => {
  it('rank current offers by relevance and quality score, with links to offer and product', async () => {
    const answer = await searchOffers(url, { query: 'pizza' });
    expect(answer.offers.length).toBeGreaterThan(0);
    for (const offer of answer.offers) {
      expect(offer.offer_link_markdown).toContain(`](${offer.offer_url})`);
      expect(offer.quality_score).toBeGreaterThanOrEqual(0);
      if (offer.product_url !== undefined) {
        expect(offer.product_link_markdown).toContain(offer.product_url);
      }
    }
  });

  it('refuse sort by price and in_stock_only', async () => {
    for (const args of [
      { query: 'x', sort: 'price_asc' },
      { query: 'x', in_stock_only: true },
    ]) {
      expect((await callTool(url, 'search_local_offers', args)).isError).toBe(true);
    }
  });

  it('take negative IDs for payment offers, and 0 for none', async () => {
    const { offer } = await ask(url, offerAnswerSchema, 'get_offer', { offer_id: -1 });
    expect(offer).toMatchObject({ id: -1, is_payment_offer: true });
    const zero = await callTool(url, 'get_offer', { offer_id: 0 });
    expect(zero.content[0]?.text).toMatch(/must not be 0/);
  });

  it('leave out hidden, expired, inactive and app-only top offers', async () => {
    const sql = openDatabase(databaseUrl, { max: 1 });
    const rows = await sql<{ id: number; title: string }[]>`
      select id, title from offer o where not is_public(o, now())`;
    await sql.end();
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, title } of rows) {
      const result = await callTool(url, 'get_offer', { offer_id: id });
      expect(result.isError).toBe(true);
      expect(result.content[0]?.text).toContain(String(id));
      const found = await searchOffers(url, { query: title.slice(0, 400), limit: 20 });
      expect(found.offers.map((offer) => offer.id)).not.toContain(id);
      expect((await fetch(`${url}/offers/${id}`)).status).toBe(404);
    }
  });
});
