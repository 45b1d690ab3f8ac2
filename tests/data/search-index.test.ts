import { describe, expect, it } from 'vitest';
import { readOffer } from '../../src/data/catalog/catalog.ts';
import { indexedLexicon, rebuildSearchIndex } from '../../src/data/index/rebuild.ts';
import { searchOffers, searchProducts } from '../../src/data/index/search.ts';
import { correctWords, slips } from '../../src/data/index/vocabulary.ts';
import type { SearchPlan } from '../../src/domain/search.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { testDatabase } from '../support/database.ts';
import { indexContent } from '../support/index-content.ts';

const sql = await testDatabase();
const analyser = openAnalyser();
const load = (records: object[], replace = false) =>
  importFeed(
    sql,
    records.map((record) => JSON.stringify(record)),
    { replace, force: true, skipInvalid: false, analyser },
  );

const NOWHERE = { city: null, district: null, near: null };
/** The token that a word is searched by. */
const tokenOf = (word: string) => analyser.words(word)[0]?.token ?? '';
const plan = (word: string, more: Partial<SearchPlan> = {}): SearchPlan => ({
  clauses: [
    {
      ...{ label: word, kind: 'term', weight: 1, leads: false },
      ...{ words: [{ token: tokenOf(word), spelled: null }], meanings: [], names: [] },
    },
  ],
  title: null,
  categoryIds: null,
  aiCategoryKeys: [],
  merchantIds: null,
  ...NOWHERE,
  minPrice: null,
  maxPrice: null,
  inStockOnly: true,
  sort: 'relevance',
  cheap: false,
  nearby: false,
  preferredDistrict: null,
  preferredNear: null,
  preferredPrice: null,
  preferredMerchantIds: null,
  limit: 20,
  ...more,
});
const products = async (word: string, more: Partial<SearchPlan> = {}) =>
  (await searchProducts(sql, plan(word, more))).hits.map(({ record }) => record.id);
const offers = async (word: string, more: Partial<SearchPlan> = {}) =>
  (await searchOffers(sql, plan(word, more))).hits.map(({ record }) => record.id);

const category = { kind: 'category', id: 10, name: 'Padarias' };
const merchant = { kind: 'merchant', id: 1, name: 'Sol' };
const store = {
  kind: 'store',
  id: 5,
  merchant_id: 1,
  name: 'Sol',
  address: 'Rua Um, 1',
  district: 'Lapa',
  city: 'São Paulo',
  latitude: -23.52,
  longitude: -46.7,
};
const product = {
  kind: 'product',
  id: 100,
  merchant_id: 1,
  category_id: 10,
  name: 'Filtro Havaxana',
  brand: 'Quorix',
  price: { amount: 1000, currency: 'BRL' },
};
const offer = { kind: 'offer', id: 500, merchant_id: 1, product_id: 100, title: 'Leve dois' };

describe('the search index follows', () => {
  it('an import at once, and the offers of a product whose name or price changed', async () => {
    await load([category, merchant, store, product, offer]);
    expect(await products('quorix')).toEqual([100]);
    expect(await offers('quorix')).toEqual([500]);
    expect(await offers('quorix', { maxPrice: 2000 })).toEqual([500]);

    const changed = { ...product, brand: 'Zantex', price: { amount: 9000, currency: 'BRL' } };
    await load([changed]);
    expect(await products('quorix')).toEqual([]);
    expect(await offers('zantex')).toEqual([500]);
    expect(await offers('zantex', { maxPrice: 2000 })).toEqual([]);
    expect(await offers('zantex', { minPrice: 8000 })).toEqual([500]);
  });

  it('the price that an offer without its own takes from its product, which it tells as well', async () => {
    const { hits } = await searchOffers(sql, plan('zantex', { minPrice: 8000 }));
    expect(hits.map(({ record }) => record.price)).toEqual([{ amount: 9000, currency: 'BRL' }]);
    expect((await readOffer(sql, 500))?.offer.price).toEqual({ amount: 9000, currency: 'BRL' });
    await load([{ ...offer, price: { amount: 7000, currency: 'BRL' } }]);
    expect((await readOffer(sql, 500))?.offer.price).toEqual({ amount: 7000, currency: 'BRL' });
    await load([offer]);
  });

  it('a store that moves, and one that comes', async () => {
    const lapa = { city: 'São Paulo', district: 'Lapa' };
    const here = { near: { latitude: -22.9, longitude: -47.06, radiusMeters: 3000 } };
    expect(await products('zantex', lapa)).toEqual([100]);
    await load([{ ...store, district: 'Sé' }]);
    expect(await products('zantex', lapa)).toEqual([]);
    expect(await products('zantex', { ...lapa, district: 'Sé' })).toEqual([100]);
    expect(await products('zantex', here)).toEqual([]);
    await load([{ ...store, id: 6, city: 'Campinas', latitude: -22.9, longitude: -47.06 }]);
    expect(await products('zantex', here)).toEqual([100]);
    expect(await offers('zantex', here)).toEqual([500]);
  });

  it('a category that is renamed, down to what lies below it and to its offers', async () => {
    await load([
      { kind: 'category', id: 11, name: 'Miudezas', parent_id: 10 },
      { ...product, id: 101, category_id: 11 },
    ]);
    expect(await products('Padarias')).toContain(101);
    await load([{ ...category, name: 'Ferragens' }]);
    expect(await products('Padarias')).toEqual([]);
    expect(new Set(await products('Ferragens'))).toEqual(new Set([100, 101]));
    expect(await offers('Ferragens')).toEqual([500]);
  });

  it('removals', async () => {
    await load([{ ...category, name: 'Ferragens' }, merchant, { ...product, id: 102 }], true);
    expect(await products('Havaxana')).toEqual([102]);
    expect(await offers('zantex')).toEqual([]);
    const [left] = await sql`select count(*) as records from search_record`;
    expect(left).toEqual({ records: 1 });
  });
});

