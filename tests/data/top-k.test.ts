import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import type { Effort } from '../../src/data/index/effort.ts';
import { KINDS, LEVELS } from '../../src/data/index/format.ts';
import { searchOffers, searchProducts } from '../../src/data/index/search.ts';
import {
  type FeedKind,
  type FeedRecord,
  type FeedRecordOf,
  feedRecordSchema,
} from '../../src/domain/catalog.ts';
import type { SearchPlan } from '../../src/domain/search.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { sampleFeedLines } from '../../src/sample/load.ts';
import { tokenize } from '../../src/understand/text/tokenize.ts';
import { titleOf } from '../../src/understand/text/words.ts';
import { mixedQueries } from '../search/mixed.ts';
import { ask, type Kind, kindsFor, openCatalog, type Search } from '../support/catalog-live.ts';
import { type Catalog, type Numbers, naiveSearch } from '../support/naive-search.ts';
import { newDatabase } from '../support/service.ts';

const QUERIES = 300;
const SEED = 23;
const REAL_FEED = process.env.REAL_FEED ?? '../shared/real/sao-paulo.ndjson';
/** One in this many records of the real feed, so that its index is built in seconds. */
const SLICE = 4;
/** One search in this many is also checked against the definition, over all records. */
const DEFINED = 5;
/** The least share of the best possible value that an answer must reach. */
const LEAST_WORTH = 0.995;
const SHOWN = 10;
const TIMEOUT_MS = 120_000;

const ALL = 2 ** 31 - 1;
/** Takes whatever may be a result. */
const EVERYTHING: Effort = {
  reaches: [{ wanted: ALL, depth: ALL, budget: ALL }],
  priceDepths: [ALL],
  slack: 0,
};

const analyser = openAnalyser();
const parse = (lines: Iterable<string>) =>
  [...lines].map((line) => feedRecordSchema.parse(JSON.parse(line)));

/** A result by what its list is sorted by: its score, its price or its distance. */
type Result = { id: number; score: number; value: number | null };

/** The searches that the service makes for the queries: also those with words corrected, or loosened. */
async function searchesFor(sql: Sql, records: FeedRecord[]): Promise<Search[]> {
  const live = openCatalog(sql);
  const searches: Search[] = [];
  for (const query of mixedQueries(records, QUERIES, SEED)) {
    for (const kind of kindsFor(query)) {
      await ask(live, kind, query, (search) => searches.push(search));
    }
  }
  return searches;
}

const searchAll = (sql: Sql, kind: Kind, plan: SearchPlan, effort?: Effort) =>
  (kind === 'product' ? searchProducts : searchOffers)(sql, plan, effort);

async function search(sql: Sql, { kind, plan }: Search, effort?: Effort): Promise<Result[]> {
  const { hits } = await searchAll(sql, kind, plan, effort);
  return hits.map(({ record, score, nearestStore }) => {
    const amount = record.price?.amount ?? null;
    const distance = nearestStore?.distanceMeters ?? null;
    const values = { relevance: score, distance, price_asc: amount, price_desc: amount };
    return { id: record.id, score, value: values[plan.sort] };
  });
}

const sum = (results: { score: number }[]) => results.reduce((all, { score }) => all + score, 0);
const rounded = (value: number | null) => (value === null ? null : Math.round(value * 1e6) / 1e6);

/** Whether an answer is as good as the best one; equal results may be in any order. */
function isAsGood(got: Result[], best: Result[], sort: SearchPlan['sort']): boolean {
  if (got.length !== best.length || new Set(got.map(({ id }) => id)).size < got.length) {
    return false;
  }
  const isSame = got.every(({ value }, place) => {
    return rounded(value) === rounded(best[place]?.value ?? null);
  });
  return isSame || (sort === 'relevance' && sum(got) >= LEAST_WORTH * sum(best));
}

const say = (results: { id: number; score: number }[]) =>
  results.map(({ id, score }) => `${id} ${score.toFixed(4)}`).join(', ') || '(nothing)';

