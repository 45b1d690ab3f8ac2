import type { NearStore, Position } from '../../domain/distance.ts';
import type { Sql } from '../connection/client.ts';
import { distanceFrom } from '../index/circles.ts';
import { boxAround } from '../index/format.ts';

/** The nearest of the stores within so many metres of each of some positions; null where there is none. */
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
  const circle = { ...position, radiusMeters };
  const box = boxAround(circle);
  const within =
    box === null
      ? sql`latitude is not null`
      : sql`latitude between ${box.south} and ${box.north}
          and longitude between ${box.west} and ${box.east}`;
  const [nearest] = await sql<NearStore[]>`
    select city, district, distance as "distanceMeters" from (
      select city, district, id, ${distanceFrom(sql, circle)} as distance
      from store s where ${within}
    ) s
    where distance <= ${radiusMeters} order by distance, id limit 1`;
  return nearest ?? null;
}
