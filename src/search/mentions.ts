import { distanceMeters } from '../domain/distance.ts';
import { placeKey } from '../domain/places.ts';
import type { SearchPlan } from '../domain/search.ts';
import type { QueryContext } from '../understand/mentions/places.ts';
import type { Mentions, Place } from '../understand/types.ts';
import type { SearchArguments } from './arguments.ts';
import { leastAmount, mostAmount, type SearchReport } from './constraints.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { SearchMessage } from './messages.ts';

/** Collects the context for understanding a query: the filters already applied, the catalog's places and merchants. */
export async function queryContext(
  args: SearchArguments,
  { applied_filters: filters }: SearchReport,
  deps: SearchDependencies,
): Promise<QueryContext> {
  const names = [
    args.city,
    args.district,
    args.merchant,
    filters.city,
    filters.district,
    filters.merchant,
  ];
  const city = args.city ?? deps.info.defaultCity;
  return {
    given: names.filter((name) => typeof name === 'string'),
    city: typeof filters.city === 'string' ? filters.city : city,
    known: await deps.catalog.places(),
    ...(args.merchant === undefined && args.merchant_id === undefined
      ? { merchants: await deps.catalog.merchants() }
      : {}),
  };
}

/** Replaces the default city by the one that the query mentions, or by that of a place that it mentions. */
export function applyNamedCity({ places }: Mentions, plan: SearchPlan, report: SearchReport) {
  const [place] = places;
  const isAssumed = report.applied_filters.city_defaulted === true && plan.district === null;
  const isHere = ({ city }: Place) => placeKey(city) === placeKey(plan.city ?? '');
  if (!isAssumed || place === undefined || places.some(isHere)) return;
  plan.city = place.city;
  report.applied_filters.city = place.city;
  delete report.applied_filters.city_defaulted;
}

/** Returns the district or spot of the searched city that the query mentions, unless a narrower filter is set. */
export function preferredPlace(
  { places }: Mentions,
  plan: SearchPlan,
): Pick<SearchPlan, 'preferredDistrict' | 'preferredNear'> {
  const nothing = { preferredDistrict: null, preferredNear: null };
  if (plan.city === null || plan.district !== null || plan.near !== null) return nothing;
  const place = places.find((one) => isPartOf(one, plan.city ?? ''));
  if (place === undefined) return nothing;
  if (place.kind !== 'spot') return { ...nothing, preferredDistrict: place.name };
  const { latitude, longitude, nearMeters } = place;
  return { ...nothing, preferredNear: { latitude, longitude, radiusMeters: nearMeters } };
}

const isPartOf = (place: Place, city: string) =>
  place.kind !== 'city' && placeKey(place.city) === placeKey(city);

/** Returns the mentioned price range in minor units of BRL; null with a price filter or a foreign currency. */
export function preferredPrice(
  { price }: Mentions,
  plan: SearchPlan,
): SearchPlan['preferredPrice'] {
  if (price === null || price.isForeign || plan.minPrice !== null || plan.maxPrice !== null) {
    return null;
  }
  const { min, max } = price;
  if (min === null && max === null) return null;
  return {
    min: min === null ? null : leastAmount(min),
    max: max === null ? null : mostAmount(max),
  };
}

/** Returns whether the query only repeats a filter ("Moema" with that district), and so asks for everything there. */
export function asksForEverything(mentions: Mentions, args: SearchArguments): boolean {
  const kept = args.city ?? args.district ?? args.merchant ?? args.merchant_id;
  return mentions.given && mentions.places.length === 0 && kept !== undefined;
}

/** Filters that narrow the search to less than a city. */
const NARROWER = ['district', 'latitude', 'merchant', 'merchant_id'] as const;

/** Explains which fields filter by what the query only mentions: by the specification, words never filter. */
export function mentionMessages(
  { places, price }: Mentions,
  args: SearchArguments,
  { city }: Pick<SearchPlan, 'city'>,
  defaultCity: string,
): SearchMessage[] {
  const usual = args.city ?? defaultCity;
  const isFree = NARROWER.every((field) => args[field] === undefined);
  const preferred = isFree ? places.find((place) => isPartOf(place, city ?? usual)) : undefined;
  const messages = places
    .filter((place) => !isSearchedAround(place, args))
    .map((place): SearchMessage => {
      const isPreferred = place === preferred;
      const isIn = (other: string | null) =>
        other !== null && placeKey(place.city) === placeKey(other);
      if (place.kind === 'spot') return { kind: 'spot-mentioned', spot: place, isPreferred };
      if (place.kind === 'city') {
        return { kind: 'city-mentioned', city: place.city, isSearched: isIn(city) };
      }
      const { name: district, city: of } = place;
      return { kind: 'district-mentioned', district, city: of, isUsual: isIn(usual), isPreferred };
    });
  const limited = args.min_price !== undefined || args.max_price !== undefined;
  if (price !== null && !limited) messages.push({ kind: 'price-mentioned', price });
  return messages;
}

/** Returns whether the coordinates of the search already lie at the spot. */
function isSearchedAround(place: Place, { latitude, longitude }: SearchArguments): boolean {
  if (place.kind !== 'spot' || latitude === undefined || longitude === undefined) return false;
  return distanceMeters(place, { latitude, longitude }) <= place.radiusMeters;
}
