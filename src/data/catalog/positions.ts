import type { NearStore, Position } from '../../domain/distance.ts';
import type { Sql } from '../connection/client.ts';
import { storesWithin } from '../index/circles.ts';

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
