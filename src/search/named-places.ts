import { shortName } from '../domain/links.ts';
import { placeKey } from '../domain/places.ts';
import { districtOf, firstPart, withoutCountry } from '../domain/regions.ts';
import type { UnknownName } from '../domain/search.ts';
import { placesNamed } from '../understand/mentions/places.ts';
import type { Place, Spot } from '../understand/types.ts';
import type { SearchDependencies } from './dependencies.ts';

/** A place by its name in the catalog, or the message about an unknown name. */
type Resolved = { name: string } | { message: string };

const MAX_TOLD = 3;

/** Resolves the field `city` by the catalog's names, then by those of the gazetteer. */
export async function resolveCity(name: string, deps: SearchDependencies): Promise<Resolved> {
  const found = await deps.catalog.findCity(name);
  if (!('unknown' in found)) return found;
  const alias = placesNamed(withoutCountry(name), await deps.catalog.places()).find(
    ({ kind }) => kind === 'city',
  );
  if (alias !== undefined) return { name: alias.name };
  return { message: unknownPlace('city', name, found, await placesOf(name, deps)) };
}

/** Resolves the field `district` within a city of the catalog, in the same way. */
export async function resolveDistrict(
  city: string,
  name: string,
  deps: SearchDependencies,
): Promise<Resolved> {
  const found = await deps.catalog.findDistrict(city, name);
  if (!('unknown' in found)) return found;
  const [alias] = placesNamed(districtOf(name, city), await deps.catalog.places()).filter(
    (place) => place.kind === 'district' && placeKey(place.city) === placeKey(city),
  );
  if (alias !== undefined) return { name: alias.name };
  return {
    message: unknownPlace(
      `district of ${shortName(city)}`,
      name,
      found,
      await placesOf(name, deps),
    ),
  };
}

/** Returns the places of a name; a city after it ("Centro, Campinas") disambiguates. */
async function placesOf(name: string, { catalog }: SearchDependencies): Promise<readonly Place[]> {
  const known = await catalog.places();
  const whole = placesNamed(name, known);
  if (whole.length > 0) return whole;
  const places = placesNamed(firstPart(name), known);
  const there = places.filter(({ city }) => districtOf(name, city) !== name);
  return there.length > 0 ? there : places;
}

function unknownPlace(
  what: string,
  name: string,
  { suggestions }: UnknownName,
  places: readonly Place[],
): string {
  const unknown = `The catalog knows no ${what} named "${name}".`;
  if (places.length > 0) return [unknown, ...places.slice(0, MAX_TOLD).map(whereIs)].join(' ');
  if (suggestions.length === 0) return unknown;
  return `${unknown} Close known names: ${suggestions.join(', ')}.`;
}

function whereIs(place: Place): string {
  const name = shortName(place.name);
  const asCity = `city: "${shortName(place.city)}"`;
  if (place.kind === 'spot') {
    const { district } = place;
    const fields = district === null ? '' : `${asCity} and district: "${shortName(district)}", or `;
    return `"${name}" is ${whereSpotIs(place)}: pass ${fields}${spotFields(place)} instead.`;
  }
  if (place.kind === 'city')
    return `"${name}" is a city of the catalog: if that is meant, pass ${asCity}.`;
  return `"${name}" is a district of ${shortName(place.city)}: pass ${asCity} and district: "${name}".`;
}

/** Describes where a spot is. */
export function whereSpotIs({ city, district }: Spot): string {
  const near = district === null ? '' : `, near the stores of the district ${shortName(district)}`;
  return `in ${shortName(city)}${near}`;
}

/** Names the fields that search around a spot. */
export function spotFields({ latitude, longitude, radiusMeters }: Spot): string {
  return `latitude: ${latitude}, longitude: ${longitude} and radius_meters: ${radiusMeters}`;
}
