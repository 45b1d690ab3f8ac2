import { describe, expect, it } from 'vitest';
import type { Hit, Offer, Product } from '../../src/domain/catalog.ts';
import { makeLinks } from '../../src/domain/links.ts';
import type { Live } from '../../src/live/live.ts';
import { searchLocalOffers } from '../../src/live/mcp/offers.ts';
import { searchLocalProducts } from '../../src/live/mcp/products.ts';

const fill = (text: string, letters: number) => text.repeat(letters).slice(0, letters);

/** A record whose every text is as long as a feed may make it. */
function longest(id: number, text: string): Hit<Product & Offer> {
  const long = (letters = 300) => fill(text, letters);
  const named = { id: 2 ** 53 - 1, name: long() };
  const record = {
    ...{ id: 2 ** 53 - 1 - id, name: long(), title: long(), brand: long(), aiCategory: long() },
    ...{ description: long(20_000), enrichedCopy: long(20_000), media: [], inStock: false },
    ...{ category: named, merchant: named, product: named, qualityScore: 0.123456789 },
    price: { amount: 2 ** 53 - 1, currency: 'BRL' },
    ...{ listPrice: null, productPrice: null, hasOwnPrice: false },
    ...{ validFrom: '2026-11-01T00:00:00.000Z', validUntil: '2026-12-01T00:00:00.000Z' },
    updatedAt: '2026-11-01T00:00:00.000Z',
  };
  const nearestStore = {
    ...{ ...named, address: long(), district: long(), city: long(), state: long() },
    ...{ latitude: -23.123456789012, longitude: -46.123456789012, distanceMeters: 49_999 },
  };
  const labels = Array.from({ length: 16 }, () => long());
  return { record, match: 'partial', missing: labels, loose: labels, score: 0.123, nearestStore };
}

function liveWith(hits: Hit<Product & Offer>[], productPages: string | null = null): Live {
  const find = async () => ({ hits, unknownTokens: [] });
  return {
    info: { name: 'Vitrine', baseUrl: 'https://vitrine.example' },
    links: makeLinks('https://vitrine.example', productPages),
    catalog: { findMerchantName: async () => 'Loja', searchProducts: find, searchOffers: find },
  } as unknown as Live;
}

describe('an answer of 20 records', () => {
  it.each(['Calçado ', '[*_\\"', '豪華な椅子', '😀'])(
    'stays under 40 KB whatever the names of the catalog (%s)',
    async (text) => {
      const hits = Array.from({ length: 20 }, (_, index) => longest(index, text));
      for (const tool of [searchLocalProducts, searchLocalOffers]) {
        const context = { live: liveWith(hits), recordsLeft: 40 };
        const { content, structuredContent } = await tool.run(
          { merchant_id: 1, limit: 20 },
          context,
        );
        expect(tool.output.parse(structuredContent).result_count).toBe(20);
        const bytes = Buffer.byteLength(JSON.stringify({ content, structuredContent }));
        expect(bytes).toBeLessThan(40_000);
        expect(bytes).toBeGreaterThan(20_000);
      }
    },
  );

  it.each([
    ['whole', 1, 300],
    ['shortened', 4, 120],
  ])('has %s names where there are %i of the longest records', async (_, records, letters) => {
    const hits = Array.from({ length: records }, (__, index) => longest(index, 'Calçado '));
    const context = { live: liveWith(hits), recordsLeft: 40 };
    const { structuredContent } = await searchLocalProducts.run({ merchant_id: 1 }, context);
    const [product] = structuredContent.products as { name: string; brand: string }[];
    expect(product?.name).toHaveLength(letters);
    expect(product?.brand).toHaveLength(letters);
  });
});

describe('a resource_link', () => {
  it.each([
    ['ours', null, 'text/html'],
    ["the mall's own", 'https://mall.example/p/{id}', 'application/json'],
  ])('tells the type that reading it gives, where the page is %s', async (_, pages, mimeType) => {
    const context = { live: liveWith([longest(1, 'Calçado ')], pages), recordsLeft: 40 };
    const { content } = await searchLocalProducts.run({ merchant_id: 1 }, context);
    expect(content[1]).toMatchObject({ type: 'resource_link', mimeType });
  });
});
