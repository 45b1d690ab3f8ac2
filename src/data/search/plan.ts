import { placeKey } from '../../domain/places.ts';
import type { SearchPlan, TokenGroup } from '../../domain/search.ts';
import type { Kind } from '../search-index/texts.ts';
import {
  aiCategoryToken,
  categoryToken,
  cityToken,
  coverTokens,
  districtToken,
  EVERY,
  EVERYWHERE,
  merchantToken,
  priceRangeTokens,
} from './keys.ts';
import { keyOf, LEVELS, type Level } from './tokens.ts';

/** How much a token counts by where the record has it. */
export const FACTORS: [Level, number][] = [
  [LEVELS.head, 1],
  [LEVELS.title, 0.7],
  [LEVELS.anywhere, 0.3],
];

/** What the index holds of a token: its id, and by level how many records carry it. */
export type Counts = Map<string, { id: number; records: number[] }>;

/** How many records the index holds. */
export const recordsIn = (counts: Counts) => counts.get(EVERY)?.records[LEVELS.filter] ?? 0;

/** A key that brings a group some of its weight; `impact` lies in 0..1. */
type Posting = { key: number; level: Level; token: string; impact: number; records: number };

/** A group with the postings that the index has for it; `anywhere` records at most match it. */
export type KnownGroup = { weight: number; most: number; postings: Posting[]; anywhere: number };

/** A filter as the index knows it: the keys whose records may pass, and how many these are at most. */
export type Filter = { keys: number[]; records: number };

/** The filters of a plan as alternatives of tokens; those that the index cannot help with are left out. */
export function filterTokens(plan: SearchPlan, kind: Kind): string[][] {
  const filters: string[][] = [];
  const everywhere = kind === 'offer' ? [EVERYWHERE] : [];
  if (plan.city !== null) {
    const city = placeKey(plan.city);
    const place =
      plan.district === null ? cityToken(city) : districtToken(city, placeKey(plan.district));
    filters.push([place, ...everywhere]);
  }
  const cover = plan.near === null ? null : coverTokens(plan.near);
  if (cover !== null) filters.push([...cover, ...everywhere]);
  if (plan.merchantIds !== null) filters.push(plan.merchantIds.map(merchantToken));
  if (plan.categoryIds !== null) {
    const own =
      kind === 'offer' && plan.aiCategoryKey !== null ? [aiCategoryToken(plan.aiCategoryKey)] : [];
    filters.push([...plan.categoryIds.map(categoryToken), ...own]);
  }
  if (plan.minPrice !== null || plan.maxPrice !== null) {
    filters.push(priceRangeTokens(plan.minPrice, plan.maxPrice));
  }
  return filters;
}

/** All tokens that a search asks the index about. */
export function planTokens(plan: SearchPlan, filters: string[][]): string[] {
  const terms = plan.groups.flatMap((group) => group.alternatives.map(({ token }) => token));
  return [...new Set([EVERY, ...terms, ...filters.flat()])];
}

/** Filters as keys, the narrowest first; one that nearly everything passes is left to the record check. */
export function knownFilters(filters: string[][], counts: Counts): Filter[] {
  const all = counts.get(EVERY)?.records[LEVELS.filter] ?? 0;
  return filters
    .map((tokens) => {
      const known = tokens.flatMap((token) => counts.get(token) ?? []);
      const records = known.reduce((sum, one) => sum + (one.records[LEVELS.filter] ?? 0), 0);
      return { keys: known.map(({ id }) => keyOf(id, LEVELS.filter)), records };
    })
    .filter(({ records }) => records < all * 0.95)
    .sort((a, b) => a.records - b.records);
}

/** The groups that the index has any record for, the heaviest first. */
export function knownGroups(groups: TokenGroup[], counts: Counts): KnownGroup[] {
  return groups
    .map((group) => knownGroup(group, counts))
    .filter(({ postings }) => postings.length > 0)
    .sort((a, b) => b.weight * b.most - a.weight * a.most);
}

function knownGroup({ weight, alternatives }: TokenGroup, counts: Counts): KnownGroup {
  const postings = alternatives.flatMap((alternative) => {
    const known = counts.get(alternative.token);
    if (known === undefined) return [];
    return FACTORS.map(([level, factor]) => ({
      key: keyOf(known.id, level),
      level,
      token: alternative.token,
      impact: alternative.weight * factor,
      records: known.records[level] ?? 0,
    })).filter(({ records }) => records > 0);
  });
  const anywhere = postings
    .filter(({ level }) => level === LEVELS.anywhere)
    .reduce((sum, { records }) => sum + records, 0);
  const most = postings.reduce((best, { impact }) => Math.max(best, impact), 0);
  return { weight, most, postings, anywhere };
}

/** The weight of a relevance; a little lower, so that rounding loses nobody. */
export const worthOf = ({ groups }: SearchPlan, relevance: number) =>
  (relevance - 1e-8) * groups.reduce((sum, group) => sum + group.weight, 0);

/** The keys of all records that bring a group at least this impact, and what they bring it for sure. */
export function keysFrom(group: KnownGroup, impact: number): { keys: number[]; least: number } {
  const widest = new Map<string, Posting>();
  for (const posting of group.postings) {
    if (posting.impact < impact) continue;
    const known = widest.get(posting.token);
    if (known === undefined || known.level < posting.level) widest.set(posting.token, posting);
  }
  const chosen = [...widest.values()];
  return {
    keys: chosen.map(({ key }) => key),
    least: chosen.reduce((least, posting) => Math.min(least, posting.impact), 1),
  };
}

/** The keys of all records that bring a group anything. */
export const keysOfAny = (group: KnownGroup): number[] => keysFrom(group, 0).keys;

/** How many records match a group as well as any does. */
export const bestRecords = (group: KnownGroup): number =>
  group.postings
    .filter(({ impact }) => impact === group.most)
    .reduce((sum, { records }) => sum + records, 0);
