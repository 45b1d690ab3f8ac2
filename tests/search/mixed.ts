import type { FeedKind, FeedRecord, FeedRecordOf } from '../../src/domain/catalog.ts';
import { makeRandom } from '../../src/sample/random.ts';
import { medicineOf } from './known/doses.ts';
import { mistype, type Random } from './known/sampling.ts';
import { documentFrequencies, plain, wordsOf } from './known/words.ts';

/** Arguments of search_local_products. */
export type MixedQuery = {
  query?: string;
  category?: string;
  city?: string;
  district?: string;
  latitude?: number;
  longitude?: number;
  radius_meters?: number;
  merchant?: string;
  merchant_id?: number;
  min_price?: number;
  max_price?: number;
  in_stock_only?: boolean;
  sort?: string;
  limit?: number;
};

/** What people of other languages ask a mall and a pharmacy for. */
const FOREIGN = [
  ...['rice', 'headache pills', 'running shoes', 'arroz con pollo', 'zapatos', 'jabón'],
  ...['Kopfschmerztabletten', 'Käse', 'Regenschirm', 'fromage', 'lait', 'chaussures', 'scarpe'],
  ...['formaggio', 'kaas', 'ser', 'хлеб', 'сыр', '咖啡', '牛奶', 'チーズ', '치즈', 'جبن', 'peynir'],
];
/** Words that are everywhere in texts, and words that name nothing. */
const PLAIN_WORDS = ['produto', 'com', 'de', 'marca', 'melhor', 'barato', 'x', '10', 'xqzwv'];

const RARE_IN = 2;
const COMMON_WORDS = 60;
const LONGEST_QUERY = 400;
const MOST_RECORDS = 20;
const CENTAVOS = 100;

type Pools = {
  titles: string[];
  rare: string[];
  common: string[];
  bodies: string[];
  brands: string[];
  medicines: string[];
  categories: FeedRecordOf<'category'>[];
  merchants: FeedRecordOf<'merchant'>[];
  stores: FeedRecordOf<'store'>[];
  /** In reais. */
  prices: number[];
};

type Maker<T> = (pools: Pools, random: Random) => T | undefined;

/**
 * So many different searches of all kinds over a feed, the same for the same seed: every kind of text
 * with every kind of filter and sort.
 */
export function mixedQueries(feed: FeedRecord[], count: number, seed: number): MixedQuery[] {
  const pools = poolsOf(feed);
  if (pools.titles.length === 0) throw new Error('a feed without products has nothing to ask for');
  const random = makeRandom(seed);
  const found = new Map<string, MixedQuery>();
  // A small feed has not so many: then fewer come.
  for (let turn = 0; found.size < count && turn < count * 20; turn += 1) {
    const query = TEXTS[turn % TEXTS.length]?.(pools, random)?.slice(0, LONGEST_QUERY).trim();
    // Coprime numbers of kinds, so that each text meets each filter.
    const filter = FILTERS[turn % FILTERS.length]?.(pools, random);
    if (query === undefined || filter === undefined) continue;
    if (query === '' && NARROWING.every((field) => filter[field] === undefined)) continue;
    const limit = random() < 0.5 ? {} : { limit: 1 + Math.floor(random() * MOST_RECORDS) };
    const whole = { ...(query !== '' && { query }), ...filter, ...limit };
    found.set(JSON.stringify(whole), whole);
  }
  return [...found.values()];
}

/** One of these has to be there when there is no query. */
const NARROWING = [
  'category',
  'district',
  'latitude',
  'merchant',
  'merchant_id',
  'max_price',
] as const;

const one = <T>(list: readonly T[], random: Random): T | undefined =>
  list[Math.floor(random() * list.length)];
const wordIn = (text: string | undefined, random: Random) => one(wordsOf(text ?? ''), random);

const TEXTS: Maker<string>[] = [
  ({ rare }, random) => one(rare, random),
  ({ common }, random) => one(common, random),
  ({ common, rare }, random) => `${one(common, random)} ${one(rare, random)}`,
  ({ common }, random) => `${one(common, random)} ${one(common, random)}`,
  ({ titles }, random) => {
    const title = one(titles, random);
    return `${wordIn(title, random)} ${wordIn(title, random)}`;
  },
  ({ titles }, random) => one(titles, random),
  ({ titles }, random) => plain(one(titles, random) ?? ''),
  ({ titles }, random) => fragment(one(titles, random) ?? '', random),
  ({ titles }, random) => mistype(one(titles, random) ?? '', random) ?? undefined,
  ({ common, rare }, random) =>
    mistype(one([...common, ...rare], random) ?? '', random) ?? undefined,
  (_, random) => one(FOREIGN, random),
  (_, random) => one(PLAIN_WORDS, random),
  () => '',
  ({ merchants, common }, random) => `${one(common, random)} ${one(merchants, random)?.name}`,
  ({ brands, bodies }, random) => one(brands, random) ?? wordIn(one(bodies, random), random),
  ({ bodies, titles }, random) => fragment(one([...bodies, ...titles], random) ?? '', random),
  ({ medicines, common }, random) => one(medicines, random) ?? one(common, random),
  ({ categories, titles }, random) =>
    `${one(categories, random)?.name} ${wordIn(one(titles, random), random)}`,
];

