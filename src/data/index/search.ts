import type { Offer, Product } from '../../domain/catalog.ts';
import {
  LEAST_RELEVANCE,
  LEAST_SHARE_OF_BEST,
  LEAST_SHARE_WHEN_SORTED,
  scoreOf,
} from '../../domain/relevance.ts';
import type { Found, SearchPlan } from '../../domain/search.ts';
import { type OfferRow, type ProductRow, toOffer, toProduct } from '../catalog/records.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { merchantsWithin, openCircle, openPreferred, openWider, openWithin } from './circles.ts';
import { type Effort, effortFor, hasWishes, NO_WISHES } from './effort.ts';
import type { Kind } from './format.ts';
import { type Ranked, type RankedRow, rankOffers, rankProducts, toHit } from './rank.ts';
import {
  type Candidates,
  openRetrieval,
  type Reach,
  type Retrieval,
  takeBest,
  takeByPrice,
} from './retrieve.ts';
import { ceilingOf, leastLoss, type Match } from './score.ts';
import { clauseTokens } from './slots.ts';

/** The best by static rank where even a small circle holds more, as when many stores share a building. */
const IN_CIRCLE: Reach = { wanted: 10_000, depth: 10_000, budget: 10_000 };

/** Finds products, best first. */
export async function searchProducts(
  sql: Sql,
  plan: SearchPlan,
  effort = effortFor(plan),
): Promise<Found<Product>> {
  const { rows, slots, unknownTokens } = await find<ProductRow>(
    sql,
    'product',
    plan,
    effort,
    rankProducts,
  );
  return { hits: rows.map((row) => toHit(toProduct(row), row, plan, slots)), unknownTokens };
}

/** Finds public offers, best first: by relevance and quality score together. */
export async function searchOffers(
  sql: Sql,
  plan: SearchPlan,
  effort = effortFor(plan),
): Promise<Found<Offer>> {
  const { rows, slots, unknownTokens } = await find<OfferRow>(
    sql,
    'offer',
    plan,
    effort,
    rankOffers,
  );
  return { hits: rows.map((row) => toHit(toOffer(row), row, plan, slots)), unknownTokens };
}

type Rank<Row> = typeof rankProducts<Row>;

async function find<Row>(sql: Sql, kind: Kind, plan: SearchPlan, effort: Effort, rank: Rank<Row>) {
  const nearby = plan.near === null ? null : await merchantsWithin(sql, plan.near);
  const retrieval = await openRetrieval(sql, kind, plan, nearby);
  const { counts, slots } = retrieval;
  const unknownTokens = clauseTokens(plan).filter((token) => !counts.has(token));
  const isHopeless = slots.length > 0 && slots.every(({ postings }) => postings.length === 0);
  const rows = isHopeless ? [] : await findRows(sql, retrieval, effort, rank);
  return { rows, slots, unknownTokens };
}

async function findRows<Row>(sql: Sql, opened: Retrieval, effort: Effort, rank: Rank<Row>) {
  if (opened.plan.sort === 'relevance') return byRelevance(sql, opened, effort, rank);
  // Known-item hits get no bonus: the match alone decides what takes part in a sort. Nor does being cheap among the
  // others raise a score, which would then depend on how many were taken.
  const plan: SearchPlan = { ...opened.plan, title: null, cheap: false };
  const retrieval = { ...opened, plan };
  const [first] = await bestMatch(sql, retrieval, effort, rank);
  if (first === undefined) return [];
  const relevance = Math.max(LEAST_RELEVANCE, LEAST_SHARE_WHEN_SORTED * first.relevance);
  // Otherwise accessories of the thing would be the cheapest.
  const cut = { relevance, isLed: first.covered };
  if (plan.sort === 'distance') return byDistance(sql, retrieval, rank, cut);
  let found: (Row & RankedRow)[] = [];
  for (const depth of effort.priceDepths) {
    const candidates = takeByPrice(sql, retrieval, relevance, depth);
    const { rows, bound } = await rank(sql, retrieval, candidates, cut);
    found = rows;
    if (bound === 0 || rows.length >= plan.limit) break;
  }
  return found;
}

/** Finds the best match regardless of preferences and price. */
function bestMatch<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const one: SearchPlan = { ...retrieval.plan, sort: 'relevance', limit: 1 };
  const within = { ...retrieval, plan: one };
  const plain = { ...one, ...NO_WISHES };
  const reaches = [...effortFor(plain).reaches.slice(0, 1), ...effort.reaches];
  return reachFor(plain, { ...effort, reaches }, (reach, relevance) =>
    rank(sql, within, takeBest(sql, within, reach, relevance), { byMatch: true }),
  );
}

