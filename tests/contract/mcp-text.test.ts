import { describe, expect, it } from 'vitest';
import { offerAnswerSchema, overviewSchema } from '../../src/domain/records.ts';
import { callTool } from '../support/http.ts';
import { ask } from '../support/mcp.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();

/** Fields that the text expresses differently or may omit, by name. */
const OTHER_WORDS: Record<string, RegExp> = {
  answer_markdown: /^/, // the text itself
  amount: /^/, // `formatted` says it
  currency: /^/,
  in_stock: /in stock/,
  out_of_stock: /out of stock/,
  partial: /partial match/,
  exact: /exact match/,
  category_fallback: /match by category only/,
};
/** Fields of which a person needs another form: an instant is a day, a place is a map link or a distance. */
const ELSEWHERE =
  /(^|\.)(product_url|offer_url|valid_from|valid_until|updated_at|type|result_count)$/;
const NEAREST = /nearest_store\.(id|latitude|longitude|distance_meters)$/;
const PICTURE = /media\.\d+\.url$/; // its address is the catalog's, and only canonical links are given
const KNOWN_BY_NAME = /(category|merchant|fallback)(\.category)?\.(id|type)$/;

type Leaf = [path: string, value: string | number];

function leaves(value: unknown, path = ''): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    leaves(child, path === '' ? key : `${path}.${key}`),
  );
}

/** Markdown as a reader sees it: escapes taken away, blanks as one. */
const plain = (markdown: string) => markdown.replace(/\\(.)/g, '$1').replace(/\s+/g, ' ');

function unsaid(structured: Record<string, unknown>, markdown: string, ignored: RegExp[]): Leaf[] {
  const text = plain(markdown);
  return leaves(structured).filter(([path, value]) => {
    const field = path.split('.').at(-1) ?? '';
    if ([ELSEWHERE, PICTURE, ...ignored].some((form) => form.test(path))) return false;
    const other = OTHER_WORDS[field] ?? OTHER_WORDS[String(value)];
    if (other !== undefined) return !other.test(text) && !other.test(plain(markdown));
    return !text.includes(plain(String(value)));
  });
}

describe('the text of an answer says what its structuredContent says', () => {
  it.each([
    ['search_local_products', { query: 'tênis vermelho de corrida nike', limit: 20 }],
    ['search_local_products', { query: 'running shoes', max_price: 599.9, in_stock_only: false }],
    ['search_local_products', { query: 'pizza', latitude: -23.56, longitude: -46.69 }],
    ['search_local_products', { category: 'Moda', district: 'Pinheiros', city: 'São Paulo' }],
    ['search_local_products', { merchant: 'Cantina Dona Zulmira', sort: 'price_asc' }],
    ['search_local_products', { query: 'sushi', district: 'Copacabana' }],
    ['search_local_products', { query: 'zzqq xxyy' }],
    ['search_local_offers', { query: 'lasanha para dois', limit: 20 }],
    ['search_local_offers', { query: 'pix', limit: 20 }],
  ])('%s %j', async (tool, args) => {
    const { content, structuredContent } = await callTool(url, tool, args);
    expect(content[0]?.text).toBe(structuredContent?.answer_markdown);
    const ignored = [NEAREST, KNOWN_BY_NAME, /applied_filters\.(min_price|max_price|merchant_id)$/];
    expect(unsaid(structuredContent ?? {}, content[0]?.text ?? '', ignored)).toEqual([]);
  });

  it.each([
    ['get_product', { product_id: 10359 }],
    ['get_product', { product_id: 10001 }],
    ['get_offer', { offer_id: 50001 }],
    ['get_offer', { offer_id: 50008 }],
    ['get_offer', { offer_id: -13 }],
    ['catalog_overview', {}],
  ])('%s %j', async (tool, args) => {
    const { content, structuredContent } = await callTool(url, tool, args);
    const ignored = [/^endpoints\.\d+\.(name|cache_seconds)$/, /^cities\.\d+\.state$/];
    const text = (content[0]?.text ?? '').toLowerCase();
    const said = unsaid(structuredContent ?? {}, content[0]?.text ?? '', ignored).filter(
      // The use rules stand in sentences.
      ([path, value]) =>
        !path.startsWith('usage_policy') || !text.includes(String(value).toLowerCase()),
    );
    expect(said).toEqual([]);
  });
});

