import type { SearchPlan } from '../../domain/search.ts';
import type { Sql } from '../connection/client.ts';
import { expectedMatches, openRetrieval, type Retrieval } from './retrieve.ts';

/** A circle on the map. */
export type Circle = NonNullable<SearchPlan['near']>;
/** A search in a circle of this radius. */
export type InCircle = Retrieval & { radiusMeters: number };

/** About the side of the smallest squares of the map. */
const LEAST_RADIUS_METERS = 300;
/** A circle of at most so many times the wanted radius, or of that part of it, will do. */
const NEAR_ENOUGH = 1.5;
const MOST_GROWTH = 4;
const MOST_TRIES = 3;

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

/**
 * The same search in a circle around the middle that is expected to hold so many records of the best match
 * or of at least this relevance, or in the whole circle where that holds no more. How densely records lie is
 * seen on the way.
 */
export async function openCircle(
  sql: Sql,
  retrieval: Retrieval,
  whole: Circle,
  records: number,
  relevance: number | null = null,
): Promise<InCircle> {
  let circle: InCircle = { ...retrieval, radiusMeters: whole.radiusMeters };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { radiusMeters } = circle;
    const growth = Math.sqrt(records / expectedMatches(circle, relevance));
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
  { kind, plan }: Retrieval,
  near: Circle,
): Promise<InCircle> {
  const retrieval = await openRetrieval(sql, kind, { ...plan, near });
  return { ...retrieval, radiusMeters: near.radiusMeters };
}
