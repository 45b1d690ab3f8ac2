import type { Offer, Product } from '../../domain/catalog.ts';
import {
  LEAST_RELEVANCE,
  LEAST_SHARE_OF_BEST,
  LEAST_SHARE_WHEN_SORTED,
  scoreOf,
} from '../../domain/relevance.ts';
import type { Found, SearchPlan } from '../../domain/search.ts';
import { type OfferRow, type ProductRow, toOffer, toProduct } from '../catalog/records.ts';
import type { Sql } from '../connection/client.ts';
import { openCircle, openWithin } from './circles.ts';
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
import { mostElsewhere } from './score.ts';
import { clauseTokens } from './slots.ts';

/** How much work a search may be. */
export type Effort = {
  /** How far it reaches; further at each next try, while what is left out may be better than what was found. */
  reaches: Reach[];
  /** How many candidates of at least some relevance are taken from the cheapest or dearest on. */
  priceDepths: number[];
  /** By what share a record left out may be better: an offer's number tells its quality in steps. */
  slack: number;
};

/** To score so many takes 0.1 s (two cores at rest; the deadline is 1 s). */
const LAST_DEPTH = 20_000;
const EFFORT: Effort = {
  reaches: [
    { wanted: 50, depth: 50, budget: 400 },
    { wanted: 500, depth: 500, budget: 3000 },
    { wanted: LAST_DEPTH, depth: LAST_DEPTH, budget: LAST_DEPTH },
  ],
  priceDepths: [60, 1000, LAST_DEPTH],
  slack: 0.003,
};
/** A circle is expected to hold so many times what is asked for. */
const CIRCLE_MARGIN = 4;
/** Where even a small circle holds more, as the stores of one building may, the best by static rank. */
const IN_CIRCLE: Reach = { wanted: 10_000, depth: 10_000, budget: 10_000 };

/** Finds products, best first. */
export async function searchProducts(
  sql: Sql,
  plan: SearchPlan,
  effort = EFFORT,
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

/** Finds offers of the public index, best first: by relevance and quality score together. */
export async function searchOffers(
  sql: Sql,
  plan: SearchPlan,
  effort = EFFORT,
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
  const retrieval = await openRetrieval(sql, kind, plan);
  const { counts, slots } = retrieval;
  const unknownTokens = clauseTokens(plan).filter((token) => !counts.has(token));
  const isHopeless = slots.length > 0 && slots.every(({ postings }) => postings.length === 0);
  const rows = isHopeless ? [] : await findRows(sql, retrieval, effort, rank);
  return { rows, slots, unknownTokens };
}

async function findRows<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const { plan } = retrieval;
  if (plan.sort === 'relevance') return byRelevance(sql, retrieval, effort, rank);
  const [first] = await bestMatch(sql, retrieval, effort, rank);
  if (first === undefined) return [];
  const relevance = Math.max(LEAST_RELEVANCE, LEAST_SHARE_WHEN_SORTED * first.relevance);
  if (plan.sort === 'distance') return byDistance(sql, retrieval, rank, relevance);
  let found: (Row & RankedRow)[] = [];
  for (const depth of effort.priceDepths) {
    const candidates = takeByPrice(sql, retrieval, relevance, depth);
    const { rows, bound } = await rank(sql, retrieval, candidates, { relevance });
    found = rows;
    if (bound === 0 || rows.length >= plan.limit) break;
  }
  return found;
}

/** The best match, wherever in the place it is and whatever it costs. */
function bestMatch<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const plan: SearchPlan = { ...retrieval.plan, sort: 'relevance', limit: 1 };
  const one = { ...retrieval, plan };
  return reachFor(plan, effort, (reach, relevance) =>
    rank(sql, one, takeBest(sql, one, reach, relevance), { byMatch: true }),
  );
}

