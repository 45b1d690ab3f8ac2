import type { SearchPlan } from '../../domain/search.ts';
import type { Sql } from '../connection/client.ts';
import { boxAround } from './keys.ts';

/** A circle on the map. */
export type Circle = NonNullable<SearchPlan['near']>;

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
 * The nearest merchants with a store in a circle, about so many; `radiusMeters` is the circle that holds
 * stores of theirs alone: narrower where there are more. Null where the map does not serve.
 */
export async function nearestMerchants(
  sql: Sql,
  near: Circle,
  most: number,
): Promise<{ merchantIds: number[]; radiusMeters: number } | null> {
  const box = boxAround(near);
  if (box === null) return null;
  const { south, north, west, east } = box;
  const rows = await sql<{ merchant_id: number; distance: number }[]>`
    select merchant_id, min(distance) as distance
    from (
      select s.merchant_id, ${distanceFrom(sql, near)} as distance from store s
      where s.latitude between ${south}::float8 and ${north}::float8
        and s.longitude between ${west}::float8 and ${east}::float8
    ) store
    where distance <= ${near.radiusMeters}::float8
    group by merchant_id
    order by min(distance)
    fetch first (${most}::int) rows with ties`;
  return {
    merchantIds: rows.map((row) => row.merchant_id),
    radiusMeters: rows.length < most ? near.radiusMeters : (rows.at(-1)?.distance ?? 0),
  };
}
