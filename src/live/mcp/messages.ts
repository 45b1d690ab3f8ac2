import { shortName } from '../../domain/links.ts';
import {
  type MeantCoordinates,
  type SearchMessage,
  type Sentences,
  sayMessage,
  type Without,
} from '../../search/messages.ts';
import type { NamedPrice, Place, Spot } from '../../understand/types.ts';

/** Says a message of the search to an agent, in English, with the fields to pass. Unescaped. */
export const agentMessage = (message: SearchMessage): string => sayMessage(SENTENCES, message);

const SENTENCES: Sentences<string> = {
  'unknown-city': ({ name, places, suggestions }) => unknown('city', name, suggestions, places),
  'unknown-district': ({ name, city, places, suggestions }) =>
    unknown(`district of ${shortName(city)}`, name, suggestions, places),
  'unknown-merchant': ({ name, suggestions }) => unknown('merchant', name, suggestions),
  'unknown-category': ({ name, suggestions }) => unknown('category', name, suggestions),
  'unknown-merchant-id': ({ id }) => `No merchant has the id ${id}.`,
  'category-by-meaning': ({ name, categories }) =>
    `The category "${name}" was understood as ${categories.join(', ')}.`,
  'broader-category': ({ name, categories }) =>
    `No category is called "${name}": this is kept to the nearest, ${categories.join(', ')}.`,

  'city-mentioned': ({ city, isSearched }) => {
    const known = `${quoted(city)} is a city of the catalog`;
    return isSearched
      ? `${known}, and this is what is found there: to search elsewhere, pass city.`
      : `${known}: to search there, pass city: ${quoted(city)}.`;
  },
  'district-mentioned': ({ district, city, isUsual }) => {
    const asDistrict = `district: ${quoted(district)}`;
    const fields = isUsual ? asDistrict : `city: ${quoted(city)} and ${asDistrict}`;
    return `${quoted(district)} is a district of ${shortName(city)}: to search there alone, pass ${fields}.`;
  },
  'spot-mentioned': ({ spot, isPreferred }) => {
    const first = isPreferred ? '; what is found near it comes first' : '';
    return `${quoted(spot.name)} is ${whereSpotIs(spot)}${first}. To search around it alone, pass ${spotFields(spot)}.`;
  },
  'price-mentioned': ({ price }) => priceSentence(price),
  'merchant-mentioned': ({ merchant, isAlone }) => {
    const known = `${quoted(merchant)} is a merchant of the catalog`;
    const field = `merchant: ${quoted(merchant)}`;
    return isAlone
      ? `${known}, and this is what is found there: to search for something there, pass ${field} beside the query.`
      : `${known}: what is found there comes first; to search there alone, pass ${field}.`;
  },

  'offers-wished': ({ records }) =>
    records === 'offers'
      ? 'Understood as a wish for whatever is on offer: these are current offers, by quality, place and price.'
      : 'Understood as a wish for whatever is on offer: products with a current offer come first; search_local_offers has the offers themselves.',
  'cheap-wished': ({ records }) =>
    `Understood as a wish for anything cheap: these are ${records} of all kinds.`,
  'anything-wished': ({ records }) =>
    `Understood as a wish to see what there is: these are ${records} of all kinds.`,
  'food-wished': () =>
    'Understood as a wish for something to eat now: meals and snacks that are ready.',
  'kids-wished': () =>
    'Understood as a wish for things for children: toys, books, clothes and the like.',
  'gift-wished': ({ concepts }) =>
    `Understood as a wish for a gift (${concepts.join(', ')}): things to give for that first, then other gifts.`,
  'follow-up': () =>
    'The query is a follow-up that names nothing to search for, and earlier questions are not kept here: send the whole question again, with the thing that it is about.',
  'names-nothing': () => 'The query names nothing that the catalog knows.',
  alternative: ({ label }) => `The query may also mean "${label}".`,
  'near-what': () =>
    'The query asks for something near: latitude and longitude, or a district, say where.',
  'unknown-facts': ({ openingHours, deliveries }) => {
    const facts = [
      ...(openingHours ? ['opening hours'] : []),
      ...(deliveries ? ['deliveries'] : []),
    ];
    return `The catalog knows nothing of ${facts.join(' and ')}: ask the store.`;
  },

  corrected: ({ typed, meant }) => `The catalog has no "${typed}"; searched for "${meant}".`,
  'broader-kind': ({ wanted, found }) =>
    `Nothing is known as "${wanted}": these are of its kind, "${found}".`,
  'nearest-category': ({ category }) =>
    `Nothing matches the query itself; these are from the nearest category, ${category}.`,
  'literal-words': ({ words }) =>
    `Searched for the words as they are written: ${words.join(', ')}.`,
  'out-of-stock': ({ products }) =>
    `Out of stock, and therefore left out: ${listed(products)}. To see such products, pass in_stock_only: false.`,
  'other-categories': ({ category, categories }) =>
    `Nothing in the category ${category}, but elsewhere: to search there, pass category: ${listed(categories)}.`,
  'other-cities': ({ city, cities }) =>
    `Nothing in ${city}, but elsewhere in the catalog: to search there, pass city: ${listed(cities)}.`,

  'all-left-out': ({ exclusions }) =>
    `The query asks for things ${told(exclusions)}: all that was found names it, so nothing is shown.`,
  excluded: ({ exclusions, leftOut }) => `Understood as ${told(exclusions)}.${dropped(leftOut)}`,
  diets: ({ diets, shown, known, leftOut }) =>
    `${comply(told(diets), known, shown)}${dropped(leftOut)} Texts of the catalog are no guarantee for an allergy or a diet: read the label or ask the store.`,

  'coordinates-elsewhere': ({ city, nearestCity }) =>
    `These coordinates lie near ${shortName(nearestCity)}, not in ${shortName(city)}: pass city: ${quoted(nearestCity)}, or no city with them.`,
  'no-store-within': ({ radiusMeters, nearestMeters, nearestCity }) => {
    const kilometers = Math.max(1, Math.ceil(nearestMeters / 1000));
    return `No store of the catalog lies within ${radiusMeters} m of these coordinates; the nearest is about ${kilometers} km away, in ${shortName(nearestCity)}: a greater radius_meters reaches it.`;
  },
  'no-store-near': ({ latitude, longitude, withinMeters, meant }) => {
    const way = meant === null ? 'A city or district says where as well.' : meantSentence(meant);
    return `No store of the catalog lies within ${withinMeters / 1000} km of latitude ${latitude}, longitude ${longitude}. ${way}`;
  },
  shortened: ({ shown, wanted }) =>
    `Shortened to ${shown} of ${wanted} records: the record quota of this minute is used up.`,
};

