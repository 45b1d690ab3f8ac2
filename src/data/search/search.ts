import type { Offer, Product } from '../../domain/catalog.ts';
import type { Found, SearchPlan } from '../../domain/search.ts';
import { type OfferRow, type ProductRow, toOffer, toProduct } from '../catalog/records.ts';
import type { Sql } from '../connection/client.ts';
import type { Kind } from '../search-index/texts.ts';
import {
  type Candidates,
  nearestRadius,
  openRetrieval,
  type Retrieval,
  takeBest,
  takeByPrice,
  takeFew,
  takeNearest,
  takeRelevant,
} from './candidates.ts';
import { type Circle, nearestMerchants } from './circles.ts';
import { type Ranked, rankOffers, rankProducts, toHit } from './ranking.ts';
import { LEAST_RELEVANCE } from './scoring.ts';

/** How much work a search may be. */
export type Effort = {
  /** So few records are scored all, without a walk through the index. */
  few: number;
  /**
   * How many candidates are taken; more at each next try, when those taken hold fewer good records than
   * asked for and others were left out.
   */
  depths: number[];
  priceDepths: number[];
};

const ALL = 2 ** 31 - 1;
const EFFORT: Effort = {
  few: 300,
  depths: [100, 1000, 10_000, ALL],
  priceDepths: [60, 1000, 20_000, ALL],
};
/** Sorted by price or distance, only results about as good as the best one may take part. */
const LEAST_SHARE_WHEN_SORTED = 0.7;
/** The first circle of a search by distance is made for so many times what is asked for. */
const CIRCLE_MARGIN = 16;
const LEAST_CIRCLE_METERS = 500;
/** So many of the nearest merchants are looked at first, four times as many next, and so on… */
const FIRST_MERCHANTS = 16;
/** …until the map serves better. */
const MOST_MERCHANTS = 512;

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
  return { hits: rows.map((row) => toHit(toProduct(row), row)), unknownTokens };
}

/** Finds offers of the public index, best first: by relevance and quality score together. */
export async function searchOffers(
  sql: Sql,
  plan: SearchPlan,
  effort = EFFORT,
): Promise<Found<Offer>> {
  const { rows, unknownTokens } = await find<OfferRow>(sql, 'offer', plan, effort, rankOffers);
  return { hits: rows.map((row) => toHit(toOffer(row), row)), unknownTokens };
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

/** The best match, wherever in the place it is. */
function bestMatch<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const plan: SearchPlan = { ...retrieval.plan, sort: 'relevance', limit: 1 };
  const one = { ...retrieval, plan };
  return deeper(plan, effort.depths, (most) => rank(sql, one, takeBest(sql, one, most), {}));
}

async function byRelevance<Row>(sql: Sql, retrieval: Retrieval, effort: Effort, rank: Rank<Row>) {
  const { kind, plan, groups } = retrieval;
  const [first = ALL] = effort.depths;
  const within = groups.length === 0 ? null : nearerPlan(retrieval, first);
  const nearer = within && (await openRetrieval(sql, kind, within, effort.few));
  return deeper(plan, effort.depths, (most) => {
    const candidates =
      nearer === null ? takeBest(sql, retrieval, most) : takeNearest(sql, retrieval, nearer, most);
    return rank(sql, retrieval, candidates, {});
  });
}

/**
 * The plan for the nearer part of a place: there the good matches count, whatever their static rank. It
 * is a circle around coordinates, or the district that the query speaks of.
 */
function nearerPlan(retrieval: Retrieval, records: number): SearchPlan | null {
  const { plan } = retrieval;
  if (plan.preferredDistrict !== null) return { ...plan, district: plan.preferredDistrict };
  const radiusMeters = nearestRadius(retrieval, records);
  if (plan.near === null || radiusMeters === null) return null;
  return { ...plan, near: { ...plan.near, radiusMeters } };
}

/** Looks deeper until there are as many results as asked for, or nothing more to look at. */
async function deeper<Row>(
  plan: SearchPlan,
  depths: number[],
  rank: (most: number) => Promise<Ranked<Row>>,
) {
  for (const most of depths) {
    const { rows, complete } = await rank(most);
    if (complete || rows.length >= plan.limit) return rows;
  }
  return [];
}

/**
 * Looks at circles around the place, each about twice as wide as the one before; as long as few merchants
 * are near enough, at their records alone, which squares of the map hold too many others of.
 */
async function byDistance<Row>(
  sql: Sql,
  retrieval: Retrieval,
  effort: Effort,
  rank: Rank<Row>,
  relevance: number,
) {
  const { kind, plan } = retrieval;
  const { near } = plan;
  if (near === null) return [];
  let radius = firstRadius(retrieval, near);
  for (let merchants = FIRST_MERCHANTS; ; merchants *= 4, radius *= 2) {
    const within = await narrow(sql, plan, near, radius, merchants);
    const circle = await openRetrieval(sql, kind, within, effort.few);
    const candidates: Candidates =
      circle.few === null ? takeRelevant(sql, circle, relevance) : takeFew(sql, circle, circle.few);
    const { radiusMeters } = within.near;
    const { rows } = await rank(sql, retrieval, candidates, { relevance, radiusMeters });
    // Payment offers without merchant come last, however wide the circle.
    const placed = rows.filter(({ store }) => store !== null);
    if (placed.length >= plan.limit || radiusMeters === near.radiusMeters) return rows;
  }
}

/** A circle that would hold some times what is asked for, if what matches were spread evenly. */
function firstRadius({ plan, groups, filters }: Retrieval, { radiusMeters }: Circle): number {
  const matching = Math.min(
    ...[groups.reduce((sum, { anywhere }) => sum + anywhere, 0) || Number.POSITIVE_INFINITY],
    ...filters.map(({ records }) => records),
  );
  const share = Math.sqrt((plan.limit * CIRCLE_MARGIN) / matching);
  return Math.max(LEAST_CIRCLE_METERS, share * radiusMeters);
}

/** A plan within a circle of its own, and of the merchants there where these are few. */
async function narrow(
  sql: Sql,
  plan: SearchPlan,
  whole: Circle,
  radius: number,
  merchants: number,
): Promise<SearchPlan & { near: Circle }> {
  if (radius >= whole.radiusMeters) return { ...plan, near: whole };
  const circle = { ...whole, radiusMeters: radius };
  const nearest =
    merchants > MOST_MERCHANTS ? null : await nearestMerchants(sql, circle, merchants);
  if (nearest === null) return { ...plan, near: circle };
  const { merchantIds, radiusMeters } = nearest;
  const wanted = plan.merchantIds ?? merchantIds;
  return {
    ...plan,
    near: { ...circle, radiusMeters },
    merchantIds: merchantIds.filter((id) => wanted.includes(id)),
  };
}
