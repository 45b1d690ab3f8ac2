import type { SearchPlan } from '../../domain/search.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import {
  EVERY,
  KINDS,
  type Kind,
  keyOf,
  LAST_STEP,
  LEVELS,
  NO_PRICE,
  OUT_OF_STOCK_BUCKET,
  priceSteps,
  priceToken,
} from './format.ts';
import {
  bestRecords,
  type Counts,
  clauseTokens,
  type Filter,
  filterTokens,
  knownFilters,
  most,
  type Nearby,
  recordsIn,
  recordsWorth,
  type Slot,
  slotsOf,
  totalOf,
} from './slots.ts';
import { numbersOf, slotArrays } from './tiers.ts';

const LAST_BUCKET = 32_767;
const ALL_NUMBERS = 2 ** 31 - 1;
/** Scoring this many records one by one takes 0.1 s. */
const MOST_SCORED = 10_000;
/** The most records of one price step, such as those without a price; the best by static rank. */
const MOST_BY_PRICE = 20_000;
/** A filter that more than this share of records passes is cheaper to check per record than to read. */
const BROAD = 0.15;
/** Price steps are taken until they are expected to hold this multiple of what is wanted. */
const PRICE_MARGIN = 2;

/** A search in terms of the index. */
export type Retrieval = {
  kind: Kind;
  plan: SearchPlan;
  /** The merchants in the search's widest circle, if known. */
  nearby: Nearby[] | null;
  slots: Slot[];
  filters: Filter[];
  counts: Counts;
};

/** Looks up a plan's tokens and filters in the index. */
export async function openRetrieval(
  sql: Sql,
  kind: Kind,
  plan: SearchPlan,
  nearby: Nearby[] | null,
): Promise<Retrieval> {
  const filters = filterTokens(plan, kind, nearby);
  const prices = plan.sort === 'price_asc' || plan.sort === 'price_desc' ? priceOrder(plan) : [];
  const tokens = new Set([EVERY, ...clauseTokens(plan), ...filters.flat(), ...prices]);
  const counts = await countTokens(sql, kind, [...tokens]);
  const slots = slotsOf(plan, counts);
  return { kind, plan, nearby, slots, filters: knownFilters(filters, counts), counts };
}

async function countTokens(sql: Sql, kind: Kind, tokens: string[]): Promise<Counts> {
  const rows = await sql<{ token: string; id: number; level: number; records: number }[]>`
    select token.token, token.id, posting.key & 7 as level, posting.records
    from search_token token
    -- A lateral join: for a plain one the planner overestimates the key range and scans the table.
    cross join lateral (
      select key, sum(records) as records from search_posting
      where kind = ${KINDS[kind]}
        and key between token.id * 8 and token.id * 8 + 7
      group by key
    ) posting
    where token.token = any(${arrayText(tokens)}::text::text[])`;
  const counts: Counts = new Map();
  for (const { token, id, level, records } of rows) {
    const known = counts.get(token) ?? { id, records: [0, 0, 0, 0, 0] };
    known.records[level] = records;
    counts.set(token, known);
  }
  return counts;
}

/** SQL that selects `numbers`, the candidates, and `bound`, an upper bound on the score of records left out. */
export type Candidates = ReturnType<Sql>;

/** The limits of a retrieval. */
export type Reach = {
  /** Stop once this many records are known that no other can beat. */
  wanted: number;
  /** The most records taken of a group that differs in static rank only. */
  depth: number;
  /** The most records taken in total, rounded up to whole groups of equals. */
  budget: number;
  /** Leave broad filters to the record check, and take more candidates to make up for it. */
  skipsBroad?: boolean;
};

/** Selects the best candidates of at least this relevance. */
export function takeBest(
  sql: Sql,
  retrieval: Retrieval,
  reach: Reach,
  relevance: number,
): Candidates {
  const { skipsBroad, ...bounds } = reach;
  const all = recordsIn(retrieval.counts);
  const isBroad = ({ records }: Filter) => skipsBroad === true && records > BROAD * all;
  const filters = retrieval.filters.filter((one) => !isBroad(one));
  const passing = retrieval.filters
    .filter(isBroad)
    .reduce((share, { records }) => (share * records) / all, 1);
  const more = {
    wanted: Math.ceil(bounds.wanted / passing),
    depth: Math.ceil(bounds.depth / passing),
    budget: Math.ceil(bounds.budget / passing),
  };
  return best(sql, { ...retrieval, filters }, { ...more, relevance, allWorth: false });
}

/**
 * Selects candidates of at least this relevance in price order: whole price steps, as many as are expected to hold
 * a few times `most`.
 */
