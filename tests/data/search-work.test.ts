import { beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/data/connection/client.ts';
import { searchOffers, searchProducts } from '../../src/data/index/search.ts';
import { ROLE } from '../../src/domain/relevance.ts';
import type { Clause, SearchPlan } from '../../src/domain/search.ts';
import { importFeed } from '../../src/feed/import.ts';
import { testDatabase } from '../support/database.ts';
import { tokensOf } from '../support/random-catalog.ts';

const sql = await testDatabase();

const RECORDS = 4000;
const SHOPS = 80;
/** What a search may read of a catalog of any size: a few times what it scores at its first depth. */
const FEW_ROWS = 2000;

const analyser = {
  version: 'test',
  document: ({ title }: { title: string }) => tokensOf(title),
  concepts: () => [],
  words: () => [],
};

/** Every text says all these words; three titles say the first, three others the second of them. */
const TEXT = 'marca ideal qualidade entrega caixa c:caixa';
const TITLES = ['marca', 'marca', 'marca', 'ideal', 'ideal', 'ideal', 'caixa c:caixa'];
const title = (id: number) =>
  `${TITLES[id - 1] ?? `nome${id}`} |  |  | ${TEXT}${id === 50 ? ' raro' : ''}`;

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

/** Shops along a street, the later ones in another city. */
const shops = numbers(SHOPS).flatMap((id) => [
  { kind: 'merchant', id, name: `Loja ${id}` },
  { kind: 'category', id, name: `Seção ${id}` },
  {
    ...{ kind: 'store', id, merchant_id: id, name: 'loja', address: 'rua', district: 'Lapa' },
    ...{ city: id <= SHOPS / 2 ? 'São Paulo' : 'Campinas' },
    ...{ latitude: -23.5, longitude: -46.6 + id * 0.002 },
  },
]);
const items = numbers(RECORDS).flatMap((id) => {
  const shop = 1 + (id % SHOPS);
  const common = { id, merchant_id: shop, price: { amount: 1000 + id, currency: 'BRL' } };
  return [
    { ...common, kind: 'product', category_id: shop, name: title(id) },
    { ...common, kind: 'offer', product_id: id, title: title(id) },
  ];
});

beforeAll(async () => {
  const lines = [...shops, ...items].map((record) => JSON.stringify(record));
  await importFeed(sql, lines, { replace: true, skipInvalid: false, analyser });
  await sql`analyze`;
}, 60_000);

const word = (token: string) => ({ token, spelled: null });
/** A word that the lexicon does not know. */
const term = (token: string, weight: number = ROLE.term): Clause => ({
  ...{ label: token, kind: 'term', weight, leads: false },
  ...{ words: [word(token)], meanings: [], names: [] },
});
/** A word of which the lexicon knows what it means. */
const named = (said: string, concept: string): Clause => ({
  ...{ label: said, kind: 'concept', weight: ROLE.head, leads: true },
  ...{ words: [word(said)], meanings: [{ token: concept, sureness: 1 }], names: [] },
});

const plan = (clauses: Clause[], more: Partial<SearchPlan>): SearchPlan => ({
  clauses,
  title: null,
  ...{ city: null, district: null, near: null },
  ...{ preferredDistrict: null, preferredNear: null, preferredPrice: null },
  preferredMerchantIds: null,
  ...{ categoryIds: null, aiCategoryKeys: [], merchantIds: null },
  ...{ minPrice: null, maxPrice: null, inStockOnly: true, sort: 'relevance' },
  ...{ cheap: false, nearby: false, limit: 10, ...more },
});

/** Searches in a transaction of its own, which counts the rows of records that it reads. */
async function measure(search: typeof searchProducts | typeof searchOffers, wanted: SearchPlan) {
  return sql.begin(async (tx) => {
    const { hits } = await search(tx as unknown as Sql, wanted);
    const [row] = await tx<{ rows: number }[]>`
      select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_xact_user_tables where relname in ('search_record', 'product', 'offer')`;
    return { ids: hits.map(({ record }) => record.id), rows: row?.rows };
  });
}

/** Constraints that the first records keep to, and the orders of results. */
const near = { latitude: -23.5, longitude: -46.6, radiusMeters: 5000 };
const first = numbers(20);
const CASES: [string, Partial<SearchPlan>][] = [
  ['alone', {}],
  ['in a city', { city: 'São Paulo' }],
  ['in categories', { categoryIds: first }],
  ['of merchants', { merchantIds: first }],
  ['in a price range', { minPrice: 1000, maxPrice: 4000 }],
  ['near coordinates', { near }],
  ['as cheap as can be', { cheap: true }],
  ['by distance', { near, sort: 'distance' }],
  ['by price', { sort: 'price_asc' }],
  ['by price, the dearest first', { sort: 'price_desc' }],
];
const SEARCHES = [
  ['products', searchProducts, CASES],
  ['offers', searchOffers, CASES.filter(([, { sort }]) => !sort?.startsWith('price'))],
] as const;

describe.each(SEARCHES)('a search of %s for a word that every text says', (_, search, cases) => {
  it.each(cases)('reads few rows when that is too little for a result: %s', async (__, more) => {
    // A concept that no record has; the common word itself weighs little.
    const clauses = [named('unknown', 'c:unknown'), term('marca', ROLE.soft)];
    const { ids, rows } = await measure(search, plan(clauses, more));
    expect(ids).toEqual([]);
    expect(rows).toBeLessThan(FEW_ROWS);
  });

  it.each(cases)('reads few rows to find the titles that say it: %s', async (__, more) => {
    const { ids, rows } = await measure(search, plan([term('marca')], more));
    expect(new Set(ids)).toEqual(new Set([1, 2, 3]));
    expect(rows).toBeLessThan(FEW_ROWS);
  });

  it.each(cases)('tells a name in the title from one in the text: %s', async (__, more) => {
    const clauses = [named('caixa', 'c:caixa'), term('qualidade', ROLE.soft)];
    const { ids, rows } = await measure(search, plan(clauses, more));
    expect(ids).toEqual([7]);
    expect(rows).toBeLessThan(FEW_ROWS);
  });

  it.each(cases)('reads few rows when no title says more than another: %s', async (__, more) => {
    const clauses = [term('qualidade'), term('entrega')];
    const { ids, rows } = await measure(search, plan(clauses, more));
    expect(ids).toHaveLength(10);
    expect(rows).toBeLessThan(FEW_ROWS);
  });

  it.each(cases)('reads few rows beside the one that says more: %s', async (__, more) => {
    const clauses = [named('qualidade', 'c:unknown'), term('raro', ROLE.attribute)];
    const { ids, rows } = await measure(search, plan(clauses, more));
    expect(ids).toHaveLength(10);
    expect(rows).toBeLessThan(FEW_ROWS);
  });

  it.each(cases)('reads few rows for two words that titles say apart: %s', async (__, more) => {
    const wanted = plan([term('marca'), term('ideal')], { ...more, limit: 6 });
    const { ids, rows } = await measure(search, wanted);
    expect(new Set(ids)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(rows).toBeLessThan(FEW_ROWS);
  });
});
