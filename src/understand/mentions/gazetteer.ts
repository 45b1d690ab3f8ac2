import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { distanceMeters } from '../../domain/distance.ts';
import { type GazetteerEntry, parseGazetteer, SPOT_RADIUS_METERS } from '../../domain/gazetteer.ts';
import { placeKey } from '../../domain/places.ts';
import type { Place, Spot } from '../types.ts';

/** A place by one of its names; a `weak` name has other meanings too. */
export type NamedPlace = { name: string; weak: boolean; place: Place };

/** A city or district of the catalog, and the centroid of its stores if known. */
export type LocatedPlace = Extract<Place, { kind: 'city' | 'district' }> & {
  latitude?: number | null;
  longitude?: number | null;
};

const FILE = fileURLToPath(new URL('../gazetteer/places.tsv', import.meta.url));
/** Everything within the minimum is near a spot; a district with its centroid beyond the maximum is not. */
const LEAST_NEAR_METERS = 2000;
const MOST_NEAR_METERS = 5000;
const MARGIN_METERS = 500;

/** Reads the built-in gazetteer. */
export function loadGazetteer(): GazetteerEntry[] {
  return parseGazetteer(readFileSync(FILE, 'utf8'));
}

/**
 * Resolves the names of a gazetteer in a catalog: to one of its cities or districts, or to a spot in one of its
 * cities. Places of cities without stores are dropped.
 */
export function placesOfGazetteer(
  entries: readonly GazetteerEntry[],
  known: readonly LocatedPlace[],
): NamedPlace[] {
  const cities = new Map<string, { city: LocatedPlace; districts: LocatedPlace[] }>();
  for (const place of known) {
    if (place.kind === 'city') cities.set(placeKey(place.city), { city: place, districts: [] });
  }
  for (const place of known) {
    if (place.kind === 'district') cities.get(placeKey(place.city))?.districts.push(place);
  }
  return entries.flatMap((entry) => {
    const there = cities.get(placeKey(entry.city));
    if (there === undefined) return [];
    const place = placeOf(entry, there.city, there.districts);
    return entry.names.map(({ name, weak }) => ({ name, weak, place }));
  });
}

function placeOf(
  entry: GazetteerEntry,
  city: LocatedPlace,
  districts: readonly LocatedPlace[],
): Place {
  if (entry.kind === 'city') return city;
  if (entry.kind === 'neighbourhood') {
    const keys = new Set(entry.names.map(({ name }) => placeKey(name)));
    const same = districts.find(({ name }) => keys.has(placeKey(name)));
    if (same !== undefined) return same;
  }
  const { district, meters } = nearestDistrict(entry, districts);
  return {
    kind: 'spot',
    name: entry.name,
    city: city.name,
    latitude: entry.latitude,
    longitude: entry.longitude,
    radiusMeters: SPOT_RADIUS_METERS[entry.kind],
    nearMeters: Math.max(LEAST_NEAR_METERS, Math.round(meters) + MARGIN_METERS),
    district,
  };
}

function nearestDistrict(
  spot: Pick<Spot, 'latitude' | 'longitude'>,
  districts: readonly LocatedPlace[],
): { district: string | null; meters: number } {
  let nearest: { district: string | null; meters: number } = { district: null, meters: 0 };
  let least = MOST_NEAR_METERS;
  for (const { name, latitude, longitude } of districts) {
    if (typeof latitude !== 'number' || typeof longitude !== 'number') continue;
    const meters = distanceMeters(spot, { latitude, longitude });
    if (meters > least) continue;
    least = meters;
    nearest = { district: name, meters };
  }
  return nearest;
}
