import type { SearchPlan } from '../../domain/search.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { KINDS, type Kind } from '../search-index/texts.ts';
import { EVERY, LAST_STEP, NO_PRICE, OUT_OF_STOCK_BUCKET, priceSteps, priceToken } from './keys.ts';
import {
  type Counts,
  type Filter,
  filterTokens,
  type KnownGroup,
  keysOfAny,
  knownFilters,
  knownGroups,
  planTokens,
  recordsIn,
  worthOf,
} from './plan.ts';
import { bestStep, everythingStep, GROUPS_TOGETHER, makeSteps, type Steps } from './steps.ts';
import { keyOf, LEVELS } from './tokens.ts';

const LAST_BUCKET = 32_767;
const ALL_NUMBERS = 2 ** 31 - 1;
/** A filter may hold so many times the records that are few enough to be scored. */
const FILTERED_TIMES = 2;

/** Scoring more than this takes longer than a walk takes for one more list. */
const MOST_SCORED = 20_000;

/** Of one price step, such as all that has no price, the best by static rank. */
const MOST_BY_PRICE = 20_000;

/** A search as the index sees it. */
export type Retrieval = {
  kind: Kind;
  plan: SearchPlan;
  groups: KnownGroup[];
  filters: Filter[];
  counts: Counts;
  /** When few records can match: lists of keys; what matches is in one of the keys of every list. */
  few: number[][] | null;
};

/** Asks the index what it knows of a plan's tokens and filters; `fewRecords` are not worth a walk. */
export async function openRetrieval(
  sql: Sql,
  kind: Kind,
  plan: SearchPlan,
  fewRecords: number,
): Promise<Retrieval> {
  const filters = filterTokens(plan, kind);
  const prices = plan.sort === 'price_asc' || plan.sort === 'price_desc' ? priceOrder(plan) : [];
  const counts = await countTokens(sql, kind, [...planTokens(plan, filters), ...prices]);
  const retrieval = {
    kind,
    plan,
    groups: knownGroups(plan.groups, counts),
    filters: knownFilters(filters, counts),
    counts,
  };
  return { ...retrieval, few: fewKeys(retrieval, fewRecords) };
}

async function countTokens(sql: Sql, kind: Kind, tokens: string[]): Promise<Counts> {
  const rows = await sql<{ token: string; id: number; level: number; records: number }[]>`
    select token.token, token.id, posting.key & 3 as level, posting.records
    from search_token token
    -- Token by token: joined, their range of keys is taken for far more than it is, and all is read.
    cross join lateral (
      select key, sum(records) as records from search_posting
      where kind = ${KINDS[kind]}
        and key in (token.id * 4, token.id * 4 + 1, token.id * 4 + 2, token.id * 4 + 3)
      group by key
    ) posting
    where token.token = any(${arrayText(tokens)}::text::text[])`;
  const counts: Counts = new Map();
  for (const { token, id, level, records } of rows) {
    const known = counts.get(token) ?? { id, records: [0, 0, 0, 0] };
    known.records[level] = records;
    counts.set(token, known);
  }
  return counts;
}

function fewKeys(
  { groups, filters }: Pick<Retrieval, 'groups' | 'filters'>,
  few: number,
): number[][] | null {
  const matching = {
    keys: groups.flatMap(keysOfAny),
    records: groups.reduce((sum, group) => sum + group.anywhere, 0),
  };
  const lists = groups.length === 0 ? filters.slice(0, 1) : [matching, ...filters.slice(0, 1)];
  const [least] = lists.sort((a, b) => a.records - b.records);
  // Of a filter's records, those that match nothing of the query are not scored.
  const most = least === matching || groups.length === 0 ? few : FILTERED_TIMES * few;
  return least !== undefined && least.records <= most ? lists.map(({ keys }) => keys) : null;
}

/** SQL that gives `numbers` and `complete`: candidates, and whether nothing that matches is left out. */
export type Candidates = ReturnType<Sql>;

/** The few records that can match: those of the first list that are in the other one as well. */
export function takeFew(
  sql: Sql,
  { kind }: Retrieval,
  [first = [], other]: number[][],
): Candidates {
  const postings = (keys: number[]) =>
    sql`posting.kind = ${KINDS[kind]} and posting.key = any(${arrayText(keys)}::text::int[])`;
  const few: Candidates = sql`
    select coalesce(array_agg(distinct number), '{}') as numbers, true as complete
    from search_posting posting, unnest(posting.numbers) as number
    where ${postings(first)}`;
  if (other === undefined) return few;
  return sql`
    select coalesce(array_agg(distinct number), '{}') as numbers, true as complete
    from (${few}) few, search_posting posting, unnest(posting.numbers & few.numbers) as number
    where ${postings(other)}`;
}

