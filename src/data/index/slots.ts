import { placeKey } from '../../domain/places.ts';
import {
  FIELD,
  INFLECTED,
  LAST_LEADING,
  MOST_NOISE,
  MOST_TERMS_WEIGHT,
  ROLE,
  rarity,
  SENSE_SHARE,
  SURE,
} from '../../domain/relevance.ts';
import type { Clause, SearchPlan, Word } from '../../domain/search.ts';
import {
  aiCategoryToken,
  type Circle,
  categoryToken,
  cityToken,
  coverTokens,
  districtToken,
  EVERY,
  EVERYWHERE,
  FIELDS,
  type Kind,
  keyOf,
  LEVELS,
  type Level,
  levelOf,
  merchantToken,
  priceRangeTokens,
} from './format.ts';

/** The id of each token, and the number of records by level. */
export type Counts = Map<string, { id: number; records: number[] }>;

/** Returns the number of records in the index. */
export const recordsIn = (counts: Counts) => counts.get(EVERY)?.records[LEVELS.filter] ?? 0;

/** A key that contributes to a slot: `impact` in 0..1; `isFull` if it covers the slot. */
export type Posting = { key: number; impact: number; records: number; isFull: boolean };

/**
 * A word of a query, matched by the word itself or by its clause's meanings, best `postings` first. A result that
 * fully covers all required slots is an exact match.
 */
export type Slot = {
  /** The index of its clause in the plan. */
  clause: number;
  weight: number;
  isRequired: boolean;
  postings: Posting[];
};

/** A filter as keys of which a record needs any, and an upper bound on the records that pass. */
export type Filter = { keys: number[]; records: number };

const MOST_SLOTS = 24;

/** A merchant with a store in the search circle, and its distance. */
export type Nearby = { merchantId: number; distance: number };

/**
 * Returns a plan's filters as alternative tokens; those that the index cannot answer are left out. A circle becomes
 * its merchants if they are known, else the squares that cover it.
 */
export function filterTokens(plan: SearchPlan, kind: Kind, nearby: Nearby[] | null): string[][] {
  const filters: string[][] = [];
  const everywhere = kind === 'offer' ? [EVERYWHERE] : [];
  if (plan.city !== null) {
    const city = placeKey(plan.city);
    const location =
      plan.district === null ? cityToken(city) : districtToken(city, placeKey(plan.district));
    filters.push([location, ...everywhere]);
  }
  const cover = plan.near === null ? null : circleTokens(plan.near, nearby);
  if (cover !== null) filters.push([...cover, ...everywhere]);
  if (plan.merchantIds !== null) filters.push(plan.merchantIds.map(merchantToken));
  if (plan.categoryIds !== null) {
    const own = kind === 'offer' ? plan.aiCategoryKeys.map(aiCategoryToken) : [];
    filters.push([...plan.categoryIds.map(categoryToken), ...own]);
  }
  if (plan.minPrice !== null || plan.maxPrice !== null) {
    filters.push(priceRangeTokens(plan.minPrice, plan.maxPrice));
  }
  return filters;
}

function circleTokens(near: Circle, nearby: Nearby[] | null): string[] | null {
  if (nearby === null) return coverTokens(near);
  const within = nearby.filter(({ distance }) => distance <= near.radiusMeters);
  return within.map(({ merchantId }) => merchantToken(merchantId));
}

/** Returns all tokens of a plan's clauses. */
export const clauseTokens = ({ clauses }: SearchPlan): string[] => [
  ...new Set(
    clauses.flatMap(({ words, meanings, names }) => [
      ...[...words, ...names].flatMap(({ token, spelled }) => [token, spelled ?? token]),
      ...meanings.map(({ token }) => token),
    ]),
  ),
];

/** Converts filters to keys; one that nearly all records pass is left to the record check. */
export function knownFilters(filters: string[][], counts: Counts): Filter[] {
  const all = recordsIn(counts);
  return filters
    .map((tokens) => {
      const known = tokens.flatMap((token) => counts.get(token) ?? []);
      const records = known.reduce((sum, one) => sum + (one.records[LEVELS.filter] ?? 0), 0);
      return { keys: known.map(({ id }) => keyOf(id, LEVELS.filter)), records };
    })
    .filter(({ records }) => records < all * 0.95);
}

/** Returns a plan's slots, heaviest first; a slot without matching records has no postings. */
export function slotsOf({ clauses }: SearchPlan, counts: Counts): Slot[] {
  const slots = clauses.flatMap((clause, index) => clauseSlots(clause, index, counts));
  const isTerm = ({ clause }: Slot) => clauses[clause]?.kind === 'term';
  const terms = slots.filter(isTerm).reduce((sum, { weight }) => sum + weight, 0);
  const share = Math.min(1, MOST_TERMS_WEIGHT / Math.max(terms, 1e-9));
  const heaviestFirst = slots
    .map((slot) => (isTerm(slot) ? { ...slot, weight: slot.weight * share } : slot))
    .sort((a, b) => b.weight * most(b) - a.weight * most(a));
  const leftOut = heaviestFirst.slice(MOST_SLOTS).filter(({ isRequired }) => isRequired);
  // A dropped required slot stays as one that nothing covers, so that no result counts as exact.
  const uncovered = leftOut.slice(0, 1).map((slot) => ({ ...slot, weight: 0, postings: [] }));
  return [...heaviestFirst.slice(0, MOST_SLOTS), ...uncovered];
}