describe('a rebuild of the search index', () => {
  it('lets readers see the old index until it commits, and keeps the id of every token', async () => {
    const ids = () => sql`select id, token from search_token order by id`;
    const before = [...(await ids())];
    const other = {
      ...analyser,
      version: 'other',
      document: () => ({
        ...{ head: [tokenOf('novo')], title: [], aside: [], anywhere: [] },
        name: 'novo',
      }),
    };
    await sql.begin(async (tx) => {
      await rebuildSearchIndex(tx as unknown as typeof sql, other);
      expect(await products('Havaxana')).toEqual([102]);
      expect(await products('novo')).toEqual([]);
    });
    expect(await products('Havaxana')).toEqual([]);
    expect(await products('novo')).toEqual([102]);
    expect(await indexedLexicon(sql)).toBe('other');
    expect((await ids()).slice(0, before.length)).toEqual(before);
  });

  it('is the same when threads read the records', async () => {
    const many = Array.from({ length: 3100 }, (_, at) => ({
      ...{
        ...product,
        id: 1000 + at,
        name: `Tênis ${at % 7} corrida nº ${at}`,
        brand: `Marca${at % 11}`,
      },
      description: `Cor azul, tamanho ${at % 40}, "leve"`,
    }));
    await load([category, merchant, product, ...many], true);
    const rebuilt = async (by: typeof analyser) => {
      await sql.begin((tx) => rebuildSearchIndex(tx as unknown as typeof sql, by));
      return indexContent(sql);
    };
    const { openThreads: _, ...alone } = analyser;
    expect(await rebuilt(analyser)).toEqual(await rebuilt(alone));
    await load([category, merchant, product], true);
  }, 120_000);
});

describe('a mistyped word', () => {
  it('means the word of a title or brand that is a slip or two away', async () => {
    await load([
      category,
      merchant,
      { ...product, name: 'Sandália Havaxana conforto', brand: 'Quorix' },
    ]);
    const [correction] = await correctWords(sql, ['havaxnaa']);
    expect(correction).toEqual({
      typed: 'havaxnaa',
      meant: 'havaxana',
      token: tokenOf('havaxana'),
    });
    expect(await correctWords(sql, ['qourix'])).toMatchObject([{ meant: 'quorix' }]);
  });

  it('is left alone when nothing is near, when it is short or a model, or when it is known', async () => {
    expect(await correctWords(sql, ['xyzzyx', 'quo', 'quorx9', 'quorix'])).toEqual([]);
  });

  it.each([
    ['nike', 'nike', 0],
    ['nkie', 'nike', 1],
    ['nikee', 'nike', 1],
    ['nie', 'nike', 1],
    ['mike', 'nike', 1],
    ['kine', 'nike', 2],
    ['', 'abc', 3],
  ])('%s is not %s by %i slips', (a, b, count) => {
    expect(slips(a, b)).toBe(count);
    expect(slips(b, a)).toBe(count);
  });
});
