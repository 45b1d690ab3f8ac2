import type { Hit } from '../domain/catalog.ts';
import type { NearStore, Position } from '../domain/distance.ts';
import { shortName } from '../domain/links.ts';
import { placeKey } from '../domain/places.ts';
import type { SearchPlan } from '../domain/search.ts';
import type { SearchDependencies } from './dependencies.ts';

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
): Promise<string[]> {
  if (near === null || hits.some(({ nearestStore }) => nearestStore !== null)) return [];
  const [nearest = null] = await catalog.storesNear([near], FAR_METERS);
  if (nearest === null) return [await outside(near, catalog)];
  const there = shortName(nearest.city);
  if (city !== null && placeKey(nearest.city) !== placeKey(city)) {
    return [
      `These coordinates lie near ${there}, not in ${shortName(city)}: pass city: "${there}", or no city with them.`,
    ];
  }
  if (nearest.distanceMeters <= near.radiusMeters) return [];
  const kilometers = Math.max(1, Math.ceil(nearest.distanceMeters / 1000));
  return [
    `No store of the catalog lies within ${near.radiusMeters} m of these coordinates; the nearest is about ${kilometers} km away, in ${there}: a greater radius_meters reaches it.`,
  ];
}

async function outside(near: Position, catalog: SearchDependencies['catalog']): Promise<string> {
  const nothing = `No store of the catalog lies within ${FAR_METERS / 1000} km of latitude ${near.latitude}, longitude ${near.longitude}.`;
  const others = mistaken(near);
  const found = await catalog.storesNear(
    others.map(({ position }) => position),
    MEANT_METERS,
  );
  const at = found.findIndex((store) => store !== null);
  const store: NearStore | null = found[at] ?? null;
  const other = others[at];
  if (store === null || other === undefined) {
    return `${nothing} A city or district says where as well.`;
  }
  const { latitude, longitude } = other.position;
  return `${nothing} ${other.mistake} latitude: ${latitude}, longitude: ${longitude} lies in ${shortName(store.city)}.`;
}

/** Lists what coordinates may have been before they were swapped or lost a sign. */
function mistaken({ latitude: a, longitude: b }: Position) {
  const exchanged = 'Were latitude and longitude exchanged?';
  const sign = 'Was a minus sign lost?';
  const both = 'Were latitude and longitude exchanged, and a minus sign lost?';
  const readings: [string, number, number][] = [
    [exchanged, b, a],
    [sign, -a, -b],
    [sign, -a, b],
    [sign, a, -b],
    [both, -b, -a],
    [both, -b, a],
    [both, b, -a],
  ];
  return readings
    .filter(([, latitude]) => Math.abs(latitude) <= 90)
    .map(([mistake, latitude, longitude]) => ({ mistake, position: { latitude, longitude } }));
}