/** All that the index has of each record, and in which order it keeps equals. */
async function readIndex(sql: Sql, kind: Kind) {
  const rows = await sql<{ id: number; number: number; levels: number[]; tokens: string[] }[]>`
    select r.id, r.number, array_agg(key & 7) as levels, array_agg(t.token) as tokens
    from search_record r, unnest(r.keys) key join search_token t on t.id = key >> 3
    where r.kind = ${KINDS[kind]} group by r.id, r.number`;
  const numbers: Numbers = new Map(rows.map(({ id, number }) => [id, number]));
  const texts = new Map(
    rows.map(({ id, levels, tokens }) => {
      const at = (level: number) => tokens.filter((_, place) => levels[place] === level);
      const { head, title, aside, anywhere } = LEVELS;
      const own = { head: at(head), title: at(title), aside: at(aside), anywhere: at(anywhere) };
      return [id, own] as const;
    }),
  );
  const nothing = { head: [], title: [], aside: [], anywhere: [] };
  const names = new Map<string, string>();
  const nameOf = (title: string) => {
    const known = names.get(title) ?? titleOf(tokenize(title));
    names.set(title, known);
    return known;
  };
  const analyse = (title: string, id: number) => ({
    ...(texts.get(id) ?? nothing),
    name: nameOf(title),
  });
  return { numbers, analyse };
}

function catalogOf(records: FeedRecord[]): Catalog {
  const ofKind = <K extends FeedKind>(kind: K) =>
    records.filter((record): record is FeedRecordOf<K> => record.kind === kind);
  return { stores: ofKind('store'), products: ofKind('product'), offers: ofKind('offer') };
}

function describeTopK(name: string, records: FeedRecord[]): void {
  describe(`the results of ${QUERIES} searches of ${name}`, () => {
    let sql: Sql;
    let searches: Search[];
    beforeAll(async () => {
      sql = openDatabase(await newDatabase('empty'), { max: 2 });
      const lines = records.map((record) => JSON.stringify(record));
      await importFeed(sql, lines, { replace: true, force: true, skipInvalid: false, analyser });
      searches = await searchesFor(sql, records);
      return () => sql.end();
    }, TIMEOUT_MS);

    it(
      'are the best of an exhaustive search',
      async () => {
        const worse: string[] = [];
        for (const one of searches) {
          const [got, best] = [await search(sql, one), await search(sql, one, EVERYTHING)];
          if (isAsGood(got, best, one.plan.sort)) continue;
          worse.push(`${one.kind} ${JSON.stringify(one.plan)}\n  ${say(got)}\n  ${say(best)}`);
        }
        expect(searches.length).toBeGreaterThan(QUERIES / 2);
        expect([worse.length, ...worse.slice(0, SHOWN)]).toEqual([0]);
      },
      TIMEOUT_MS,
    );

    it(
      'match the definition of relevance',
      async () => {
        const catalog = catalogOf(records);
        const index = {
          product: await readIndex(sql, 'product'),
          offer: await readIndex(sql, 'offer'),
        };
        const other: string[] = [];
        for (const one of searches.filter((_, place) => place % DEFINED === 0)) {
          const { analyse, numbers } = index[one.kind];
          const got = (await search(sql, one, EVERYTHING)).map(({ id, score }) => ({ id, score }));
          const want = naiveSearch(one.kind, catalog, one.plan, analyse, numbers);
          const isEqual =
            got.length === want.length &&
            got.every(({ id, score }, place) => {
              const wanted = want[place];
              return id === wanted?.id && Math.abs(score - wanted.score) < 1e-6;
            });
          if (isEqual) continue;
          other.push(`${one.kind} ${JSON.stringify(one.plan)}\n  ${say(got)}\n  ${say(want)}`);
        }
        expect([other.length, ...other.slice(0, SHOWN)]).toEqual([0]);
      },
      TIMEOUT_MS,
    );
  });
}

describeTopK('the sample catalog', parse(sampleFeedLines(new Date())));

if (existsSync(REAL_FEED)) {
  const records = parse(readFileSync(REAL_FEED, 'utf8').trim().split('\n'));
  const slice = records.filter(({ kind, id }) => kind !== 'product' || id % SLICE === 0);
  describeTopK('a slice of the real feed', slice);
}
