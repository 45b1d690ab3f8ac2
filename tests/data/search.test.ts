import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Effort, searchOffers, searchProducts } from '../../src/data/search/search.ts';
import type { Analyser } from '../../src/data/search/tokens.ts';
import { rebuildSearchIndex } from '../../src/data/search-index/rebuild.ts';
import type { Hit, Offer, Product } from '../../src/domain/catalog.ts';
import type { SearchPlan } from '../../src/domain/search.ts';
import { importFeed } from '../../src/feed/import.ts';
import { testDatabase } from '../support/database.ts';
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
/** What a search of the service is; on these small catalogs it scores whatever matches. */
const USUAL = undefined;
/** Everything through the walk, to its end. */
const WALK: Effort = { few: 0, depths: [ALL], bestDepths: [ALL], priceDepths: [ALL] };
/** So short of breath that most results lie deeper. */
const SHORT: Effort = {
  few: 0,
  depths: [2, 6, ALL],
  bestDepths: [1, ALL],
  priceDepths: [1, 4, ALL],
};

/** All that has the first word. */
const PLAN: SearchPlan = {
  groups: [{ label: 't1', weight: 1, alternatives: [{ token: 't1', weight: 1 }] }],
  ...{ city: null, district: null, near: null, preferredDistrict: null, preferredPrice: null },
  ...{ categoryIds: null, aiCategoryKey: null, merchantIds: null },
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

async function expectSame(catalog: Catalog, plan: SearchPlan, effort: Effort | undefined) {
  for (const kind of kindsFor(plan)) {
    expect(naiveSearch(kind, catalog, plan, tokensOf)).toEqual(await search(kind, plan, effort));
  }
}

// A catalog is too dear to make smaller ones of a failing one; the seed tells which it was.
const runs = (numRuns: number) => ({ numRuns, endOnFailure: true });
const several = (count: number) => fc.array(plans, { minLength: count, maxLength: count });
const smallBuckets = () =>
  sql.begin((tx) =>
    rebuildSearchIndex(tx as unknown as typeof sql, analyser, () => {}, { first: 3, most: 9 }),
  );

describe('the index against the obvious search over all records', () => {
  it('gives the same results in the same order, whatever the catalog and the plan', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, several(12), async (catalog, asked) => {
        await load(feedOf(catalog), true);
        await smallBuckets();
        for (const plan of asked) {
          await expectSame(catalog, plan, USUAL);
          await expectSame(catalog, plan, WALK);
        }
      }),
      runs(30),
    );
  });

  it('breaks no constraint and misses no result asked for when it stops early', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, several(12), async (catalog, asked) => {
        await load(feedOf(catalog), true);
        await smallBuckets();
        for (const plan of asked.map((one) => ({ ...one, sort: 'relevance' as const }))) {
          for (const kind of kindsFor(plan)) {
            const found = await search(kind, plan, SHORT);
            const all = naiveSearch(kind, catalog, { ...plan, limit: 1000 }, tokensOf, 0);
            for (const hit of found) expect(all).toContainEqual(hit);
            const good = naiveSearch(kind, catalog, plan, tokensOf);
            expect(found.length).toBeGreaterThanOrEqual(good.length);
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

  it('gives the nearest of many that match alike, though others are better described', async () => {
    await load(streetOfShops(120), true);
    await smallBuckets();
    const here = { latitude: -23.5, longitude: -46.6, radiusMeters: 20_000 };
    const effort = { ...SHORT, depths: [20, ALL] };
    for (const sort of ['relevance', 'distance'] as const) {
      const found = await search('product', { ...PLAN, near: here, sort }, effort);
      expect(found.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('sorts by price and distance without a miss or a double, however little it takes at once', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, several(12), async (catalog, asked) => {
        await load(feedOf(catalog), true);
        await smallBuckets();
        for (const plan of asked.filter(({ sort }) => sort !== 'relevance')) {
          await expectSame(catalog, plan, { ...WALK, priceDepths: SHORT.priceDepths });
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
        for (const plan of asked) await expectSame(second, plan, WALK);
        const kept = await indexContent();
        await smallBuckets();
        expect(await indexContent()).toEqual(kept);
      }),
      runs(20),
    );
  });
});

/** What the index says of each record: its rank and tokens by level, and its postings alike. */
async function indexContent() {
  const records = await sql`
    select kind, id, number >> 26 as rank,
      (select array_agg(token || ' ' || (key & 3) order by token, key)
       from unnest(keys) key join search_token t on t.id = key / 4) as tokens
    from search_record order by kind, id`;
  const postings = await sql`
    select r.kind, r.id, count(*) as keys from search_posting p, unnest(p.numbers) number
    join search_record r using (number) where r.kind = p.kind and p.key = any(r.keys)
    group by r.kind, r.id order by 1, 2`;
  const [sizes] = await sql`
    select (select sum(cardinality(numbers)) from search_posting) as held,
      (select sum(records) from search_posting) as counted,
      (select sum(cardinality(keys)) from search_record) as keys`;
  return { records: [...records], postings: [...postings], sizes };
}
