import type { SearchPlan } from '../../domain/search.ts';

/**
 * What writer and reader of the index agree on: numbers of records, keys, and the tokens that stand for
 * hard filters. A record carries those of its category, merchant, places and price; a search asks for the
 * ones that hold everything within its constraint, and what they hold too much of is checked on the record.
 */

/** What the index is made of; the number is that of `kind` in its tables. */
export const KINDS = { product: 1, offer: 2 } as const;
export type Kind = keyof typeof KINDS;

/**
 * A record's number is its static rank (`product_rank`, `offer_rank`: 0 best, 127 worst) shifted by so many
 * bits, then a hash of its id: equals stand in a fixed shuffled order, whatever the index held before.
 */
export const RANK_SHIFT = 24;
/** The ranks of products out of stock begin here, and their buckets, so that a search can leave them out. */
export const OUT_OF_STOCK_RANK = 64;
export const OUT_OF_STOCK_BUCKET = 100;
/** How many records the first bucket holds and, doubled from bucket to bucket, any at most. */
export const BUCKETS = { first: 8192, most: 131_072 };

/**
 * Where a record has a token: once, at the best of its levels. `head` is what the title is about, `title`
 * what else it names, `aside` what it goes with ("para iPhone"), `anywhere` all other text.
 */
export const LEVELS = { filter: 0, head: 1, title: 2, aside: 3, anywhere: 4 } as const;
export type Level = (typeof LEVELS)[keyof typeof LEVELS];
/** The levels of text, the best first. */
export const FIELDS = ['head', 'title', 'aside', 'anywhere'] as const;

/** The key of a token at a level. */
export const keyOf = (tokenId: number, level: Level): number => tokenId * 8 + level;
/** The level of a key. */
export const levelOf = (key: number): number => key % 8;

/** Carried by every record. */
export const EVERY = 'all';
/** Carried by payment offers without merchant, which are valid everywhere. */
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

/** The squares of the map, each four times as wide as the one before: about 280 m, 1, 4 and 18 km. */
const ZOOMS = [-1, 0, 1, 2] as const;
/** The side of a square in degrees. */
const sideOf = (zoom: number) => 0.01 * 4 ** zoom;
/** A circle is covered by squares of a side of at least this share of its radius. */
const LEAST_SIDE = 1 / 3;
const METERS_PER_DEGREE = 111_195;
/** Nearer to the poles squares are too narrow to help. */
const LAST_LATITUDE = 85;

/** The tokens of where a store is. */
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

/** The degrees that a circle lies within; null near the poles and at the edge of the map. */
export function boxAround({ latitude, longitude, radiusMeters }: Circle) {
  // A little wider, so that rounding loses nobody at the rim.
  const high = (radiusMeters * 1.01 + 10) / METERS_PER_DEGREE;
  const edge = Math.abs(latitude) + high;
  if (edge > LAST_LATITUDE) return null;
  const wide = high / Math.cos((edge * Math.PI) / 180);
  // The squares do not go around the world.
  if (longitude - wide < -180 || longitude + wide > 180) return null;
  return {
    ...{ south: latitude - high, north: latitude + high },
    ...{ west: longitude - wide, east: longitude + wide },
  };
}

/** Tokens of squares that cover a circle; null where the map does not serve. */
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

/** How far a coordinate lies outside of the step that begins at `from`. */
function outside(coordinate: number, from: number): number {
  return Math.max(0, from - coordinate, coordinate - from - 1);
}

const squareToken = (zoom: number, y: number, x: number) => `g${zoom}:${y}:${x}`;

/** Price steps: eight to a doubling; wider ones hold 8 and 32 of them. */
const STEPS_PER_DOUBLING = 8;
const WIDTHS = [1, 8, 32];
/** Beyond 2^53 in minor units no price lies. */
export const LAST_STEP = 54 * STEPS_PER_DOUBLING;
/** Carried by records without a price. */
export const NO_PRICE = '$:';

const stepOf = (amount: number) => Math.floor(Math.log2(amount + 1) * STEPS_PER_DOUBLING);

/** The token of one price step. */
export const priceToken = (step: number, width = 1): string => `$${width}:${step}`;

/** The tokens of a price in minor units. */
export function priceTokens(amount: number | null): string[] {
  if (amount === null) return [NO_PRICE];
  const step = stepOf(amount);
  return WIDTHS.map((width) => priceToken(Math.floor(step / width), width));
}

/** The first and last price step of a range in minor units. */
export function priceSteps(min: number | null, max: number | null): [number, number] {
  return [stepOf(min ?? 0), max === null ? LAST_STEP : Math.min(stepOf(max), LAST_STEP)];
}

/** Tokens that cover the prices of a range, as wide as possible. */
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
