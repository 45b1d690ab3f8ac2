import type { Offer, Product } from '../../domain/catalog.ts';
import type { Found, SearchPlan } from '../../domain/search.ts';
import { type OfferRow, type ProductRow, toOffer, toProduct } from '../catalog/records.ts';
import type { Sql } from '../connection/client.ts';
import type { Kind } from '../search-index/texts.ts';
import {
  openRetrieval,
  type Retrieval,
  takeBest,
  takeBestMatches,
  takeBoth,
  takeByPrice,
  takeFew,
} from './candidates.ts';
import { openCircle, openWithin } from './circles.ts';
import { type Ranked, type RankedRow, rankOffers, rankProducts, toHit } from './ranking.ts';
import { LEAST_RELEVANCE, LEAST_SHARE_OF_BEST, mostElsewhere } from './scoring.ts';

/** How much work a search may be. */
export type Effort = {
  /** So few records are scored all, without a walk through the index. */
  few: number;
  /**
   * How many candidates are taken; more at each next try, when those taken hold fewer good records than
   * asked for and others were left out. After the last one the search gives what it has.
   */
  depths: number[];
  /** The same for the best match, which a search that is sorted by something else measures others by. */
  bestDepths: number[];
  priceDepths: number[];
};

/**
 * To score so many takes 0.45 s, with the tries before it 0.7 (300,000 products, two cores at rest; the
 * deadline is 1 s): results that so many others with as good a match hide stay hidden.
 */
const LAST_DEPTH = 20_000;
const EFFORT: Effort = {
  few: 300,
  depths: [100, 1000, 10_000, LAST_DEPTH],
  bestDepths: [20, 100, 1000, 10_000, LAST_DEPTH],
  priceDepths: [60, 1000, 20_000],
};
/** Sorted by price or distance, only results about as good as the best one may take part. */
const LEAST_SHARE_WHEN_SORTED = 0.7;
/** A circle is expected to hold so many times what is asked for. */
const CIRCLE_MARGIN = 4;
/** Where even a small circle holds more, as the stores of one building may, the best by static rank. */
const MOST_IN_CIRCLE = 10_000;

/** Finds products, best first. */
export async function searchProducts(
  sql: Sql,
  plan: SearchPlan,
  effort = EFFORT,
): Promise<Found<Product>> {
  const { rows, unknownTokens } = await find<ProductRow>(
    sql,
    'product',
    plan,
    effort,
    rankProducts,
  );
  return { hits: rows.map((row) => toHit(toProduct(row), row, plan)), unknownTokens };
}

/** Finds offers of the public index, best first: by relevance and quality score together. */
export async function searchOffers(
  sql: Sql,
  plan: SearchPlan,
  effort = EFFORT,
): Promise<Found<Offer>> {
  const { rows, unknownTokens } = await find<OfferRow>(sql, 'offer', plan, effort, rankOffers);
  return { hits: rows.map((row) => toHit(toOffer(row), row, plan)), unknownTokens };
}

type Rank<Row> = typeof rankProducts<Row>;

async function find<Row>(sql: Sql, kind: Kind, plan: SearchPlan, effort: Effort, rank: Rank<Row>) {
  const retrieval = await openRetrieval(sql, kind, plan, effort.few);
  const { counts, groups, few } = retrieval;
  const unknownTokens = plan.groups
    .flatMap((group) => group.alternatives.map(({ token }) => token))
    .filter((token) => !counts.has(token));
  if (plan.groups.length > 0 && groups.length === 0) return { rows: [], unknownTokens };
  const candidates = few === null ? null : takeFew(sql, retrieval, few);
  const share = plan.sort === 'relevance' ? undefined : LEAST_SHARE_WHEN_SORTED;
  const rows =
    candidates !== null
      ? (await rank(sql, retrieval, candidates, { share })).rows
      : await walkFor(sql, retrieval, effort, rank);
  return { rows, unknownTokens };
}

async function walkFor<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const { plan } = retrieval;
  if (plan.sort === 'relevance') return byRelevance(sql, retrieval, effort, rank);
  const [first] = await bestMatch(sql, retrieval, effort, rank);
  if (first === undefined) return [];
  const relevance = Math.max(LEAST_RELEVANCE, LEAST_SHARE_WHEN_SORTED * first.relevance);
  if (plan.sort === 'distance') return byDistance(sql, retrieval, effort, rank, relevance);
  return deeper(plan, effort.priceDepths, (most) =>
    rank(sql, retrieval, takeByPrice(sql, retrieval, relevance, most), { relevance }),
  );
}

