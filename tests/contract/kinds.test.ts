import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchProducts } from '../support/mcp.ts';
import type { Service } from '../support/service.ts';
import { serveShops } from '../support/small-catalog.ts';

const SHOPS = [
  {
    name: 'Casa Um',
    sells: ['Faca de cozinha 20 cm', 'Filtro de barro', 'Costela de cordeiro kg'],
  },
  { name: 'Farmácia Dois', sells: ['Sevelamer 800 mg 180 comprimidos', 'Dipirona 500 mg'] },
  { name: 'Móveis Três', sells: ['Banqueta alta', 'Mesa de centro'] },
];

describe('a product that the catalog lacks', () => {
  let service: Service;
  beforeAll(async () => {
    service = await serveShops(SHOPS);
  });
  afterAll(() => service.stop());
  const ask = (query: string, more: object = {}) =>
    searchProducts(service.url, { query, limit: 5, ...more });

  it.each(['bread knife', 'faca de pão', 'couteau à pain'])(
    '"%s" is answered by its kind, which the answer says and calls no exact match',
    async (query) => {
      const { products, messages } = await ask(query);
      expect(products.map(({ name, match }) => [name, match])).toEqual([
        ['Faca de cozinha 20 cm', 'partial'],
      ]);
      expect(messages).toContain(
        'Nothing is known as "faca de pão": these are of its kind, "faca".',
      );
    },
  );

  it('is not split into parts where a record has the word as it is written', async () => {
    const { products, messages, interpretation } = await ask('sevelamer');
    expect(products.map(({ name, match }) => [name, match])).toEqual([
      ['Sevelamer 800 mg 180 comprimidos', 'exact'],
    ]);
    expect(messages).toEqual([]);
    expect(interpretation.language).not.toBe('pt');
  });

  it('may be another of the same name, and the answer says so', async () => {
    const { messages } = await ask('banco');
    expect(messages).toContain('The query may also mean "banqueta e banco".');
  });
});