async function byRelevance<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const { kind, plan } = retrieval;
  const [first] = effort.reaches;
  const preferred = await openPreferred(sql, retrieval);
  if (preferred !== null && first !== undefined && kind === 'product' && !plan.cheap) {
    const reach = { ...first, depth: first.budget };
    const candidates = takeBest(sql, preferred, reach, LEAST_RELEVANCE);
    const { rows } = await rank(sql, retrieval, candidates, {});
    const last = rows[plan.limit - 1];
    if (last !== undefined && last.score >= mostElsewhere(retrieval, preferred)) return rows;
  }
  return reachFor(plan, effort, (reach, relevance) => {
    const best = takeBest(sql, retrieval, reach, relevance);
    const candidates: Candidates =
      preferred === null
        ? best
        : sql`
          select best.numbers | preferred.numbers as numbers, best.bound
          from (${best}) best, (${takeBest(sql, preferred, reach, relevance)}) preferred`;
    return rank(sql, retrieval, candidates, {});
  });
}

/**
 * The same search in the preferred part of what it is kept to: there the good matches count, whatever
 * their static rank. That is the district and the price that the query speaks of, and a circle around
 * coordinates.
 */
async function openPreferred(sql: Sql, retrieval: Retrieval): Promise<Retrieval | null> {
  const { kind, plan, slots } = retrieval;
  const { near, preferredDistrict, preferredPrice } = plan;
  if (slots.length === 0) return null;
  const spokenOf: SearchPlan = {
    ...plan,
    district: preferredDistrict ?? plan.district,
    minPrice: preferredPrice === null ? plan.minPrice : preferredPrice.min,
    maxPrice: preferredPrice === null ? plan.maxPrice : preferredPrice.max,
  };
  const part =
    preferredDistrict === null && preferredPrice === null
      ? null
      : await openRetrieval(sql, kind, spokenOf);
  if (near === null) return part;
  const circle = await openCircle(sql, part ?? retrieval, near, plan.limit * CIRCLE_MARGIN);
  return circle.radiusMeters < near.radiusMeters ? circle : part;
}

/**
 * Reaches further until there are as many results as asked for and nothing better is left out, or nothing at
 * all is: what is seen of the best result tells how relevant the others have to be.
 */
async function reachFor<Row>(
  plan: SearchPlan,
  { reaches, slack }: Effort,
  rank: (reach: Reach, relevance: number) => Promise<Ranked<Row>>,
) {
  let relevance = LEAST_RELEVANCE;
  let found: (Row & RankedRow)[] = [];
  for (const { budget, ...reach } of reaches) {
    // A wish may put any of those that match as well first.
    const depth = hasWishes(plan) ? budget : reach.depth;
    const { rows, bound } = await rank({ ...reach, budget, depth }, relevance);
    found = rows;
    const best = Math.max(0, ...rows.map((row) => row.relevance));
    relevance = Math.max(relevance, LEAST_SHARE_OF_BEST * best);
    const last = rows[plan.limit - 1];
    if (bound < scoreOf(relevance, false)) break;
    if (last !== undefined && (hasWishes(plan) || last.score >= (1 - slack) * bound - 1e-8)) break;
  }
  return found;
}

/** Whether more than the match and the static rank orders results: then the score of the rest tells little. */
const hasWishes = ({ near, cheap, preferredDistrict, preferredPrice }: SearchPlan) =>
  near !== null || cheap || preferredDistrict !== null || preferredPrice !== null;

/** Looks at circles around the place, each twice as wide as the one before. */
async function byDistance<Row>(sql: Sql, retrieval: Retrieval, rank: Rank<Row>, relevance: number) {
  const { plan } = retrieval;
  const { near } = plan;
  if (near === null) return [];
  const wanted = plan.limit * CIRCLE_MARGIN;
  let circle = await openCircle(sql, retrieval, near, wanted, relevance);
  for (;;) {
    const { radiusMeters } = circle;
    const candidates = takeBest(sql, circle, IN_CIRCLE, relevance);
    const { rows } = await rank(sql, retrieval, candidates, { relevance, radiusMeters });
    // Payment offers without merchant come last, however wide the circle.
    const placed = rows.filter(({ store }) => store !== null);
    if (placed.length >= plan.limit || radiusMeters === near.radiusMeters) return rows;
    const wider = { ...near, radiusMeters: Math.min(2 * radiusMeters, near.radiusMeters) };
    circle = await openWithin(sql, retrieval, wider);
  }
}
