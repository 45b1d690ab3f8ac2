import { shortName } from '../../domain/links.ts';
import { placeKey } from '../../domain/places.ts';
import type { SearchPlan } from '../../domain/search.ts';
import type { Surroundings } from '../../understand/places.ts';
import type { Aside, NamedPrice, Place } from '../../understand/types.ts';
import type { Live } from '../live.ts';
import { leastAmount, mostAmount, type Told } from './constraints.ts';
import type { SearchArguments } from './search-arguments.ts';

/** What the words of a query may name: what its search is kept to, and the places of the catalog. */
export async function surroundings(
  args: SearchArguments,
  { applied_filters: filters }: Told,
  live: Live,
): Promise<Surroundings> {
  const names = [
    args.city,
    args.district,
    args.merchant,
    filters.city,
    filters.district,
    filters.merchant,
  ];
  const city = args.city ?? live.info.defaultCity;
  return {
    given: names.filter((name) => typeof name === 'string'),
    city: typeof filters.city === 'string' ? filters.city : city,
    known: await live.catalog.places(),
  };
}

/** The district of the searched city that a query speaks of, where nothing else says where. */
export function preferredDistrict({ places }: Aside, plan: SearchPlan): string | null {
  if (plan.city === null || plan.district !== null || plan.near !== null) return null;
  const cityKey = placeKey(plan.city);
  const named = places.find(({ kind, city }) => kind === 'district' && placeKey(city) === cityKey);
  return named?.name ?? null;
}

/** The price that a query speaks of in the catalog's currency, where nothing else limits it. */
export function preferredPrice({ price }: Aside, plan: SearchPlan): SearchPlan['preferredPrice'] {
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

/** True when a query names nothing but what its search is kept to: then all that is there is wanted. */
export function wantsWhatIsThere(aside: Aside, args: SearchArguments): boolean {
  const kept = args.city ?? args.district ?? args.merchant ?? args.merchant_id;
  return aside.given && aside.places.length === 0 && kept !== undefined;
}

/** How fields of a search do what words of its query, by the specification, do not. */
export function asideMessages(
  { places, price }: Aside,
  args: SearchArguments,
  defaultCity: string,
): string[] {
  const messages = places.map((place) => placeMessage(place, args.city ?? defaultCity));
  const limited = args.min_price !== undefined || args.max_price !== undefined;
  if (price !== null && !limited) messages.push(priceMessage(price));
  return messages;
}

function placeMessage({ kind, name, city }: Place, searched: string): string {
  const asCity = `city: "${shortName(city)}"`;
  if (kind === 'city') {
    return `"${shortName(name)}" is a city of the catalog: to search there, pass ${asCity}.`;
  }
  const asDistrict = `district: "${shortName(name)}"`;
  const fields = placeKey(city) === placeKey(searched) ? asDistrict : `${asCity} and ${asDistrict}`;
  return `"${shortName(name)}" is a district of ${shortName(city)}: to search there alone, pass ${fields}.`;
}

function priceMessage({ min, max, isForeign }: NamedPrice): string {
  const fields = [
    ...(min === null ? [] : [`min_price: ${min}`]),
    ...(max === null ? [] : [`max_price: ${max}`]),
  ];
  if (isForeign || fields.length === 0) {
    return 'The query speaks of a price, which limits nothing by itself: pass min_price and max_price, in BRL.';
  }
  return `The query speaks of a price: what keeps to it comes first; to leave out the rest, pass ${fields.join(' and ')}.`;
}