export function takeByPrice(
  sql: Sql,
  retrieval: Retrieval,
  relevance: number,
  most: number,
): Candidates {
  const steps = priceOrder(retrieval.plan).flatMap((token) => {
    const { id, records } = retrieval.counts.get(token) ?? { id: 0, records: [] };
    const inStep = records[LEVELS.filter] ?? 0;
    return inStep === 0 ? [] : [{ key: keyOf(id, LEVELS.filter), records: inStep }];
  });
  const taken: Filter = { keys: [], records: 0 };
  const within = { ...retrieval, filters: [taken, ...retrieval.filters] };
  for (const { key, records } of steps) {
    if (most < MOST_BY_PRICE && expectedMatches(within, relevance) >= most * PRICE_MARGIN) break;
    taken.keys.push(key);
    taken.records += records;
  }
  const isAll = taken.keys.length === steps.length;
  const all = { wanted: ALL_NUMBERS, depth: ALL_NUMBERS, budget: ALL_NUMBERS };
  return sql`
    select taken.numbers[1:${MOST_BY_PRICE}::int] as numbers,
      case when taken.complete and ${isAll} then 0 else 1 end::float8 as bound
    from (${best(sql, isAll ? retrieval : within, { ...all, relevance, allWorth: true })}) relevant
    cross join lateral search_take(${KINDS[retrieval.kind]}::smallint, sort(relevant.numbers),
      ${arrayText(taken.keys)}::text::int[], ${most}::int) taken`;
}

/**
 * Estimates how many records have at least this relevance (null: match as well as any), assuming that terms and
 * filters are independent.
 */
export function expectedMatches(retrieval: Retrieval, relevance: number | null): number {
  const { slots, filters, counts } = retrieval;
  const all = recordsIn(counts);
  const matching =
    relevance === null
      ? slots.filter(({ postings }) => postings.length > 0).map(bestRecords)
      : [recordsWorth(slots, relevance * totalOf(slots))];
  return filters.reduce((left, { records }) => (left * records) / all, Math.min(all, ...matching));
}

/** Returns the price steps in sort order; records without a price come last. */
function priceOrder({ minPrice, maxPrice, sort }: SearchPlan): string[] {
  const [first, last] =
    minPrice === null && maxPrice === null ? [0, LAST_STEP] : priceSteps(minPrice, maxPrice);
  const steps = Array.from({ length: last - first + 1 }, (_, offset) => priceToken(first + offset));
  return [...(sort === 'price_desc' ? steps.reverse() : steps), NO_PRICE];
}

type Bounds = Reach & { relevance: number; allWorth: boolean };

/** Calls `search_best`, which documents the fields of its plan. */
function best(sql: Sql, retrieval: Retrieval, { relevance, ...bounds }: Bounds): Candidates {
  const { kind, plan, slots } = retrieval;
  const found = slots
    .filter(({ postings }) => postings.length > 0)
    .toSorted((a, b) => evidence(b) - evidence(a));
  const narrowestFirst = retrieval.filters.toSorted((a, b) => a.records - b.records);
  const filters = narrowestFirst.map(({ keys }) => keys);
  if (found.length === 0 && filters.length === 0) filters.push(everyKey(retrieval));
  const total = totalOf(slots);
  const search = {
    ...bounds,
    scored: Math.max(MOST_SCORED, bounds.budget),
    ...{ filterKeys: arrayText(filters.flat()), filters: arrayText(numbersOf(filters)) },
    filterCount: filters.length,
    narrowest: narrowestFirst[0]?.records ?? 0,
    ...slotArrays(found),
    total,
    base: slots.length === 0 ? total : 0,
    mayCover: slots.every((slot) => !slot.isRequired || slot.postings.some(({ isFull }) => isFull)),
    // Slightly lower, against rounding.
    worth: slots.length === 0 ? 0 : (relevance - 1e-8) * total,
    lastBucket: kind === 'product' && plan.inStockOnly ? OUT_OF_STOCK_BUCKET - 1 : LAST_BUCKET,
  };
  return sql`
    select * from search_best(${KINDS[kind]}::smallint, ${JSON.stringify(search)}::text::jsonb)`;
}

/** The weight per number read of a slot: reading rare, heavy slots first prunes soonest. */
function evidence(slot: Slot): number {
  const records = slot.postings
    .filter(({ impact }) => impact >= most(slot) / 2)
    .reduce((sum, posting) => sum + posting.records, 0);
  return (slot.weight * most(slot)) / records;
}

function everyKey({ counts }: Retrieval): number[] {
  const known = counts.get(EVERY);
  return known === undefined ? [] : [keyOf(known.id, LEVELS.filter)];
}