async function byRelevance<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const { plan } = retrieval;
  const { rows, isSure } = await byPreference(sql, retrieval, effort, rank);
  if (isSure) return rows;
  const found = rows.map(({ number }) => number);
  return reachFor(plan, effort, (reach, relevance) => {
    const candidates = takeBest(sql, retrieval, reach, relevance);
    return rank(sql, retrieval, withFound(sql, candidates, found), {});
  });
}

/**
 * Searches the preferred part (the preferred merchant, district or price, and circles around the coordinates, each
 * twice as wide) for the best results. `isSure` if nothing elsewhere can beat them.
 */
async function byPreference<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const { kind, plan } = retrieval;
  const all = effort.reaches[0]?.budget ?? 0;
  let rows: (Row & RankedRow)[] = [];
  let ceiling = ceilingOf(retrieval);
  let best: Match | undefined;
  let part = await openPreferred(sql, retrieval, null);
  while (part !== null) {
    const elsewhere = ceiling.relevance * (1 - leastLoss(plan, part.plan));
    const candidates = withFound(
      sql,
      takeBest(sql, part, { wanted: all, depth: all, budget: all }, elsewhere),
      rows.map(({ number }) => number),
    );
    ({ rows } = await rank(sql, retrieval, candidates, {}));
    // Cheapness and offer quality can only be judged among all.
    if (kind === 'offer' || plan.cheap) break;
    const last = rows[plan.limit - 1];
    if (last !== undefined && last.score >= scoreOf(elsewhere, ceiling.covered)) {
      return { rows, isSure: true };
    }
    if (rows.length === 0 && best === undefined) {
      // Perhaps no record reaches the ceiling: use the best actual match instead.
      [best] = await bestMatch(sql, retrieval, effort, rank);
      if (best === undefined) return { rows, isSure: true };
      if (best.relevance < ceiling.relevance) ceiling = best;
      part = await openPreferred(sql, retrieval, ceiling.relevance);
    } else {
      part = await openWider(sql, retrieval, part);
    }
  }
  return { rows, isSure: false };
}

/** Adds records found earlier to the candidates. */
const withFound = (sql: Sql, candidates: Candidates, found: number[]): Candidates =>
  found.length === 0
    ? candidates
    : sql`select numbers | ${arrayText(found)}::text::int[] as numbers, bound from (${candidates}) best`;

/**
 * Widens the reach until there are enough results and none left out can be better, or nothing is left out. The best
 * result so far raises the relevance required of the others.
 */
async function reachFor<Row>(
  plan: SearchPlan,
  { reaches, slack }: Effort,
  rank: (reach: Reach, relevance: number) => Promise<Ranked<Row>>,
) {
  let relevance = LEAST_RELEVANCE;
  let found: (Row & RankedRow)[] = [];
  for (const reach of reaches) {
    const { rows, bound } = await rank(reach, relevance);
    found = rows;
    const best = Math.max(0, ...rows.map((row) => row.relevance));
    relevance = Math.max(relevance, LEAST_SHARE_OF_BEST * best);
    const last = rows[plan.limit - 1];
    if (bound < scoreOf(relevance, false)) break;
    if (last !== undefined && (hasWishes(plan) || last.score >= (1 - slack) * bound - 1e-8)) break;
  }
  return found;
}

/** Searches circles around the place, each twice as wide as the one before. */
async function byDistance<Row>(
  sql: Sql,
  retrieval: Retrieval,
  rank: Rank<Row>,
  cut: { relevance: number; isLed: boolean },
) {
  const { plan } = retrieval;
  const { relevance } = cut;
  const { near } = plan;
  if (near === null) return [];
  let circle = await openCircle(sql, retrieval, near, plan.limit, relevance);
  for (;;) {
    const { radiusMeters } = circle;
    const candidates = takeBest(sql, circle, IN_CIRCLE, relevance);
    const { rows } = await rank(sql, retrieval, candidates, { ...cut, radiusMeters });
    // Payment offers without merchant come last, however wide the circle.
    const placed = rows.filter(({ store }) => store !== null);
    if (placed.length >= plan.limit || radiusMeters === near.radiusMeters) return rows;
    const wider = { ...near, radiusMeters: Math.min(2 * radiusMeters, near.radiusMeters) };
    circle = await openWithin(sql, retrieval, wider);
  }
}