describe('the text of a search', () => {
  const search = async (args: Record<string, unknown>, tool = 'search_local_products') =>
    (await callTool(url, tool, args)).content[0]?.text ?? '';

  it('says what was understood, where was searched and whether that is the default', async () => {
    expect(await search({ query: 'zapatillas para correr', limit: 1 })).toMatch(
      /Understood as tênis de corrida.*\nSearched: São Paulo \(the default city\)\./,
    );
    const named = await search({ query: 'pizza', city: 'Campinas', max_price: 50 });
    expect(named).toContain('Searched: Campinas; up to R$ 50,00.');
  });

  it('says in which part a record does not fit', async () => {
    const text = await search({ query: 'tênis vermelho de corrida nike', limit: 20 });
    expect(text).toMatch(/partial match, .*without [^\n]*"vermelho"/);
  });

  it('names fields as they are to be copied', async () => {
    const text = await search({ query: 'tênis até R$ 300', limit: 1 });
    expect(text).toContain('pass max_price: 300');
  });

  it('gives the last day of an offer, not the instant that ends it', async () => {
    const { content, structuredContent } = await callTool(url, 'get_offer', { offer_id: 50001 });
    const offer = offerAnswerSchema.parse(structuredContent).offer;
    expect(offer.valid_until).not.toBeNull();
    const [day] = new Date(Date.parse(offer.valid_until ?? '') - 3 * 3_600_000 - 1)
      .toISOString()
      .split('T');
    expect(offer.last_valid_day).toBe(day);
    expect(content[0]?.text).toContain(`through ${day}`);
    expect(content[0]?.text).toContain('De segunda a quinta, no salão ou para retirar.');
    expect(content[0]?.text).toContain('(of the offer)');
  });
});

describe('an id that is something else', () => {
  it.each([
    ['get_product', { product_id: 50001 }, '50001 is an offer: get_offer'],
    ['get_offer', { offer_id: 10001 }, '10001 is a product: get_product'],
    ['get_product', { product_id: 101 }, '101 is a merchant: pass it as merchant_id'],
    ['get_product', { product_id: 987654321 }, 'search_local_products'],
  ])('%s %j: %s', async (tool, args, words) => {
    const { isError, content } = await callTool(url, tool, args);
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain(words);
  });

  it('is not told of an offer that is not public', async () => {
    const { content } = await callTool(url, 'get_product', { product_id: 999_999 });
    expect(content[0]?.text).not.toContain('offer');
  });
});

describe('catalog_overview', () => {
  it('names categories, cities and districts that the next search can be kept to', async () => {
    const overview = await ask(url, overviewSchema, 'catalog_overview', {});
    const { categories, cities, districts } = overview;
    expect(categories.length).toBeLessThanOrEqual(40);
    expect(districts.length).toBeLessThanOrEqual(40);
    for (const args of [
      { category: categories[0]?.name },
      { category: String(categories.at(-1)?.id) },
      { city: cities.at(-1)?.name },
      { city: districts.at(-1)?.city, district: districts.at(-1)?.name },
    ]) {
      const found = await callTool(url, 'search_local_products', { limit: 1, ...args });
      expect(found.structuredContent?.result_count, JSON.stringify(args)).toBe(1);
    }
  });
});

describe('tools/list', () => {
  it('stays within 11 KB and tells every field of a result', async () => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const body = await response.text();
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(11_000);
    const { tools } = JSON.parse(body).result as {
      tools: { name: string; outputSchema: object }[];
    };
    const calls: [string, Record<string, unknown>][] = [
      ['catalog_overview', {}],
      ['search_local_products', { query: 'tênis vermelho de corrida nike' }],
      ['get_product', { product_id: 10001 }],
      ['search_local_offers', { query: 'pizza' }],
      ['get_offer', { offer_id: 50001 }],
    ];
    for (const [name, args] of calls) {
      const { structuredContent } = await callTool(url, name, args);
      const schema = JSON.stringify(tools.find((tool) => tool.name === name)?.outputSchema);
      const fields = leaves(structuredContent)
        .filter(([path]) => !/^(applied_filters|limits)\./.test(path))
        .flatMap(([path]) => path.split('.').filter((part) => !/^\d+$/.test(part)));
      for (const field of new Set(fields))
        expect(schema, name).toMatch(new RegExp(`\\b${field}\\b`));
    }
  });
});