/** The best candidates by match and static rank, at most so many, of those that can have this relevance. */
export function takeBest(
  sql: Sql,
  retrieval: Retrieval,
  most: number,
  relevance: number,
): Candidates {
  const { groups, filters, plan } = retrieval;
  if (groups.length > 0) {
    const steps = makeSteps(groups, worthOf(plan, relevance), manyOf(retrieval));
    return walk(sql, retrieval, steps, filters, most);
  }
  const [narrowest, ...others] = filters;
  const keys = narrowest?.keys ?? everyKey(retrieval);
  return walk(sql, retrieval, everythingStep(keys), others, most);
}

/** Those that match as well as any and nothing else, at most so many. */
export function takeBestMatches(sql: Sql, retrieval: Retrieval, most: number): Candidates {
  return walk(sql, retrieval, bestStep(retrieval.groups), retrieval.filters, most);
}

/** The best candidates, and as many of the best match in the preferred part. */
export function takeBoth(
  sql: Sql,
  retrieval: Retrieval,
  preferred: Retrieval,
  most: number,
  relevance: number,
): Candidates {
  return sql`
    select best.numbers | preferred.numbers as numbers, best.complete
    from (${takeBest(sql, retrieval, most, relevance)}) best,
      (${takeBestMatches(sql, preferred, most)}) preferred`;
}

/** Candidates of at least this relevance from the cheapest or dearest on: whole price steps. */
export function takeByPrice(
  sql: Sql,
  retrieval: Retrieval,
  relevance: number,
  most: number,
): Candidates {
  const keys = priceOrder(retrieval.plan).flatMap((token) => {
    const known = retrieval.counts.get(token);
    return known === undefined ? [] : [keyOf(known.id, LEVELS.filter)];
  });
  return sql`
    select taken.numbers[1:${MOST_BY_PRICE}::int] as numbers, taken.complete
    from (${takeBest(sql, retrieval, ALL_NUMBERS, relevance)}) relevant
    cross join lateral search_take(${KINDS[retrieval.kind]}::smallint, relevant.numbers,
      ${arrayText(keys)}::text::int[], ${most}::int) taken`;
}

function priceOrder({ minPrice, maxPrice, sort }: SearchPlan): string[] {
  const [first, last] = priceSteps(minPrice, maxPrice);
  const tokens = Array.from({ length: last - first + 1 }, (_, step) => priceToken(first + step));
  if (sort === 'price_desc') tokens.reverse();
  return last === LAST_STEP && minPrice === null ? [...tokens, NO_PRICE] : tokens;
}

/** So many records are worth a list of their own to leave them out: a tenth of all, 20,000 at most. */
const manyOf = ({ counts }: Retrieval) => Math.min(MOST_SCORED, recordsIn(counts) / 10);

function everyKey({ counts }: Retrieval): number[] {
  const every = counts.get(EVERY);
  return every === undefined ? [] : [keyOf(every.id, LEVELS.filter)];
}

function walk(
  sql: Sql,
  retrieval: Retrieval,
  { lists, steps, full }: Steps,
  filters: Filter[],
  most: number,
): Candidates {
  if (steps.length === 0) return sql`select '{}'::int[] as numbers, true as complete`;
  const { kind, plan } = retrieval;
  const lastBucket = kind === 'product' && plan.inStockOnly ? OUT_OF_STOCK_BUCKET - 1 : LAST_BUCKET;
  const filterKeys = filters.map(({ keys }) => keys);
  const starts = [1];
  for (const step of steps) starts.push((starts.at(-1) ?? 1) + step.length);
  return sql`
    select * from search_walk(
      ${KINDS[kind]}::smallint, ${lastBucket}::smallint,
      ${arrayText(lists.flat())}::text::int[], ${arrayText(places(lists))}::text::int[], ${lists.length}::int,
      ${arrayText(filterKeys.flat())}::text::int[], ${arrayText(places(filterKeys))}::text::int[],
      ${filterKeys.length}::int,
      ${arrayText(steps.flat())}::text::int[], ${arrayText(starts)}::text::int[], ${steps.length}::int,
      ${arrayText(full)}::text::int[], ${enoughFor(retrieval, most)}::int,
      ${inFinalOrder(retrieval, most)}::boolean, ${most}::int)`;
}

/**
 * Where nothing but the match and the static rank orders results, those of the best match come in their
 * final order: no others are needed once there are enough of them.
 */
function inFinalOrder({ kind, plan, groups }: Retrieval, most: number): boolean {
  return (
    kind === 'product' &&
    plan.near === null &&
    !plan.cheap &&
    plan.preferredDistrict === null &&
    plan.preferredPrice === null &&
    groups.length <= GROUPS_TOGETHER &&
    most !== ALL_NUMBERS
  );
}

/** More than asked for, in case the records themselves refuse some; at each next try many more. */
const enoughFor = ({ plan }: Retrieval, most: number) =>
  Math.min(most, Math.max(plan.limit * 2 + 10, Math.floor(most / 2)));

/** For each member of each list the number of its list, from 1. */
function places(lists: number[][]): number[] {
  return lists.flatMap((members, index) => members.map(() => index + 1));
}
