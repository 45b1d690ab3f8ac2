import { describe, expect, it } from 'vitest';
import { overviewSchema } from '../../src/domain/records.ts';
import { getJson, postRpc } from '../support/http.ts';
import { searchOffers, searchProducts } from '../support/mcp.ts';
import { AMPLE_QUOTAS, sharedService, startService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');

async function rpc(method: string, params: object = {}, at = url) {
  return postRpc(at, { jsonrpc: '2.0', id: 1, method, params });
}

async function read(uri: string, at = url) {
  const { status, headers, body } = await rpc('resources/read', { uri }, at);
  const [content] =
    (body.result as { contents?: [{ uri: string; mimeType: string; text: string }] })?.contents ??
    [];
  return { status, headers, content, error: body.error as { code: number } | undefined };
}

const SEARCH = 'vitrine://search/products{?query,category,city,district,merchant}';

async function complete(name: string, value: string, others: object = {}, uri = SEARCH) {
  const { body } = await rpc('completion/complete', {
    ref: { type: 'ref/resource', uri },
    argument: { name, value },
    context: { arguments: others },
  });
  return (body.result as { completion: { values: string[]; hasMore: boolean } }).completion;
}

describe('resources', () => {
  it('are the guide for agents and the catalog overview, and nothing of the catalog itself', async () => {
    const { body } = await rpc('resources/list');
    expect(body.result).toMatchObject({
      resources: [
        { uri: `${base}/llms.txt`, name: 'llms.txt', mimeType: 'text/plain' },
        { uri: 'vitrine://catalog/overview', name: 'catalog_overview' },
      ],
    });
  });

  it('hold what /llms.txt and catalog_overview answer', async () => {
    const guide = await read(`${base}/llms.txt`);
    expect(guide.content?.text).toBe(await (await fetch(`${url}/llms.txt`)).text());
    const { content } = await read('vitrine://catalog/overview');
    const overview = overviewSchema.parse(JSON.parse(content?.text ?? ''));
    expect((await getJson(`${url}/gpt.json`)).body.counts).toEqual(overview.counts);
  });
});

describe('resource templates', () => {
  it('are product and offer by canonical URL, and the two searches', async () => {
    const { body } = await rpc('resources/templates/list');
    const { resourceTemplates } = body.result as { resourceTemplates: { uriTemplate: string }[] };
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      `${base}/products/{id}`,
      `${base}/offers/{id}`,
      SEARCH,
      SEARCH.replace('products', 'offers'),
    ]);
  });

  it('read a product by the link that an answer gave; one agent view, like get_product', async () => {
    const [product] = (await searchProducts(url, { query: 'pizza' })).products;
    const views = async () =>
      (await getJson(`${url}/api/public/v1/products/${product?.id}/stats`)).body.viewsCount;
    const before = Number(await views());
    const { content } = await read(product?.product_url ?? '');
    const page = await fetch(`${url}/products/${product?.id}`);
    expect(content).toEqual({
      uri: product?.product_url,
      mimeType: 'text/html',
      text: await page.text(),
    });
    expect(await views()).toBe(before + 1);
  });

  it('read an offer by the link that an answer gave, payment offers too', async () => {
    const [offer] = (await searchOffers(url, { query: 'pizza' })).offers;
    for (const uri of [offer?.offer_url ?? '', `${base}/offers/-1`]) {
      const { content } = await read(uri);
      expect(content).toMatchObject({ uri, mimeType: 'text/html' });
      expect(content?.text).toContain(`<link rel="canonical" href="${uri}"`);
    }
  });

  it('search by the words and places of an address', async () => {
    const query = new URLSearchParams({ query: 'tênis', city: 'São Paulo' });
    const { content } = await read(`vitrine://search/products?${query}`);
    const answer = JSON.parse(content?.text ?? '');
    expect(answer.result_count).toBeGreaterThan(0);
    expect(answer.applied_filters).toMatchObject({ city: 'São Paulo' });
  });

  it.each([
    'https://elsewhere.example/products/1',
    `${base}/products/999999999`,
    `${base}/products/0`,
    `${base}/products/01`,
    `${base}/products/-1`,
    `${base}/products/1/`,
    `${base}/products/99999999999999999`,
    `${base}/offers/0`,
    `${base}/gpt.json`,
    'vitrine://search/merchants?query=a',
    'vitrine://search/products/1',
    'x',
  ])('know no %s: -32002 that names it', async (uri) => {
    const { error, status } = await read(uri);
    expect([status, error]).toMatchObject([200, { code: -32002, data: { uri } }]);
  });

  it('answer bad search words with -32602, and so an unknown cursor or reference', async () => {
    for (const uri of ['vitrine://search/products', 'vitrine://search/products?colour=red']) {
      expect((await read(uri)).error).toMatchObject({ code: -32602 });
    }
    for (const list of ['tools/list', 'resources/list', 'resources/templates/list']) {
      expect((await rpc(list, { cursor: 'x' })).body.error).toMatchObject({ code: -32602 });
    }
    const ref = { type: 'ref/prompt', name: 'x' };
    const { body } = await rpc('completion/complete', { ref, argument: { name: 'a', value: '' } });
    expect(body.error).toMatchObject({ code: -32602 });
  });

  it('charge each record read to the quota that get_* shares: 429 when it is used up', async () => {
    const service = await startService({ ...AMPLE_QUOTAS, CATALOG_RECORDS_PER_MINUTE: '3' });
    const own = service.url.replace('127.0.0.1', 'localhost');
    try {
      const offer = `${own}/offers/-1`;
      expect((await read(offer, service.url)).headers.get('ratelimit')).toMatch(/r=2;/);
      const unknown = await read(`${own}/offers/999999999`, service.url);
      expect(unknown.headers.get('ratelimit')).toMatch(/r=2;/);
      const search = await read('vitrine://search/products?query=pizza', service.url);
      expect(JSON.parse(search.content?.text ?? '').result_count).toBe(2);
      const refused = await read(offer, service.url);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await read('vitrine://catalog/overview', service.url)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});

describe('completions', () => {
  it('give known names for the beginning of a word, accents and case ignored', async () => {
    expect((await complete('city', 'sao')).values).toContain('São Paulo');
    expect((await complete('city', 'janeiro')).values).toEqual(['Rio de Janeiro']);
    expect((await complete('district', 'PINH')).values).toEqual(['Pinheiros', 'Alto de Pinheiros']);
    expect((await complete('category', 'calc')).values).toContain('Calçados');
    expect((await complete('merchant', 'pass')).values).toEqual(['Passada Esportes']);
  });

  it('complete a district within the city that is filled in', async () => {
    expect((await complete('district', 'pinheiros', { city: 'Campinas' })).values).toEqual([]);
    expect((await complete('district', '', { city: 'Campinas' })).values).not.toEqual([]);
  });

  it('list nothing by: at most ten names, no merchants for nothing typed, no ids ever', async () => {
    const all = await complete('district', '');
    expect(all.values).toHaveLength(10);
    expect(all.hasMore).toBe(true);
    expect((await complete('merchant', '')).values).toEqual([]);
    expect((await complete('merchant', '%')).values).toEqual([]);
    expect((await complete('id', '1', {}, `${base}/products/{id}`)).values).toEqual([]);
    expect((await complete('nonsense', 'a')).values).toEqual([]);
  });
});
