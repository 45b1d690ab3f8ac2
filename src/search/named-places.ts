import { placeKey } from '../domain/places.ts';
import { districtOf, firstPart, withoutCountry } from '../domain/regions.ts';
import { placesNamed } from '../understand/mentions/places.ts';
import type { Place } from '../understand/types.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { SearchMessage } from './messages.ts';

/** A place by its name in the catalog, or the message about an unknown name. */
type Resolved = { name: string } | { message: SearchMessage };

/** Places of an unknown name that a message tells. */
const MAX_TOLD = 3;

/** Resolves the field `city` by the catalog's names, then by those of the gazetteer. */
export async function resolveCity(name: string, deps: SearchDependencies): Promise<Resolved> {
  const found = await deps.catalog.findCity(name);
  if (!('unknown' in found)) return found;
  const alias = placesNamed(withoutCountry(name), await deps.catalog.places()).find(
    ({ kind }) => kind === 'city',
  );
  if (alias !== undefined) return { name: alias.name };
  const { suggestions } = found;
  const places = await placesOf(name, deps);
  return { message: { kind: 'unknown-city', name, places, suggestions } };
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
  const { suggestions } = found;
  const places = await placesOf(name, deps);
  return { message: { kind: 'unknown-district', name, city, places, suggestions } };
}

/** Returns the first places of a name; a city after it ("Centro, Campinas") disambiguates. */
async function placesOf(name: string, { catalog }: SearchDependencies): Promise<readonly Place[]> {
  const known = await catalog.places();
  const whole = placesNamed(name, known);
  if (whole.length > 0) return whole.slice(0, MAX_TOLD);
  const places = placesNamed(firstPart(name), known);
  const there = places.filter(({ city }) => districtOf(name, city) !== name);
  return (there.length > 0 ? there : places).slice(0, MAX_TOLD);
}
