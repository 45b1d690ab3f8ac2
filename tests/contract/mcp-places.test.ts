import { describe, expect, it } from 'vitest';
import { searchProducts } from '../support/mcp.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();

describe('a query that repeats its constraints: these are sent in their own dedicated fields', () => {
  const ids = async (args: object) =>
    (await searchProducts(url, { limit: 20, ...args })).products.map(({ id }) => id);
  const here = { city: 'São Paulo' };

  it.each([
    ['dipirona', 'dipirona na Saúde', { district: 'Saúde' }],
    ['pizza', 'pizza no Limão', { district: 'Limão' }],
    ['suco de limão', 'suco de limão no Limão', { district: 'Limão' }],
    ['ração para cachorro', 'ração para cachorro em Perus', { district: 'Perus' }],
    ['tênis de corrida', 'tênis de corrida no Jd. Paulista', { district: 'Jardim Paulista' }],
    ['sushi', 'sushi restaurant near Vila Mariana, São Paulo', { district: 'vl mariana' }],
    ['farmacia', 'farmacia cerca de Santana', { district: 'Santana' }],
    ['Laufschuhe', 'Laufschuhe in Tatuapé', { district: 'Tatuapé' }],
    ['寿司', 'Liberdadeの寿司', { district: 'Liberdade' }],
    ['лекарство', 'лекарство около Pinheiros', { district: 'Pinheiros' }],
    ['حذاء جري', 'حذاء جري في Pinheiros', { district: 'Pinheiros' }],
    ['running shoes', 'running shoes in Campinas', { city: 'Campinas' }],
    ['pharmacie', 'pharmacie à Copacabana', { city: 'Rio', district: 'Copacabana' }],
    ['tênis', 'tênis na Passada Esportes', { merchant: 'passada esportes' }],
  ])('"%s" and "%s" give the same order', async (query, repeating, constraints) => {
    const found = await ids({ ...here, ...constraints, query: repeating });
    expect(found).toEqual(await ids({ ...here, ...constraints, query }));
  });

  it('gives what is there when it names nothing else', async () => {
    const district = { district: 'Pinheiros' };
    expect(await ids({ ...district, query: 'em Pinheiros' })).toEqual(await ids(district));
    const merchant = { merchant_id: 101 };
    const [product] = (await searchProducts(url, { ...merchant, limit: 1 })).products;
    const asked = await ids({ ...merchant, query: product?.merchant.name });
    expect(asked).toEqual(await ids(merchant));
  });
});

describe('a query that names a place in its words alone', () => {
  it('is not filtered by it but prefers its stores, and a message names the field that filters', async () => {
    const query = 'presente em Pinheiros';
    const answer = await searchProducts(url, { query, limit: 20 });
    expect(answer.applied_filters).not.toHaveProperty('district');
    expect(answer.messages).toEqual([
      '"Pinheiros" is a district of São Paulo: to search there alone, pass district: "Pinheiros".',
    ]);
    expect(answer.interpretation.unmatched_terms).toEqual([]);
    const districts = answer.products.map(({ nearest_store: store }) => store?.district);
    expect(new Set(districts).size).toBeGreaterThan(1);
    const plain = await searchProducts(url, { query: 'presente', limit: 20 });
    const scores = new Map(plain.products.map(({ id, score }) => [id, score]));
    for (const { id, score, nearest_store: store } of answer.products) {
      const usual = scores.get(id) ?? score;
      if (store?.district === 'Pinheiros') expect(score).toBe(usual);
      else expect(score).toBeLessThan(usual || 1);
    }
  });

  it('is searched for in the city that it names, where no field says where', async () => {
    const city = await searchProducts(url, { query: 'açaí in Campinas', limit: 3 });
    expect(city.messages).toEqual([
      '"Campinas" is a city of the catalog, and this is what is found there: to search elsewhere, pass city.',
    ]);
    expect(city.applied_filters).toEqual({ city: 'Campinas' });
    expect(city.products.length).toBeGreaterThan(0);
    expect(city.products.every((p) => p.nearest_store?.city === 'Campinas')).toBe(true);
    const district = await searchProducts(url, { query: 'farmácia em Copacabana', limit: 1 });
    expect(district.applied_filters).toEqual({ city: 'Rio de Janeiro' });
    expect(district.products[0]?.nearest_store?.city).toBe('Rio de Janeiro');
    expect(district.messages).toEqual([
      '"Copacabana" is a district of Rio de Janeiro: to search there alone, pass city: "Rio de Janeiro" and district: "Copacabana".',
    ]);
  });

  it('stays in the city of its field, and says how to search in the one that it names', async () => {
    const query = 'pizza in Campinas';
    const { messages, products } = await searchProducts(url, { query, city: 'São Paulo' });
    expect(messages).toContain(
      '"Campinas" is a city of the catalog: to search there, pass city: "Campinas".',
    );
    expect(products.every((p) => p.nearest_store?.city === 'São Paulo')).toBe(true);
  });

  it('still finds things that share a name with a district', async () => {
    const answer = await searchProducts(url, { query: 'suco de limão', limit: 3 });
    expect(answer.messages).toEqual([]);
    expect(answer.products[0]?.name).toMatch(/suco de limão/i);
  });
});

describe('a price in the words of a query', () => {
  it('puts matching prices first and leaves nothing out; a message names the field that filters', async () => {
    for (const [words, limit] of [
      ['tênis de corrida', 'até R$ '],
      ['sneakers', 'under BRL '],
    ] as const) {
      const { products } = await searchProducts(url, { query: words, limit: 20 });
      const best = products.filter(({ match }) => match === 'exact');
      const prices = best.map(({ price }) => price?.amount ?? 0).sort((a, b) => a - b);
      expect(new Set(prices).size).toBeGreaterThan(1);
      const reais = Math.ceil((prices[0] ?? 0) / 100);
      const answer = await searchProducts(url, { query: `${words} ${limit}${reais}`, limit: 20 });
      const ids = (list: { id: number }[]) => list.map(({ id }) => id).sort((a, b) => a - b);
      expect(ids(answer.products)).toEqual(ids(products));
      const [first] = answer.products;
      expect(best.map(({ id }) => id)).toContain(first?.id);
      expect(first?.price?.amount).toBeLessThanOrEqual(reais * 100);
      expect(answer.messages).toEqual([
        `The query speaks of a price: what keeps to it comes first; to leave out the rest, pass max_price: ${reais}.`,
      ]);
    }
    const limited = await searchProducts(url, { query: 'tênis até R$ 300', max_price: 300 });
    expect(limited.messages).toEqual([]);
  });
});
