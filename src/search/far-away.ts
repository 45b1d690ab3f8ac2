import type { Hit } from '../domain/catalog.ts';
import type { Position } from '../domain/distance.ts';
import { placeKey } from '../domain/places.ts';
import type { SearchPlan } from '../domain/search.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { MeantCoordinates, SearchMessage } from './messages.ts';

/** The maximum `radius_meters`. */
const FAR_METERS = 50_000;
/** Corrected coordinates are only suggested with a store this near. */
const MEANT_METERS = 10_000;

/**
 * Explains a search by coordinates that found no store: how far the nearest one is, and which coordinates were
 * probably meant if these look swapped or lack a minus sign.
 */
export async function farAwayMessages(
  { near, city }: Pick<SearchPlan, 'near' | 'city'>,
  hits: readonly Pick<Hit<unknown>, 'nearestStore'>[],
  { catalog }: Pick<SearchDependencies, 'catalog'>,
): Promise<SearchMessage[]> {
  if (near === null || hits.some(({ nearestStore }) => nearestStore !== null)) return [];
  const [nearest = null] = await catalog.storesNear([near], FAR_METERS);
  if (nearest === null) return [await outside(near, catalog)];
  const { city: nearestCity, distanceMeters: nearestMeters } = nearest;
  if (city !== null && placeKey(nearestCity) !== placeKey(city)) {
    return [{ kind: 'coordinates-elsewhere', city, nearestCity }];
  }
  const { radiusMeters } = near;
  if (nearestMeters <= radiusMeters) return [];
  return [{ kind: 'no-store-within', radiusMeters, nearestMeters, nearestCity }];
}

async function outside(
  { latitude, longitude }: Position,
  catalog: SearchDependencies['catalog'],
): Promise<SearchMessage> {
  const meant = await meantCoordinates({ latitude, longitude }, catalog);
  return { kind: 'no-store-near', latitude, longitude, withinMeters: FAR_METERS, meant };
}

async function meantCoordinates(
  near: Position,
  catalog: SearchDependencies['catalog'],
): Promise<MeantCoordinates | null> {
  const others = mistaken(near);
  const found = await catalog.storesNear(others, MEANT_METERS);
  const at = found.findIndex((store) => store !== null);
  const store = found[at] ?? null;
  const other = others[at];
  return store === null || other === undefined ? null : { ...other, city: store.city };
}

/** Lists what coordinates may have been before they were swapped or lost a sign. */
function mistaken({ latitude: a, longitude: b }: Position): Omit<MeantCoordinates, 'city'>[] {
  const readings = [
    ['exchanged', b, a],
    ['sign', -a, -b],
    ['sign', -a, b],
    ['sign', a, -b],
    ['exchanged and sign', -b, -a],
    ['exchanged and sign', -b, a],
    ['exchanged and sign', b, -a],
  ] as const;
  return readings
    .filter(([, latitude]) => Math.abs(latitude) <= 90)
    .map(([mistake, latitude, longitude]) => ({ mistake, latitude, longitude }));
}