/** The most that a record can match a slot, 0..1. */
export const most = ({ postings }: Slot): number => postings[0]?.impact ?? 0;

// Divides a clause's weight among its words by rarity. Words that no record has share one slot, which only the
// meanings can cover.
function clauseSlots(clause: Clause, index: number, counts: Counts): Slot[] {
  const all = recordsIn(counts);
  const recordsOf = (token: string) =>
    FIELDS.reduce((sum, field) => sum + (counts.get(token)?.records[LEVELS[field]] ?? 0), 0);
  const said = clause.words.filter(({ token }) => recordsOf(token) > 0);
  const isNoise = clause.weight <= ROLE.noise;
  if (isNoise && said.every(({ token }) => recordsOf(token) > MOST_NOISE * all)) return [];
  const unsaid = clause.words.length - said.length;
  const shares = said.map((word) => ({
    words: [word],
    share: rarity(recordsOf(word.spelled ?? word.token) || recordsOf(word.token), all),
  }));
  if (unsaid > 0 || said.length === 0) shares.push({ words: [], share: Math.max(1, unsaid) });
  const sum = shares.reduce((total, { share }) => total + share, 0);
  const meaning = conceptPostings(clause, FIELD.concept, counts);
  const names = wordPostings(clause.names, clause, counts);
  const sense =
    clause.kind === 'concept' && said.length + names.length > 0 && meaning.length > 0
      ? SENSE_SHARE
      : 0;
  const slots = shares.map(({ words, share }) => ({
    clause: index,
    weight: (1 - sense) * clause.weight * (clause.kind === 'term' ? share : share / sum),
    isRequired: clause.weight > ROLE.soft,
    postings: inOrder([...wordPostings(words, clause, counts), ...meaning]),
  }));
  if (sense === 0) return slots;
  const postings = inOrder([...names, ...conceptPostings(clause, FIELD.sense, counts)]);
  return [...slots, { clause: index, weight: sense * clause.weight, isRequired: false, postings }];
}

const inOrder = (postings: Posting[]) => postings.sort((a, b) => b.impact - a.impact);

const wordPostings = (words: Word[], clause: Clause, counts: Counts) =>
  words.flatMap(({ token, spelled, belongsTo }) => {
    const stem = { token, sureness: spelled === null ? 1 : INFLECTED };
    const said = spelled === null ? [stem] : [{ token: spelled, sureness: 1 }, stem];
    const postings = said.flatMap((one) =>
      postingsOf(one, belongsTo ? BESIDE : FIELD.word, lastFull('word', clause), counts),
    );
    return belongsTo ? postings.map(asBeside) : postings;
  });

/** What the wanted thing goes with: no bonus for being that thing itself, and covered only at level `aside`. */
const BESIDE = { ...FIELD.word, head: FIELD.word.aside, title: FIELD.word.aside };
const asBeside = (posting: Posting) => ({
  ...posting,
  isFull: levelOf(posting.key) === LEVELS.aside,
});

const conceptPostings = (clause: Clause, fields: Fields, counts: Counts) =>
  clause.meanings.flatMap((meaning) =>
    postingsOf(meaning, fields, lastFull('concept', clause), counts),
  );

/** The last level at which a record fully covers a clause: a leading one is not covered by what a record goes with. */
const lastFull = (kind: 'word' | 'concept', { leads }: Clause): Level =>
  LEVELS[leads ? LAST_LEADING[kind] : 'aside'];

type Fields = Record<(typeof FIELDS)[number], number>;

function postingsOf(
  { token, sureness }: Clause['meanings'][number],
  fields: Fields,
  lastFull: Level,
  counts: Counts,
): Posting[] {
  const known = counts.get(token);
  if (known === undefined) return [];
  return FIELDS.map((field) => ({
    key: keyOf(known.id, LEVELS[field]),
    impact: sureness * fields[field],
    records: known.records[LEVELS[field]] ?? 0,
    isFull: sureness >= SURE && LEVELS[field] <= lastFull,
  })).filter(({ records }) => records > 0);
}

/** The total weight of the slots; 1 if there are none. */
export const totalOf = (slots: Slot[]): number =>
  slots.length === 0 ? 1 : slots.reduce((sum, { weight }) => sum + weight, 0);

/** The most that a record can reach over all slots. */
export const mostOf = (slots: Slot[]): number =>
  slots.reduce((sum, slot) => sum + slot.weight * most(slot), 0);

/** The number of records with the best match of a slot. */
export const bestRecords = (slot: Slot): number =>
  slot.postings
    .filter(({ impact }) => impact === most(slot))
    .reduce((sum, { records }) => sum + records, 0);

/**
 * Estimates how many records can reach `worth` (of `totalOf`): per slot, those that reach it given the best of all
 * other slots.
 */
export function recordsWorth(slots: Slot[], worth: number): number {
  const best = mostOf(slots);
  const fewest = slots.map((slot) => {
    const least = most(slot) - (best - worth) / slot.weight;
    return least <= 0
      ? Number.POSITIVE_INFINITY
      : slot.postings
          .filter(({ impact }) => impact >= least)
          .reduce((sum, { records }) => sum + records, 0);
  });
  return Math.min(...fewest);
}
