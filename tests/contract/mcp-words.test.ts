import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchProducts } from '../support/mcp.ts';
import type { Service } from '../support/service.ts';
import { serveRecords } from '../support/small-catalog.ts';

const SHOP = { kind: 'merchant', id: 1, name: 'Sol' };
const STORE = {
  ...{ kind: 'store', id: 1, merchant_id: 1, name: 'Sol', address: 'Rua Um, 1' },
  ...{ district: 'Lapa', city: 'São Paulo', latitude: -23.52, longitude: -46.7 },
};
const CATEGORIES = ['Ferragens', 'Decoração'].map((name, place) => ({
  kind: 'category',
  id: place + 1,
  name,
}));
const item = (id: number, description: string) => ({
  ...{ kind: 'product', id, merchant_id: 1, category_id: 1, name: `Parafuso PX${id}`, description },
});
const TEXT = 'Produto de marca ideal, qualidade e entrega.';
const RECORDS = [
  ...[SHOP, STORE, ...CATEGORIES, item(1, TEXT), item(2, TEXT), item(3, 'De aço inox.')],
  { ...item(4, 'De barro.'), category_id: 2, name: 'Vaso' },
];

let service: Service;
beforeAll(async () => {
  service = await serveRecords(RECORDS);
});
afterAll(() => service.stop());

async function ask(query: string) {
  const { products, messages } = await searchProducts(service.url, { query });
  return { ids: products.map(({ id }) => id).sort(), messages };
}

describe('a query of words that only texts say', () => {
  // "marca" resembles a Spanish word for a frame; the others are stop words in most queries.
  it.each([
    'marca',
    'produto',
    'qualidade',
    'ideal',
    'produto ideal',
    'marca ideal',
    'um produto de qualidade',
  ])('finds the records that say them: %s', async (query) => {
    const { ids, messages } = await ask(query);
    expect(ids).toEqual([1, 2]);
    expect(messages).toEqual([
      expect.stringMatching(/^Searched for the words as they are written: /),
    ]);
  });

  it('finds what speaks of deliveries, and still says that it knows nothing of them', async () => {
    const { ids, messages } = await ask('entrega');
    expect(ids).toEqual([1, 2]);
    expect(messages).toEqual([
      'The catalog knows nothing of deliveries: ask the store.',
      'Searched for the words as they are written: entrega.',
    ]);
  });

  it('leaves noise out that no record says', async () => {
    const { ids, messages } = await ask('produto perfeito');
    expect(ids).toEqual([1, 2]);
    expect(messages).toEqual(['Searched for the words as they are written: produto.']);
  });

  it('finds nothing where no record says any of it', async () => {
    const { ids, messages } = await ask('perfeito');
    expect(ids).toEqual([]);
    expect(messages).toEqual(['The query names nothing that the catalog knows.']);
  });

  it('comes after the nearest category where the query is clear', async () => {
    const { messages } = await ask('porta-retrato de marca');
    expect(messages[0]).toContain('these are from the nearest category, Decoração');
  });

  it('is no answer to a query for a thing that no record is', async () => {
    expect((await ask('iate de marca')).ids).toEqual([]);
  });
});
