import type { SearchPlan } from '../../domain/search.ts';
import type { Sql } from '../connection/client.ts';
import { boxAround, type Circle } from './format.ts';
import { expectedMatches, openRetrieval, type Retrieval } from './retrieve.ts';
import type { Nearby } from './slots.ts';

/** A search in a circle of this radius. */
export type InCircle = Retrieval & { radiusMeters: number };

/** About the side of the smallest squares of the map. */
const LEAST_RADIUS_METERS = 300;
/** A circle of at most so many times the wanted radius, or of that part of it, will do. */
const NEAR_ENOUGH = 1.5;
const MOST_GROWTH = 4;
const MOST_TRIES = 3;

/** A circle is expected to hold so many times what is asked for. */
const MARGIN = 4;
/** So many stores are looked up one by one; more are known by squares of the map. */
const MOST_STORES = 64;

/** The great-circle distance in metres (haversine) of a store `s`; null without position or place. */
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

/** SQL that gives the stores in a circle, each with its `distance` in metres. */
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

/** The merchants with a store in a circle; null where there are many. */
export async function merchantsWithin(sql: Sql, near: Circle): Promise<Nearby[] | null> {
  const stores = await sql<Nearby[]>`
    select merchant_id as "merchantId", distance from (${storesWithin(sql, near)}) s
    limit ${MOST_STORES + 1}`;
  return stores.length > MOST_STORES ? null : stores;
}

/**
 * The same search in a circle around the middle that is expected to hold a few times so many records of the best
 * match or of at least this relevance, or in the whole circle where that holds no more. How densely records lie is
 * seen on the way.
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

/** The same search in another circle. */
export async function openWithin(
  sql: Sql,
  { kind, plan, nearby }: Retrieval,
  near: Circle,
): Promise<InCircle> {
  const retrieval = await openRetrieval(sql, kind, { ...plan, near }, nearby);
  return { ...retrieval, radiusMeters: near.radiusMeters };
}

/**
 * The same search in the preferred part of what it is kept to, the merchant, else the district or circle and the
 * price that the query speaks of, and a circle around coordinates: there the good matches count, whatever their static
 * rank. The circle is to
 * hold enough of at least this relevance, or of the best match.
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
  // All that is a merchant's, which is little: he may have nothing in the district or at the price.
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

/** The same in a circle twice as wide; null where that is nearly all there is. */
export async function openWider(sql: Sql, { plan }: Retrieval, part: Retrieval) {
  const inner = part.plan.near;
  if (inner === null || plan.near === null) return null;
  const radiusMeters = 2 * inner.radiusMeters;
  if (radiusMeters > plan.near.radiusMeters / 2) return null;
  return openWithin(sql, part, { ...inner, radiusMeters });
}