const FILTERS: Maker<Omit<MixedQuery, 'query' | 'limit'>>[] = [
  () => ({}),
  () => ({}),
  () => ({}),
  () => ({ in_stock_only: false }),
  () => ({ sort: 'price_asc' }),
  () => ({ sort: 'price_desc' }),
  ({ stores }, random) => {
    const store = one(stores, random);
    return store && { city: store.city, district: store.district };
  },
  ({ merchants }, random) => named(one(merchants, random), (name) => ({ merchant: name })),
  ({ merchants }, random) => {
    const merchant = one(merchants, random);
    return merchant && { merchant_id: merchant.id };
  },
  ({ categories }, random) => named(one(categories, random), (name) => ({ category: name })),
  ({ categories }, random) =>
    named(one(categories, random), (category) => ({ category, sort: 'price_asc' })),
  (pools, random) => priceRange(pools, random),
  (pools, random) => ({ ...priceRange(pools, random), sort: 'price_desc' }),
  ({ prices }, random) => ({ max_price: one(prices, random) ?? 50 }),
  (pools, random) => near(pools, random),
  (pools, random) => ({ ...near(pools, random), ...priceRange(pools, random) }),
  (pools, random) => {
    const place = near(pools, random);
    return place && { ...place, sort: 'distance' };
  },
];

/** Two to four words of a text that stand side by side. */
function fragment(text: string, random: Random): string {
  const words = wordsOf(text);
  const start = Math.floor(random() * Math.max(1, words.length - 1));
  return words.slice(start, start + 2 + Math.floor(random() * 3)).join(' ');
}

const named = <T>(record: { name: string } | undefined, make: (name: string) => T) =>
  record && make(record.name.slice(0, 200));

function priceRange({ prices }: Pools, random: Random): MixedQuery {
  const [low = 5, high = 50] = [one(prices, random), one(prices, random)];
  return { min_price: Math.min(low, high), max_price: Math.max(low, high) };
}

function near({ stores }: Pools, random: Random): MixedQuery | undefined {
  const located = stores.filter(({ latitude }) => latitude != null);
  const { latitude, longitude } = one(located, random) ?? {};
  if (latitude == null || longitude == null) return undefined;
  return {
    latitude,
    longitude,
    radius_meters: one([300, 1000, 3000, 10_000, 50_000], random) ?? 1,
  };
}

function poolsOf(feed: FeedRecord[]): Pools {
  const ofKind = <K extends FeedKind>(kind: K) =>
    feed.filter((record): record is FeedRecordOf<K> => record.kind === kind);
  const products = ofKind('product');
  const titles = products.map(({ name }) => name);
  const counts = [...documentFrequencies(titles)].toSorted(([, a], [, b]) => b - a);
  // Values are drawn as often as products have them, so that most filters match something.
  const merchants = new Map(ofKind('merchant').map((merchant) => [merchant.id, merchant]));
  const stores = new Map(ofKind('store').map((store) => [store.merchant_id, store]));
  const categories = new Map(ofKind('category').map((category) => [category.id, category]));
  return {
    titles,
    rare: counts.filter(([, count]) => count <= RARE_IN).map(([word]) => word),
    common: counts.slice(0, COMMON_WORDS).map(([word]) => word),
    bodies: products.flatMap(({ description }) => description ?? []),
    brands: [...new Set(products.flatMap(({ brand }) => brand ?? []))],
    medicines: titles.flatMap((title) => {
      const { substance, number, unit } = medicineOf(title) ?? {};
      return substance === undefined ? [] : [`${substance} ${number} ${unit}`.toLowerCase()];
    }),
    categories: products.flatMap(({ category_id: id }) => (id && categories.get(id)) || []),
    merchants: products.flatMap(({ merchant_id: id }) => merchants.get(id) ?? []),
    stores: products.flatMap(({ merchant_id: id }) => stores.get(id) ?? []),
    prices: products.flatMap(({ price }) => (price ? [price.amount / CENTAVOS] : [])),
  };
}
