import { placeKey, placeKeyOf } from '../../domain/places.ts';
import { LEAST_FORM } from '../../domain/relevance.ts';
import type { Candidate } from '../reading/find.ts';
import { wordsAsWritten } from '../text/shorthand.ts';
import { tokenize, type Unit } from '../text/tokenize.ts';
import type { Place } from '../types.ts';
import type { NamedPlace } from './gazetteer.ts';
import type { MerchantIndex } from './merchant-index.ts';
import { type Cues, readAround } from './place-words.ts';

/** Places by folded name; several cities may have a district of the same name. */
export type PlaceIndex = {
  places: ReadonlyMap<string, readonly Place[]>;
  /** Folded names of states, which may follow a city. */
  states: ReadonlySet<string>;
  /** Folded names of the gazetteer that have other meanings too. */
  weak: ReadonlySet<string>;
  /** All words of these names. */
  words: ReadonlySet<string>;
};

/** What is known beside a query: the filters of its search, and the names that it may mention. */
export type QueryContext = {
  /** Names of the city, district and merchants that the search is filtered by. */
  given: readonly string[];
  /** The city whose districts are preferred. */
  city: string | null;
  known: PlaceIndex;
  /** The merchants that the query may name; absent with a merchant filter. */
  merchants?: MerchantIndex;
};

/** The remaining units, the places other than those of the filters, and whether the query repeats a filter. */
export type ExtractedPlaces = { rest: Unit[]; places: Place[]; given: boolean };

/** A name at the units [`from`, `to`), and [`start`, `end`) with its cue words. */
type Found = {
  from: number;
  to: number;
  start: number;
  end: number;
  cues: Cues;
  given: boolean;
  weak: boolean;
  /** Not in Latin script: unlikely to be a brand or a word of the catalog. */
  foreign: boolean;
  place: Place | null;
};

const MAX_NAME_CHARS = 80;
const MAX_NAME_WORDS = 8;
/** Shorter names are often common words ("no sé"). */
const LEAST_NAME = 3;
const MAX_PLACES = 3;

const isSameCity = (a: string, b: string | null) => b !== null && placeKey(a) === placeKey(b);

/** Returns the folded key of a name; null if it is too long. */
function keyOfName(name: string): string | null {
  if (name.length > MAX_NAME_CHARS) return null;
  const units = tokenize(name);
  return units.length > 0 && units.length <= MAX_NAME_WORDS
    ? placeKeyOf(wordsAsWritten(units))
    : null;
}

/**
 * Indexes places by name. Of several places with one name in a city, those of the catalog win, else the first of
 * the gazetteer.
 */
export function indexPlaces(
  all: Iterable<Place>,
  states: Iterable<string> = [],
  named: Iterable<NamedPlace> = [],
): PlaceIndex {
  const places = new Map<string, Place[]>();
  const add = (key: string, place: Place) => {
    const same = places.get(key);
    if (same === undefined) places.set(key, [place]);
    else same.push(place);
  };
  for (const place of all) {
    const key = keyOfName(place.name);
    if (key !== null) add(key, place);
  }
  const weak = new Set<string>();
  for (const { name, weak: isWeak, place } of named) {
    const key = keyOfName(name);
    if (key === null || places.get(key)?.some(({ city }) => city === place.city)) continue;
    add(key, place);
    if (isWeak) weak.add(key);
  }
  const folded = [...new Set(states)].map((state) => wordsAsWritten(tokenize(state)).join(' '));
  const words = new Set([...places.keys()].flatMap((key) => key.split(' ')));
  return { places, states: new Set(folded), weak, words };
}

/** Returns the places of a name. */
export function placesNamed(name: string, { places }: PlaceIndex): readonly Place[] {
  const key = keyOfName(name);
  return key === null ? [] : (places.get(key) ?? []);
}

/** The context of a search without filters over a catalog without places. */
export const NOWHERE: QueryContext = { given: [], city: null, known: indexPlaces([]) };

/**
 * Extracts places: names that repeat a filter, and places clearly meant (a name of several words, or one after "em",
 * "near", "в" …). A word that is also a thing ("limão", "saúde") needs a cue; `readNeeds` finds the things. `isVenue`
 * tells the needs that are venues: "da" after one of them introduces a place.
 */