const quoted = (name: string) => `"${shortName(name)}"`;
const listed = (names: readonly string[]) => names.map(quoted).join(', ');
const told = (exclusions: readonly Without[]) => exclusions.map(({ tells }) => tells).join(' and ');
const dropped = (leftOut: number) =>
  leftOut === 0 ? '' : ' Records that name what is excluded are left out.';

function comply(diets: string, known: number, shown: number): string {
  if (known === 0) return `None of these is known to be ${diets}: ask the store.`;
  if (known === shown) return `These say that they are ${diets}.`;
  const say = known === 1 ? 'says that it is' : 'say that they are';
  return `Only ${known} of these ${say} ${diets}; none of the others is known to be.`;
}

function unknown(
  what: string,
  name: string,
  suggestions: readonly string[],
  places: readonly Place[] = [],
): string {
  const none = `The catalog knows no ${what} named "${name}".`;
  if (places.length > 0) return [none, ...places.map(whereIs)].join(' ');
  if (suggestions.length === 0) return none;
  return `${none} Close known names: ${suggestions.join(', ')}.`;
}

function whereIs(place: Place): string {
  const name = quoted(place.name);
  const asCity = `city: ${quoted(place.city)}`;
  if (place.kind === 'spot') {
    const { district } = place;
    const fields = district === null ? '' : `${asCity} and district: ${quoted(district)}, or `;
    return `${name} is ${whereSpotIs(place)}: pass ${fields}${spotFields(place)} instead.`;
  }
  if (place.kind === 'city') {
    return `${name} is a city of the catalog: if that is meant, pass ${asCity}.`;
  }
  return `${name} is a district of ${shortName(place.city)}: pass ${asCity} and district: ${name}.`;
}

function whereSpotIs({ city, district }: Spot): string {
  const near = district === null ? '' : `, near the stores of the district ${shortName(district)}`;
  return `in ${shortName(city)}${near}`;
}

const spotFields = ({ latitude, longitude, radiusMeters }: Spot) =>
  `latitude: ${latitude}, longitude: ${longitude} and radius_meters: ${radiusMeters}`;

function priceSentence({ min, max, isForeign }: NamedPrice): string {
  const fields = [
    ...(min === null ? [] : [`min_price: ${min}`]),
    ...(max === null ? [] : [`max_price: ${max}`]),
  ];
  if (isForeign || fields.length === 0) {
    return 'The query speaks of a price, which limits nothing by itself: pass min_price and max_price, in BRL.';
  }
  return `The query speaks of a price: what keeps to it comes first; to leave out the rest, pass ${fields.join(' and ')}.`;
}

const MISTAKES: Record<MeantCoordinates['mistake'], string> = {
  exchanged: 'Were latitude and longitude exchanged?',
  sign: 'Was a minus sign lost?',
  'exchanged and sign': 'Were latitude and longitude exchanged, and a minus sign lost?',
};

const meantSentence = ({ mistake, latitude, longitude, city }: MeantCoordinates) =>
  `${MISTAKES[mistake]} latitude: ${latitude}, longitude: ${longitude} lies in ${shortName(city)}.`;
