import type { SearchPlan } from '../../domain/search.ts';

/**
 * The contract between writer and reader of the index: record numbers, keys, and the tokens of hard filters. A
 * record carries the tokens of its category, merchant, locations and price; a search asks for a superset of what it
 * wants, and each record is checked exactly.
 */

/** The kinds of indexed records, with their number in the tables. */
export const KINDS = { product: 1, offer: 2 } as const;
export type Kind = keyof typeof KINDS;

/**
 * A record's number is its static rank (`product_rank`, `offer_rank`: 0 best, 127 worst) shifted by this many bits,
 * plus a hash of its id: records of equal rank are in a fixed pseudo-random order.
 */
export const RANK_SHIFT = 24;
/** First rank and first bucket of out-of-stock products, which a search can skip. */
export const OUT_OF_STOCK_RANK = 64;
export const OUT_OF_STOCK_BUCKET = 100;
/** The size of the first bucket, doubled per bucket up to a maximum. */
export const BUCKETS = { first: 8192, most: 131_072 };

/**
 * The levels of a token in a record; it is indexed once, at its best level. `head`: what the title is about,
 * `title`: the rest of the title, `aside`: what it goes with ("para iPhone"), `anywhere`: all other text.
 */
export const LEVELS = { filter: 0, head: 1, title: 2, aside: 3, anywhere: 4 } as const;
export type Level = (typeof LEVELS)[keyof typeof LEVELS];
/** The levels of text, best first. */
export const FIELDS = ['head', 'title', 'aside', 'anywhere'] as const;

/** Packs a token id and a level into a key. */
export const keyOf = (tokenId: number, level: Level): number => tokenId * 8 + level;
/** Returns the level of a key. */
export const levelOf = (key: number): number => key % 8;

/** On every record. */
export const EVERY = 'all';
/** On payment offers without merchant, which are valid everywhere. */
export const EVERYWHERE = 'p:';

export const merchantToken = (id: number): string => `m:${id}`;
export const categoryToken = (id: number): string => `k:${id}`;
export const aiCategoryToken = (key: string): string => `a:${key}`;
export const cityToken = (cityKey: string): string => `p:${cityKey}`;
export const districtToken = (cityKey: string, districtKey: string): string =>
  `p:${cityKey}|${districtKey}`;

export type StorePlace = {
  cityKey: string;
  districtKey: string;
  latitude: number | null;
  longitude: number | null;
};

/** Grid sizes, each four times as wide as the one before: about 280 m, 1, 4 and 18 km. */
const ZOOMS = [-1, 0, 1, 2] as const;
/** The side of a square in degrees. */
const sideOf = (zoom: number) => 0.01 * 4 ** zoom;
/** A circle is covered by squares whose side is at least this share of its radius. */
const LEAST_SIDE = 1 / 3;
const METERS_PER_DEGREE = 111_195;
/** Beyond this latitude squares are too narrow to help. */
const LAST_LATITUDE = 85;

/** Returns the location tokens of a store. */
export function placeTokens({ cityKey, districtKey, latitude, longitude }: StorePlace): string[] {
  const names = [cityToken(cityKey), districtToken(cityKey, districtKey)];
  if (latitude === null || longitude === null) return names;
  const squares = ZOOMS.map((zoom) => {
    const side = sideOf(zoom);
    return squareToken(zoom, Math.floor(latitude / side), Math.floor(longitude / side));
  });
  return [...names, ...squares];
}

/** A circle on the map. */
export type Circle = NonNullable<SearchPlan['near']>;

/** Returns the bounding box of a circle in degrees; null near the poles and across the date line. */
export function boxAround({ latitude, longitude, radiusMeters }: Circle) {
  // Slightly enlarged against rounding.
  const high = (radiusMeters * 1.01 + 10) / METERS_PER_DEGREE;
  const edge = Math.abs(latitude) + high;
  if (edge > LAST_LATITUDE) return null;
  const wide = high / Math.cos((edge * Math.PI) / 180);
  // The grid does not wrap around.
  if (longitude - wide < -180 || longitude + wide > 180) return null;
  return {
    ...{ south: latitude - high, north: latitude + high },
    ...{ west: longitude - wide, east: longitude + wide },
  };
}

/** Returns the tokens of squares that cover a circle; null where the grid does not apply. */
export function coverTokens(near: Circle): string[] | null {
  const box = boxAround(near);
  if (box === null) return null;
  const { latitude, longitude } = near;
  const { south, north, west, east } = box;
  const zoom = ZOOMS.find((one) => sideOf(one) >= (north - latitude) * LEAST_SIDE) ?? ZOOMS[3];
  const side = sideOf(zoom);
  const tokens: string[] = [];
  for (let y = Math.floor(south / side); y <= north / side; y += 1) {
    const dy = outside(latitude / side, y) / ((north - latitude) / side);
    for (let x = Math.floor(west / side); x <= east / side; x += 1) {
      const dx = outside(longitude / side, x) / ((east - longitude) / side);
      if (dx * dx + dy * dy <= 1) tokens.push(squareToken(zoom, y, x));
    }
  }
  return tokens;
}

/** Returns how far a coordinate lies outside the unit interval starting at `from`. */
function outside(coordinate: number, from: number): number {
  return Math.max(0, from - coordinate, coordinate - from - 1);
}

const squareToken = (zoom: number, y: number, x: number) => `g${zoom}:${y}:${x}`;

/** Price steps: eight per doubling; wider ones span 8 and 32 of them. */
const STEPS_PER_DOUBLING = 8;
const WIDTHS = [1, 8, 32];
/** No price exceeds 2^53 minor units. */
export const LAST_STEP = 54 * STEPS_PER_DOUBLING;
/** On records without a price. */
export const NO_PRICE = '$:';

const stepOf = (amount: number) => Math.floor(Math.log2(amount + 1) * STEPS_PER_DOUBLING);

/** Returns the token of a price step. */
export const priceToken = (step: number, width = 1): string => `$${width}:${step}`;

/** Returns the tokens of a price in minor units. */
export function priceTokens(amount: number | null): string[] {
  if (amount === null) return [NO_PRICE];
  const step = stepOf(amount);
  return WIDTHS.map((width) => priceToken(Math.floor(step / width), width));
}

/** Returns the first and last price step of a range in minor units. */
export function priceSteps(min: number | null, max: number | null): [number, number] {
  return [stepOf(min ?? 0), max === null ? LAST_STEP : Math.min(stepOf(max), LAST_STEP)];
}

/** Returns the fewest tokens that cover a price range. */
export function priceRangeTokens(min: number | null, max: number | null): string[] {
  const [first, last] = priceSteps(min, max);
  const tokens: string[] = [];
  for (let step = first; step <= last; ) {
    const width = WIDTHS.findLast((wide) => step % wide === 0 && step + wide - 1 <= last) ?? 1;
    tokens.push(priceToken(step / width, width));
    step += width;
  }
  return tokens;
}
