import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effort } from '../../src/data/index/effort.ts';
import { KINDS } from '../../src/data/index/format.ts';
import type { Analyser } from '../../src/data/index/reader.ts';
import { rebuildSearchIndex } from '../../src/data/index/rebuild.ts';
import { searchOffers, searchProducts } from '../../src/data/index/search.ts';
import type { Hit, Offer, Product } from '../../src/domain/catalog.ts';
import type { SearchPlan } from '../../src/domain/search.ts';
import { importFeed } from '../../src/feed/import.ts';
import { testDatabase } from '../support/database.ts';
import { indexContent } from '../support/index-content.ts';
import { type Catalog, naiveSearch } from '../support/naive-search.ts';
import { catalogs, feedOf, plans, tokensOf } from '../support/random-catalog.ts';

const sql = await testDatabase();

const analyser: Analyser = {
  version: 'test',
  document: ({ title }) => tokensOf(title),
  concepts: () => [],
  words: () => [],
};

const load = (records: object[], replace: boolean) =>
  importFeed(
    sql,
    records.map((record) => JSON.stringify(record)),
    { replace, force: true, skipInvalid: false, analyser },
  );

const ALL = 2 ** 31 - 1;
const TO_THE_END = { wanted: ALL, depth: ALL, budget: ALL };
/** What a search of the service is; on these small catalogs it scores whatever matches. */
const USUAL = undefined;
/** An effort so small that most results lie deeper. */
const SHORT: Effort = {
  reaches: [{ wanted: 1, depth: 1, budget: 1 }, { wanted: 3, depth: 2, budget: 4 }, TO_THE_END],
  ...{ priceDepths: [1, 4, ALL], slack: 0 },
};

const TERM = { label: 't1', kind: 'term', weight: 1, leads: false } as const;
/** All that has the first word. */
const PLAN: SearchPlan = {
  clauses: [{ ...TERM, words: [{ token: 't1', spelled: null }], meanings: [], names: [] }],
  title: null,
  ...{ city: null, district: null, near: null },
  ...{ preferredDistrict: null, preferredNear: null, preferredPrice: null },
  preferredMerchantIds: null,
  ...{ categoryIds: null, aiCategoryKeys: [], merchantIds: null },
  ...{ minPrice: null, maxPrice: null, inStockOnly: false, sort: 'relevance' },
  ...{ cheap: false, nearby: false, limit: 5 },
};

/** Shops along a street, one every 100 m, each with the same product; only the later ones have a price. */
const streetOfShops = (count: number) =>
  Array.from({ length: count }, (_, place) => place + 1).flatMap((id) => [
    { kind: 'merchant', id, name: `Loja ${id}` },
    {
      ...{ kind: 'store', id, merchant_id: id, name: 'loja', address: 'rua', district: 'Lapa' },
      ...{ city: 'São Paulo', latitude: -23.5, longitude: -46.6 + id * 0.001 },
    },
    {
      ...{ kind: 'product', id, merchant_id: id, name: 't1 |  | ' },
      ...(id > count / 2 ? { price: { amount: 100, currency: 'BRL' } } : {}),
    },
  ]);

type Kind = 'product' | 'offer';

async function search(kind: Kind, plan: SearchPlan, effort: Effort | undefined) {
  const search = kind === 'product' ? searchProducts : searchOffers;
  const { hits } = await search(sql, plan, effort);
  return (hits as Hit<Product | Offer>[]).map((hit) => ({
    id: hit.record.id,
    score: expect.closeTo(hit.score, 6),
    exact: hit.match === 'exact',
    missing: hit.missing,
    loose: hit.loose,
    store: hit.nearestStore?.id ?? null,
  }));
}

// Offers are not sorted by price.
const kindsFor = ({ sort }: SearchPlan): Kind[] =>
  sort.startsWith('price') ? ['product'] : ['product', 'offer'];

const WITHOUT_WISHES = {
  ...{ near: null, cheap: false },
  ...{ preferredDistrict: null, preferredNear: null, preferredPrice: null },
  preferredMerchantIds: null,
} as const;

/** The results as their definition says it. */
async function naive(kind: Kind, catalog: Catalog, plan: SearchPlan) {
  const rows = await sql<{ id: number; number: number }[]>`
    select id, number from search_record where kind = ${KINDS[kind]}`;
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  return naiveSearch(kind, catalog, plan, tokensOf, numbers);
}

async function expectSame(catalog: Catalog, plan: SearchPlan, effort: Effort | undefined) {
  for (const kind of kindsFor(plan)) {
    expect(await naive(kind, catalog, plan), JSON.stringify(plan)).toEqual(
      await search(kind, plan, effort),
    );
  }
}

