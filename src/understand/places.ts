import { placeKey, placeKeyOf } from '../domain/places.ts';
import { LEAST_FORM } from '../domain/relevance.ts';
import type { Candidate } from './find.ts';
import { type Cues, readAround } from './place-words.ts';
import { tokenize, type Unit } from './tokenize.ts';
import type { Place } from './types.ts';

/** Places by their folded names; several cities may have a district of the same name. */
export type PlaceIndex = {
  places: ReadonlyMap<string, readonly Place[]>;
  /** Folded names of states, which may follow cities. */
  states: ReadonlySet<string>;
};

/** Where a search is already confined to, and the place names its query may contain. */
export type Surroundings = {
  /** Names of the city, district and merchants that the search is kept to already. */
  given: readonly string[];
  /** The city that a district is looked for in first. */
  city: string | null;
  known: PlaceIndex;
};

/** What is left of a query, the places set aside that the search is not kept to, and whether others were. */
export type PlacesAside = { rest: Unit[]; places: Place[]; given: boolean };

/** A name in the units `from` to `to` (exclusive), and `start` to `end` with the words around it. */
type Found = {
  from: number;
  to: number;
  start: number;
  end: number;
  cues: Cues;
  given: boolean;
  place: Place | null;
};

const MAX_NAME_CHARS = 80;
const MAX_NAME_WORDS = 8;
/** Shorter names are often plain words ("no sé"). */
const LEAST_NAME = 3;
const MAX_PLACES = 3;

const isSameCity = (a: string, b: string | null) => b !== null && placeKey(a) === placeKey(b);
const wordsOf = (units: readonly Unit[]) => units.map((unit) => unit.text);

/** The folded words of a name; null if it is too long for a query. */
function keyOfName(name: string): string | null {
  if (name.length > MAX_NAME_CHARS) return null;
  const units = tokenize(name);
  return units.length > 0 && units.length <= MAX_NAME_WORDS ? placeKeyOf(wordsOf(units)) : null;
}

/** Makes places ready to be found in queries. */
export function indexPlaces(all: Iterable<Place>, states: Iterable<string> = []): PlaceIndex {
  const places = new Map<string, Place[]>();
  for (const place of all) {
    const key = keyOfName(place.name);
    if (key === null) continue;
    const same = places.get(key);
    if (same === undefined) places.set(key, [place]);
    else same.push(place);
  }
  const folded = [...new Set(states)].map((state) => wordsOf(tokenize(state)).join(' '));
  return { places, states: new Set(folded) };
}

/** A search without constraints of place, over a catalog without places. */
export const NOWHERE: Surroundings = { given: [], city: null, known: indexPlaces([]) };

/**
 * Sets aside what a query says of where: the names that the search is kept to already, and the places of
 * the catalog that it clearly speaks of (a name of several words, or one after "em", "near", "в" …). The
 * rest is understood as if they had not been written. `readNeeds` gives the needs that the units name: a
 * word that is a thing as well ("limão", "saúde") stays one where nothing tells otherwise.
 */
export function setPlacesAside(
  units: readonly Unit[],
  around: Surroundings,
  readNeeds: () => readonly Candidate[],
): PlacesAside {
  const given = new Set(around.given.map(keyOfName));
  const find = (at: number, floor: number) => findName(units, at, floor, given, around);
  const rest: Unit[] = [];
  const places = new Set<Place>();
  let isGiven = false;
  let needs: readonly Candidate[] | null = null;
  let cut = 0;
  for (let at = 0; at < units.length; ) {
    const found = find(at, cut);
    if (found !== null) {
      needs ??= readNeeds();
      // "Vila Mariana, São Paulo": each tells that the other is a place.
      const follows = cut > 0 && found.start === cut;
      const besidePlace = follows || find(found.end, found.end)?.start === found.end;
      if (isPlace(found, needs, around.city, besidePlace)) {
        rest.length -= found.from - found.start;
        if (found.given) isGiven = true;
        else if (found.place !== null) places.add(found.place);
        at = found.end;
        cut = at;
        continue;
      }
    }
    const unit = units[at] as Unit;
    // No phrase spans a removed name.
    rest.push(at === cut ? { ...unit, starts: true } : unit);
    at += 1;
  }
  return { rest, places: narrowest([...places]).slice(0, MAX_PLACES), given: isGiven };
}

/** Places without the cities whose districts are among them. */
function narrowest(places: readonly Place[]): Place[] {
  const ofDistricts = new Set(places.map(({ kind, city }) => kind === 'district' && city));
  return places.filter(({ kind, city }) => kind === 'district' || !ofDistricts.has(city));
}

/** The longest name that begins at a unit; the words around it do not reach before `floor`. */
function findName(
  units: readonly Unit[],
  from: number,
  floor: number,
  given: ReadonlySet<string | null>,
  { known, city }: Surroundings,
): Found | null {
  const words = wordsOf(units.slice(from, from + MAX_NAME_WORDS));
  for (let length = words.length; length > 0; length -= 1) {
    const key = placeKeyOf(words.slice(0, length));
    const isGiven = given.has(key);
    const place = choosePlace(known.places.get(key) ?? [], city);
    if (!isGiven && place === null) continue;
    const to = from + length;
    return {
      from,
      to,
      ...readAround(units, [from, to], floor, known.states),
      given: isGiven,
      place,
    };
  }
  return null;
}

/** The district of the city itself, else a city, else a district that only one city has. */
function choosePlace(places: readonly Place[], city: string | null): Place | null {
  const own = places.find((place) => place.kind === 'district' && isSameCity(place.city, city));
  const only = places.length === 1 ? places[0] : undefined;
  return own ?? places.find(({ kind }) => kind === 'city') ?? only ?? null;
}

function isPlace(
  { from, to, cues, given, place }: Found,
  needs: readonly Candidate[],
  city: string | null,
  besidePlace: boolean,
): boolean {
  const covering = needs.filter(({ at }) => at.includes(from) && at.includes(to - 1));
  // "camisa do São Paulo", "suco de limão": the name is part of a longer one.
  const partOfThing = covering.some(({ at }) => at.length > to - from);
  const isThing = partOfThing || covering.some(({ quality }) => quality >= LEAST_FORM.sure);
  const clear = cues.at || besidePlace;
  if (given) {
    if (clear || cues.atThe) return true;
    if (partOfThing || (cues.leads && !cues.ofThe)) return false;
    if (!isThing) return true;
    if (cues.joined) return false;
    // A thing on its own is what is wanted; beside another it is where that is wanted.
    return cues.ofThe || needs.some(({ at }) => at.every((one) => one < from || one >= to));
  }
  if (place === null || partOfThing) return false;
  if (clear) return true;
  if (cues.atThe) return place.name.length >= LEAST_NAME && !(isThing && place.kind === 'city');
  return to - from > 1 && isSameCity(place.city, city) && !isThing;
}