/** The best match, wherever in the place it is and whatever it costs. */
function bestMatch<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const plan: SearchPlan = { ...retrieval.plan, sort: 'relevance', limit: 1 };
  const one = { ...retrieval, plan };
  return deeper(plan, effort.bestDepths, (most, relevance) =>
    rank(sql, one, takeBest(sql, one, most, relevance), { byMatch: true }),
  );
}

async function byRelevance<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const { kind, plan } = retrieval;
  const [first = LAST_DEPTH] = effort.depths;
  const preferred = await openPreferred(sql, retrieval, effort);
  if (preferred !== null && kind === 'product' && !plan.cheap) {
    const { few } = preferred;
    const candidates =
      few === null ? takeBestMatches(sql, preferred, first) : takeFew(sql, preferred, few);
    const { rows } = await rank(sql, retrieval, candidates, {});
    const last = rows[plan.limit - 1];
    if (last !== undefined && last.score >= mostElsewhere(retrieval, preferred)) return rows;
  }
  return deeper(plan, effort.depths, (most, relevance) => {
    const candidates =
      preferred === null
        ? takeBest(sql, retrieval, most, relevance)
        : takeBoth(sql, retrieval, preferred, most, relevance);
    return rank(sql, retrieval, candidates, {});
  });
}

/**
 * The same search in the preferred part of what it is kept to: there the good matches count, whatever
 * their static rank. That is the district and the price that the query speaks of, and a circle around
 * coordinates.
 */
async function openPreferred(
  sql: Sql,
  retrieval: Retrieval,
  { few }: Effort,
): Promise<Retrieval | null> {
  const { kind, plan, groups } = retrieval;
  const { near, preferredDistrict, preferredPrice } = plan;
  if (groups.length === 0) return null;
  const spokenOf: SearchPlan = {
    ...plan,
    district: preferredDistrict ?? plan.district,
    minPrice: preferredPrice === null ? plan.minPrice : preferredPrice.min,
    maxPrice: preferredPrice === null ? plan.maxPrice : preferredPrice.max,
  };
  const part =
    preferredDistrict === null && preferredPrice === null
      ? null
      : await openRetrieval(sql, kind, spokenOf, few);
  if (near === null) return part;
  const circle = await openCircle(sql, part ?? retrieval, near, plan.limit * CIRCLE_MARGIN, few);
  return circle.radiusMeters < near.radiusMeters ? circle : part;
}

/**
 * Looks deeper until there are as many results as asked for, or nothing more to look at: what is seen of
 * the best result tells how relevant the others have to be.
 */
async function deeper<Row>(
  plan: SearchPlan,
  depths: number[],
  rank: (most: number, relevance: number) => Promise<Ranked<Row>>,
) {
  let relevance = LEAST_RELEVANCE;
  let found: (Row & RankedRow)[] = [];
  for (const most of depths) {
    const { rows, complete } = await rank(most, relevance);
    found = rows;
    if (complete || rows.length >= plan.limit) break;
    const best = Math.max(0, ...rows.map((row) => row.relevance));
    relevance = Math.max(relevance, LEAST_SHARE_OF_BEST * best);
  }
  return found;
}

/** Looks at circles around the place, each twice as wide as the one before. */
async function byDistance<Row>(
  sql: Sql,
  retrieval: Retrieval,
  effort: Effort,
  rank: Rank<Row>,
  relevance: number,
) {
  const { plan } = retrieval;
  const { near } = plan;
  if (near === null) return [];
  const wanted = plan.limit * CIRCLE_MARGIN;
  let circle = await openCircle(sql, retrieval, near, wanted, effort.few, relevance);
  for (;;) {
    const { few, radiusMeters } = circle;
    const candidates =
      few === null ? takeBest(sql, circle, MOST_IN_CIRCLE, relevance) : takeFew(sql, circle, few);
    const { rows } = await rank(sql, retrieval, candidates, { relevance, radiusMeters });
    // Payment offers without merchant come last, however wide the circle.
    const placed = rows.filter(({ store }) => store !== null);
    if (placed.length >= plan.limit || radiusMeters === near.radiusMeters) return rows;
    const wider = { ...near, radiusMeters: Math.min(2 * radiusMeters, near.radiusMeters) };
    circle = await openWithin(sql, retrieval, wider, effort.few);
  }
}
