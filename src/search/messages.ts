import type { Diet, NamedPrice, Place, Spot } from '../understand/types.ts';

/** Something that results must be without, by its English and Portuguese label. */
export type Without = Pick<Diet, 'tells' | 'label'>;

type Records = 'products' | 'offers';

/** A filter names something unknown, or not by its name in the catalog. */
type FilterMessage =
  /** `places`: those of the name elsewhere. */
  | { kind: 'unknown-city'; name: string; places: readonly Place[]; suggestions: string[] }
  | {
      kind: 'unknown-district';
      name: string;
      city: string;
      places: readonly Place[];
      suggestions: string[];
    }
  | { kind: 'unknown-merchant' | 'unknown-category'; name: string; suggestions: string[] }
  | { kind: 'unknown-merchant-id'; id: number }
  /** Kept to categories of the same meaning, or to the nearest broader ones. */
  | { kind: 'category-by-meaning' | 'broader-category'; name: string; categories: string[] };

/** The query mentions a place, a price or a merchant, which filters have fields for. */
type MentionMessage =
  | { kind: 'city-mentioned'; city: string; isSearched: boolean }
  /** `isUsual`: a search by district alone looks in this city. `isPreferred`: hits there come first. */
  | {
      kind: 'district-mentioned';
      district: string;
      city: string;
      isUsual: boolean;
      isPreferred: boolean;
    }
  | { kind: 'spot-mentioned'; spot: Spot; isPreferred: boolean }
  | { kind: 'price-mentioned'; price: NamedPrice }
  /** `isAlone`: the query says nothing else, and the search is kept to the merchant. */
  | { kind: 'merchant-mentioned'; merchant: string; isAlone: boolean };

/** How a wish was understood, or why it cannot be. */
type WishMessage =
  | { kind: 'offers-wished' | 'cheap-wished' | 'anything-wished'; records: Records }
  | { kind: 'food-wished' | 'kids-wished' }
  | { kind: 'gift-wished'; concepts: string[] }
  | { kind: 'follow-up' | 'names-nothing' }
  /** Another meaning of the query's head. */
  | { kind: 'alternative'; label: string }
  /** It asks for something near, and no filter says near what. */
  | { kind: 'near-what' }
  | { kind: 'unknown-facts'; openingHours: boolean; deliveries: boolean };

/** What was searched for instead, or what would be found otherwise. */
type FallbackMessage =
  | { kind: 'corrected'; typed: string; meant: string }
  | { kind: 'broader-kind'; wanted: string; found: string }
  | { kind: 'nearest-category'; category: string }
  | { kind: 'literal-words'; words: string[] }
  | { kind: 'out-of-stock'; products: string[] }
  | { kind: 'other-categories'; category: string; categories: string[] }
  | { kind: 'other-cities'; city: string; cities: string[] };

/** What results are without; `leftOut` counts the records that name it. */
type ExclusionMessage =
  | { kind: 'all-left-out'; exclusions: Without[] }
  /** None of the exclusions is a diet or an allergy. */
  | { kind: 'excluded'; exclusions: Without[]; leftOut: number }
  /** `known` of the `shown` hits say that they comply. */
  | { kind: 'diets'; diets: Without[]; shown: number; known: number; leftOut: number };

/** Why coordinates find no store. */
type CoordinatesMessage =
  | { kind: 'coordinates-elsewhere'; city: string; nearestCity: string }
  | { kind: 'no-store-within'; radiusMeters: number; nearestMeters: number; nearestCity: string }
  | {
      kind: 'no-store-near';
      latitude: number;
      longitude: number;
      withinMeters: number;
      meant: MeantCoordinates | null;
    };

/** Coordinates that were probably meant, in a city with stores, and what was wrong with those given. */
export type MeantCoordinates = {
  mistake: 'exchanged' | 'sign' | 'exchanged and sign';
  latitude: number;
  longitude: number;
  city: string;
};

/**
 * What a search has to tell besides its hits, as a value: `live/mcp/messages` says it to agents in English,
 * `live/search-page/messages` to people in Portuguese. Names are as the catalog or the caller writes them.
 */
export type SearchMessage =
  | FilterMessage
  | MentionMessage
  | WishMessage
  | FallbackMessage
  | ExclusionMessage
  | CoordinatesMessage
  /** Fewer records than wanted, because of the quota. */
  | { kind: 'shortened'; shown: number; wanted: number };

/** A sentence for every kind of message. */
export type Sentences<T> = {
  [Kind in SearchMessage['kind']]: (message: SearchMessage & { kind: Kind }) => T;
};

/** Says a message by its sentence. */
export function sayMessage<T>(sentences: Sentences<T>, message: SearchMessage): T {
  const say = sentences[message.kind] as (message: SearchMessage) => T;
  return say(message);
}