/** The same results but for the order of equals, and for which of the last equals are among them. */
async function expectBest(catalog: Catalog, plan: SearchPlan, effort: Effort) {
  for (const kind of kindsFor(plan)) {
    const all = await naive(kind, catalog, { ...plan, limit: 1000 });
    const found = await search(kind, plan, effort);
    for (const hit of found) expect(all, JSON.stringify(plan)).toContainEqual(hit);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    expect(
      all.slice(0, plan.limit).map(({ score }) => score),
      JSON.stringify(plan),
    ).toEqual(found.map(({ score }) => score));
  }
}

// Shrinking a failing catalog costs too much; the seed reproduces it.
const runs = (numRuns: number) => ({ numRuns, endOnFailure: true });
const several = (count: number) => fc.array(plans, { minLength: count, maxLength: count });
const smallBuckets = () =>
  sql.begin((tx) =>
    rebuildSearchIndex(tx as unknown as typeof sql, analyser, () => {}, { first: 3, most: 9 }),
  );

describe('the index against a naive search over all records', () => {
  it('gives the same results in the same order, whatever the catalog and the plan', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, several(12), async (catalog, asked) => {
        await load(feedOf(catalog), true);
        await smallBuckets();
        for (const plan of asked) await expectSame(catalog, plan, USUAL);
      }),
      runs(30),
    );
  });

  it('gives the best ones, however little it takes at once', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, several(24), async (catalog, asked) => {
        await load(feedOf(catalog), true);
        await smallBuckets();
        for (const plan of asked) {
          await expectBest(catalog, { ...plan, ...WITHOUT_WISHES, sort: 'relevance' }, SHORT);
        }
      }),
      runs(40),
    );
  });

  it('breaks no constraint and misses no result asked for when it stops early', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, several(12), async (catalog, asked) => {
        await load(feedOf(catalog), true);
        await smallBuckets();
        for (const plan of asked) {
          // The price preference depends on the other results.
          const wanted: SearchPlan = { ...plan, sort: 'relevance', cheap: false };
          for (const kind of kindsFor(wanted)) {
            const found = await search(kind, wanted, SHORT);
            const all = await naive(kind, catalog, { ...wanted, limit: 1000 });
            for (const hit of found) expect(all, JSON.stringify(wanted)).toContainEqual(hit);
            expect(found.length).toBe(Math.min(wanted.limit, all.length));
          }
        }
      }),
      runs(20),
    );
  });

  it('finds an offer whose quality score is the least number above 0', async () => {
    const title = 't1 |  | ';
    await load([{ kind: 'offer', id: -1, title, quality_score: Number.MIN_VALUE }], true);
    expect(await search('offer', PLAN, USUAL)).toHaveLength(1);
  });

  it.each([
    ['a few of what says a word', PLAN.clauses, 5, 120],
    ['many of what says a word', PLAN.clauses, 20, 120],
    ['a few of very much that says a word', PLAN.clauses, 5, 1000],
    ['many of very much that says a word', PLAN.clauses, 20, 1000],
    ['a few of all that there is', [], 5, 120],
    ['many of very much', [], 20, 1000],
  ])(
    'gives the nearest, though others are better described: %s',
    async (_, clauses, limit, count) => {
      await load(streetOfShops(count), true);
      await smallBuckets();
      const here = { latitude: -23.5, longitude: -46.6, radiusMeters: 20_000 };
      const nearest = Array.from({ length: limit }, (__, place) => place + 1);
      for (const sort of ['distance', 'relevance'] as const) {
        const found = await search('product', { ...PLAN, clauses, near: here, sort, limit }, USUAL);
        expect(
          found.map(({ id }) => id),
          sort,
        ).toEqual(nearest);
      }
    },
  );

  it('sorts by price and distance without a miss or a double, however little it takes at once', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, several(12), async (catalog, asked) => {
        await load(feedOf(catalog), true);
        await smallBuckets();
        for (const plan of asked.filter(({ sort }) => sort !== 'relevance')) {
          await expectSame(catalog, plan, { ...SHORT, reaches: [TO_THE_END] });
        }
      }),
      runs(30),
    );
  });

  it('follows changes, additions and removals as if it were made anew', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, catalogs, several(4), async (first, second, asked) => {
        await load(feedOf(first), true);
        await smallBuckets();
        await load(feedOf(second), true);
        for (const plan of asked) await expectSame(second, plan, USUAL);
        const kept = await indexContent(sql);
        expect(kept.doubled).toEqual([]);
        await smallBuckets();
        expect(await indexContent(sql)).toEqual(kept);
      }),
      runs(20),
    );
  });
});
