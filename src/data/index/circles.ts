import type { NearStore, Position } from '../../domain/distance.ts';
import type { SearchPlan } from '../../domain/search.ts';
import type { Sql } from '../connection/client.ts';
import { boxAround, type Circle } from './format.ts';
import { expectedMatches, openRetrieval, type Retrieval } from './retrieve.ts';
import type { Nearby } from './slots.ts';

/** A search within a circle of this radius. */
export type InCircle = Retrieval & { radiusMeters: number };

/** About the side of the smallest grid squares. */
const LEAST_RADIUS_METERS = 300;
/** A radius within this factor of the target is accepted. */
const NEAR_ENOUGH = 1.5;
const MOST_GROWTH = 4;
const MOST_TRIES = 3;

/** The expected number of matches in a circle, as a multiple of the limit. */
const MARGIN = 4;
/** Up to this many stores are looked up individually; beyond, grid squares are used. */
const MOST_STORES = 64;

/** The great-circle distance (haversine) in metres of a store `s`; null without coordinates on either side. */
export function distanceFrom(sql: Sql, near: Circle | null) {
  const latitude = near?.latitude ?? null;
  const longitude = near?.longitude ?? null;
  return sql`case when ${near !== null} and s.latitude is not null then
    2 * 6371008.8 * asin(least(1, sqrt(
      power(sin(radians(s.latitude - ${latitude}::float8) / 2), 2)
      + cos(radians(${latitude}::float8)) * cos(radians(s.latitude))
        * power(sin(radians(s.longitude - ${longitude}::float8) / 2), 2)
    ))) end`;
}

/** Selects the stores in a circle, each with its `distance` in metres. */
export function storesWithin(sql: Sql, circle: Circle) {
  const box = boxAround(circle);
  const nearby =
    box === null
      ? sql`latitude is not null`
      : sql`latitude between ${box.south} and ${box.north}
          and longitude between ${box.west} and ${box.east}`;
  return sql`
    select * from (select s.*, ${distanceFrom(sql, circle)} as distance from store s where ${nearby}) s
    where distance <= ${circle.radiusMeters}`;
}

/** Finds the merchants with a store in a circle; null if there are many stores. */
export async function merchantsWithin(sql: Sql, near: Circle): Promise<Nearby[] | null> {
  const stores = await sql<Nearby[]>`
    select merchant_id as "merchantId", distance from (${storesWithin(sql, near)}) s
    limit ${MOST_STORES + 1}`;
  return stores.length > MOST_STORES ? null : stores;
}

/**
 * Narrows a search to a circle expected to hold a few times `limit` records of at least this relevance (null: of
 * the best match), or keeps the whole circle. The density is estimated on the way.
 */
export async function openCircle(
  sql: Sql,
  retrieval: Retrieval,
  whole: Circle,
  limit: number,
  relevance: number | null,
): Promise<InCircle> {
  let circle: InCircle = { ...retrieval, radiusMeters: whole.radiusMeters };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { radiusMeters } = circle;
    const growth = Math.sqrt((limit * MARGIN) / expectedMatches(circle, relevance));
    const wanted = Math.max(LEAST_RADIUS_METERS, radiusMeters * Math.min(growth, MOST_GROWTH));
    const next = Math.min(wanted, whole.radiusMeters);
    if (next < radiusMeters * NEAR_ENOUGH && next > radiusMeters / NEAR_ENOUGH) break;
    circle = await openWithin(sql, retrieval, { ...whole, radiusMeters: next });
  }
  return circle;
}

/** Repeats a search within another circle. */
export async function openWithin(
  sql: Sql,
  { kind, plan, nearby }: Retrieval,
  near: Circle,
): Promise<InCircle> {
  const retrieval = await openRetrieval(sql, kind, { ...plan, near }, nearby);
  return { ...retrieval, radiusMeters: near.radiusMeters };
}

/**
 * Narrows a search to the preferred part: the preferred merchant, else the preferred district or circle and price;
 * and to a circle around given coordinates, sized for enough matches of at least this relevance (null: of the best
 * match). Inside, good matches count whatever their static rank. Null without preferences.
 */
export async function openPreferred(
  sql: Sql,
  retrieval: Retrieval,
  relevance: number | null,
): Promise<Retrieval | null> {
  const { kind, plan, nearby } = retrieval;
  const { near, preferredDistrict, preferredNear, preferredPrice, preferredMerchantIds } = plan;
  const inPart: SearchPlan = {
    ...plan,
    district: preferredDistrict ?? plan.district,
    near: preferredNear ?? near,
    minPrice: preferredPrice === null ? plan.minPrice : preferredPrice.min,
    maxPrice: preferredPrice === null ? plan.maxPrice : preferredPrice.max,
  };
  // All of the merchant's records, which are few: it may have nothing in the district or at the price.
  const ofMerchant: SearchPlan = { ...plan, merchantIds: preferredMerchantIds };
  const spokenOf = preferredMerchantIds === null ? inPart : ofMerchant;
  const isSpokenOf = preferredMerchantIds ?? preferredDistrict ?? preferredNear ?? preferredPrice;
  const isElsewhere = preferredMerchantIds === null && preferredNear !== null;
  const around = isElsewhere ? await merchantsWithin(sql, preferredNear) : nearby;
  const part = isSpokenOf === null ? null : await openRetrieval(sql, kind, spokenOf, around);
  if (near === null) return part;
  const circle = await openCircle(sql, part ?? retrieval, near, plan.limit, relevance);
  return circle.radiusMeters < near.radiusMeters ? circle : part;
}

/** Doubles the circle of a search; null if that is nearly the whole. */
export async function openWider(sql: Sql, { plan }: Retrieval, part: Retrieval) {
  const inner = part.plan.near;
  if (inner === null || plan.near === null) return null;
  const radiusMeters = 2 * inner.radiusMeters;
  if (radiusMeters > plan.near.radiusMeters / 2) return null;
  return openWithin(sql, part, { ...inner, radiusMeters });
}

/** Finds the nearest store within `meters` of each position; null where there is none. */
export function findStoresNear(
  sql: Sql,
  positions: readonly Position[],
  meters: number,
): Promise<(NearStore | null)[]> {
  return Promise.all(positions.map((position) => nearestStore(sql, position, meters)));
}

async function nearestStore(
  sql: Sql,
  position: Position,
  radiusMeters: number,
): Promise<NearStore | null> {
  const [nearest] = await sql<NearStore[]>`
    select city, district, distance as "distanceMeters"
    from (${storesWithin(sql, { ...position, radiusMeters })}) s
    order by distance, id limit 1`;
  return nearest ?? null;
}
