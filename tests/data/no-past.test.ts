import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { type FeedRecord, type FeedRecordOf, feedRecordSchema } from '../../src/domain/catalog.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import type { Live } from '../../src/live/live.ts';
import { sampleFeedLines } from '../../src/sample/load.ts';
import { type MixedQuery, mixedQueries } from '../search/mixed.ts';
import { ask, kindsFor, openCatalog } from '../support/catalog-live.ts';
import { newDatabase } from '../support/service.ts';

const QUERIES = 300;
const SEED = 16;
/** One query in this many is also run on offers. */
const OFFERS = 4;
const AT_ONCE = 2;
const SHOWN = 15;
const COPY_IDS = 1_000_000;
const REAL_FEED = process.env.REAL_FEED ?? '../shared/real/sao-paulo.ndjson';
const TIMEOUT_MS = 300_000;

const analyser = openAnalyser();
const parse = (lines: Iterable<string>) =>
  [...lines].map((line) => feedRecordSchema.parse(JSON.parse(line)));
const sample = parse(sampleFeedLines(new Date()));

/** An import: its records, and whether it replaces. */
type Step = { records: FeedRecord[]; replace: boolean };

const UPDATED = '2026-10-01T00:00:00Z';
/** Without a time of its own a record would get that of its import, which may differ. */
const dated = (records: FeedRecord[]) =>
  records.map((one) =>
    one.kind === 'product' ? { ...one, updated_at: one.updated_at ?? UPDATED } : one,
  );
const isProduct = (one: FeedRecord): one is FeedRecordOf<'product'> => one.kind === 'product';

/** Products as they were before: other names, words, prices, categories, merchants, stock. */
function formerly(records: FeedRecord[]): FeedRecord[] {
  const products = records.filter(isProduct);
  return records.map((one) => {
    if (!isProduct(one)) return one;
    const place = one.id % products.length;
    const other = products[place] ?? one;
    const changes: Partial<FeedRecordOf<'product'>>[] = [
      { name: other.name, brand: other.brand, category_id: other.category_id },
      { name: `${one.name} antigamente`, description: `Era ${other.name}`, price: other.price },
      { merchant_id: other.merchant_id, in_stock: false },
      {},
      { price: null, updated_at: '2026-10-02T00:00:00Z' },
    ];
    return { ...one, ...changes[one.id % changes.length] };
  });
}

/** Products that are gone later, in words of those that stay and in words of their own. */
function extras(records: FeedRecord[]): FeedRecord[] {
  const products = records.filter(isProduct);
  const highest = products.reduce((most, { id }) => Math.max(most, id), 0);
  return half(products, 0).map((one, place) => ({
    ...one,
    id: highest + 1 + place,
    name: place % 3 === 0 ? `${one.name} sumido` : one.name.split(' ').toReversed().join(' '),
  }));
}

/** Every other product with its offers, and all records of other kinds. */
function half<T extends FeedRecord>(records: T[], which: 0 | 1): T[] {
  return records.filter((one) => {
    const product = one.kind === 'product' ? one.id : one.kind === 'offer' ? one.product_id : null;
    return product == null || product % 2 === which;
  });
}

/** Answers to the queries, of a database that went through these imports. */
async function answersAfter(steps: Step[], queries: MixedQuery[]): Promise<string[]> {
  const sql = openDatabase(await newDatabase('empty'), { max: 2 });
  for (const { records, replace } of steps) {
    const lines = records.map((record) => JSON.stringify(record));
    await importFeed(sql, lines, { replace, force: true, skipInvalid: false, analyser });
  }
  const live = openCatalog(sql);
  const answers: string[] = [];
  for (let first = 0; first < queries.length; first += AT_ONCE) {
    const some = queries.slice(first, first + AT_ONCE);
    const found = some.map((query, place) => answer(live, query, (first + place) % OFFERS === 0));
    answers.push(...(await Promise.all(found)));
  }
  await sql.end();
  return answers;
}

/** What a search of products finds, and one of offers, as a line: all but the records' own fields. */
async function answer(live: Live, query: MixedQuery, withOffers: boolean): Promise<string> {
  const found: string[] = [];
  for (const kind of withOffers ? kindsFor(query) : (['product'] as const)) {
    const { hits, ...told } = await ask(live, kind, query);
    const results = hits.map(({ record, nearestStore, ...hit }) => ({
      ...{ id: record.id, store: nearestStore?.id, ...hit },
    }));
    found.push(JSON.stringify({ results, told }));
  }
  return found.join(' ');
}

/** The queries whose answers differ: how many, and the first ones in full. */
function differences(queries: MixedQuery[], fresh: string[], other: string[]): string[] {
  const differing = queries.flatMap((query, place) => {
    const [want = '', got = ''] = [fresh[place], other[place]];
    if (want === got) return [];
    return [`${JSON.stringify(query)}\n  fresh ${want}\n  here  ${got}`];
  });
  if (differing.length === 0) return [];
  return [`${differing.length} of ${queries.length} differ`, ...differing.slice(0, SHOWN)];
}

const TWICE = 'imported twice into empty databases';
const REPLACED = 'imported with --replace after another catalog';
const STEPWISE =
  'imported step by step, with records that were changed and others that were removed';

/** Histories that a catalog may have; each ends with an import of the whole catalog. */
const WAYS = {
  [TWICE]: () => [],
  [REPLACED]: (_, before) => [{ records: before, replace: true }],
  [STEPWISE]: (catalog) => [
    { records: half(formerly(catalog), 0), replace: false },
    { records: [...half(catalog, 1), ...extras(catalog)], replace: false },
    { records: half(catalog, 0), replace: false },
  ],
} satisfies Record<string, (catalog: FeedRecord[], before: FeedRecord[]) => Step[]>;

function describeNoPast(
  name: string,
  ways: (keyof typeof WAYS)[],
  before: FeedRecord[],
  catalog: FeedRecord[],
): void {
  const queries = mixedQueries(catalog, QUERIES, SEED);
  const afresh: Step = { records: catalog, replace: true };
  let fresh: Promise<string[]> | undefined;

  describe(`${name} answers independently of its history`, () => {
    it.each(ways)(
      '%s',
      async (way) => {
        fresh ??= answersAfter([afresh], queries);
        const answers = await answersAfter([...WAYS[way](catalog, before), afresh], queries);
        expect(differences(queries, await fresh, answers)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
}

/** Multiplies a catalog, so that a search does not examine all matches. */
function manifold(records: FeedRecord[], times: number): FeedRecord[] {
  const copies = Array.from({ length: times - 1 }, (_, place) =>
    records.filter(isProduct).map((one) => ({
      ...one,
      id: one.id + (place + 1) * COPY_IDS,
      name: `${one.name} ${place + 2}`,
    })),
  );
  return [...records, ...copies.flat()];
}

const small = dated(sample);
const large = manifold(small, 5);
describeNoPast(
  'the sample catalog',
  [TWICE, REPLACED],
  [...formerly(small), ...extras(small)],
  small,
);
// Few enough changes for the index to be updated instead of rebuilt.
const earlier = [...half(formerly(large), 0), ...half(large, 1).filter(isProduct)];
describeNoPast('the sample fivefold', [REPLACED, STEPWISE], [...earlier, ...extras(large)], large);

if (existsSync(REAL_FEED)) {
  const records = dated(parse(readFileSync(REAL_FEED, 'utf8').trim().split('\n')));
  const slice = records.filter((one) => !isProduct(one) || one.id % 5 === 0);
  describeNoPast('a slice of the real feed', [REPLACED, STEPWISE], small, slice);
}