export function extractPlaces(
  units: readonly Unit[],
  around: QueryContext,
  readNeeds: () => readonly Candidate[],
  isVenue: (need: string) => boolean = () => false,
): ExtractedPlaces {
  const { named, ...aside } = findPlaces(units, around, readNeeds, isVenue);
  const [city, other] = new Set(named.flatMap((one) => (one.kind === 'city' ? one.city : [])));
  if (city === undefined || other !== undefined || isSameCity(city, around.city)) return aside;
  // "Lapa, Rio": the city mentioned decides between districts of one name.
  return findPlaces(units, { ...around, city }, readNeeds, isVenue);
}

function findPlaces(
  units: readonly Unit[],
  around: QueryContext,
  readNeeds: () => readonly Candidate[],
  isVenue: (need: string) => boolean,
): ExtractedPlaces & { named: readonly Place[] } {
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
      // "Vila Mariana, São Paulo": each confirms that the other is a place.
      const follows = cut > 0 && found.start === cut;
      const besidePlace = follows || find(found.end, found.end)?.start === found.end;
      const ofVenue = found.cues.ofThe && stands(needs, isVenue, found.start);
      if (isPlace(found, needs, around.city, besidePlace || ofVenue)) {
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
  const named = [...places];
  return { rest, places: narrowest(named).slice(0, MAX_PLACES), given: isGiven, named };
}

/** Returns whether a venue is named right before a unit: "restaurantes da Paulista". */
function stands(
  needs: readonly Candidate[],
  isVenue: (need: string) => boolean,
  before: number,
): boolean {
  return needs.some(({ at, entry }) => at[at.length - 1] === before - 1 && isVenue(entry.target));
}

/** Drops cities whose districts or spots are among the places. */
function narrowest(places: readonly Place[]): Place[] {
  const ofParts = new Set(places.map(({ kind, city }) => kind !== 'city' && city));
  return places.filter(({ kind, city }) => kind !== 'city' || !ofParts.has(city));
}

/** Finds the longest name that starts at a unit; cue words are not read before `floor`. */
function findName(
  units: readonly Unit[],
  from: number,
  floor: number,
  given: ReadonlySet<string | null>,
  { known, city }: QueryContext,
): Found | null {
  const words = wordsAsWritten(units.slice(from, from + MAX_NAME_WORDS));
  for (let length = words.length; length > 0; length -= 1) {
    const key = placeKeyOf(words.slice(0, length).filter((word) => word !== ''));
    const isGiven = given.has(key);
    const place = choosePlace(known.places.get(key) ?? [], city);
    if (!isGiven && place === null) continue;
    const to = from + length;
    return {
      from,
      to,
      ...readAround(units, [from, to], floor, known.states),
      given: isGiven,
      weak: known.weak.has(key),
      foreign: units[from]?.script !== 'latin',
      place,
    };
  }
  return null;
}

/** Chooses a district of the searched city, else a city, else a spot of that city, else the only place. */
function choosePlace(places: readonly Place[], city: string | null): Place | null {
  const own = places.find((place) => place.kind === 'district' && isSameCity(place.city, city));
  const spot = places.find((place) => place.kind === 'spot' && isSameCity(place.city, city));
  const only = places.length === 1 ? places[0] : undefined;
  return own ?? places.find(({ kind }) => kind === 'city') ?? spot ?? only ?? null;
}

function isPlace(
  { from, to, cues, given, weak, foreign, place }: Found,
  needs: readonly Candidate[],
  city: string | null,
  besidePlace: boolean,
): boolean {
  const covering = needs.filter(({ at }) => at.includes(from) && at.includes(to - 1));
  // "camisa do São Paulo", "suco de limão": part of a longer noun phrase.
  const partOfThing = covering.some(({ at }) => at.length > to - from);
  const isThing = partOfThing || covering.some(({ quality }) => quality >= LEAST_FORM.sure);
  const clear = cues.at || besidePlace;
  if (given) {
    if (clear || cues.atThe) return true;
    if (partOfThing || (cues.leads && !cues.ofThe)) return false;
    if (!isThing) return true;
    if (cues.joined) return false;
    // Alone, the word is the thing wanted; beside another thing, it is where.
    return cues.ofThe || needs.some(({ at }) => at.every((one) => one < from || one >= to));
  }
  if (place === null || partOfThing) return false;
  // "Na lagoa" does not mean a spot of another city.
  if (place.kind === 'spot' && weak && !isSameCity(place.city, city)) return false;
  if (clear) return true;
  if (cues.atThe) return place.name.length >= LEAST_NAME && !(isThing && place.kind === 'city');
  if (isThing || weak) return false;
  // "Salvador da Bahia": too long for a brand.
  const isLong = place.kind === 'city' && to - from > 2;
  return foreign || isLong || (to - from > 1 && isSameCity(place.city, city));
}
