// The search by its definition, over all records: slow and obviously correct.
import type { FeedRecordOf } from '../../src/domain/catalog.ts';
import { nameKey, placeKey } from '../../src/domain/places.ts';
import {
  LEAST_RELEVANCE,
  LEAST_SHARE_OF_BEST,
  LEAST_SHARE_WHEN_SORTED,
  LOSS,
  scoreOf,
} from '../../src/domain/relevance.ts';
import type { SearchPlan } from '../../src/domain/search.ts';
import { type Evidence, judge, type Texts, thingsOf } from './naive-relevance.ts';

export type Catalog = {
  stores: FeedRecordOf<'store'>[];
  products: FeedRecordOf<'product'>[];
  offers: FeedRecordOf<'offer'>[];
};
type Analyse = (title: string, id: number) => Texts & { name: string };
/** The numbers that the index gave the records, by their ids: their order within one static rank is a hash. */
export type Numbers = Map<number, number>;
type Item = {
  id: number;
  merchant: number | null;
  category: number | null;
  aiCategory: string | null;
  price: { amount: number; currency: string } | null;
  inStock: boolean;
  isPublic: boolean;
  quality: number;
  /** The static rank, 0 best. */
  rank: number;
  title: string;
};

/** A result: enough to tell apart records, scores and order. */
export type NaiveHit = {
  id: number;
  score: number;
  exact: boolean;
  missing: string[];
  loose: string[];
  store: number | null;
};

const MOST_TITLE_RANK = 7;
const titleRank = (title: string) => Math.min(MOST_TITLE_RANK, Math.floor(title.length / 12));

const products = (catalog: Catalog): Item[] =>
  catalog.products.map((one) => ({
    id: one.id,
    merchant: one.merchant_id,
    category: one.category_id ?? null,
    aiCategory: null,
    price: one.price ?? null,
    inStock: one.in_stock ?? true,
    isPublic: true,
    quality: 1,
    rank:
      ((one.in_stock ?? true) ? 0 : 64) +
      (one.price ? 0 : 32) +
      ((one.media ?? []).length > 0 ? 0 : 16) +
      (one.description ? 0 : 8) +
      titleRank(one.name),
    title: one.name,
  }));

/** Offers that are public now or later: those that the catalog counts. */
function offers(catalog: Catalog, now: string): Item[] {
  const known = new Map(catalog.products.map((one) => [one.id, one]));
  return catalog.offers
    .filter((one) => (one.status ?? 'active') === 'active' && one.app_only_top !== true)
    .filter((one) => now < (one.valid_until ?? '~'))
    .map((one) => {
      const product = known.get(one.product_id ?? 0);
      const quality = one.quality_score ?? 0;
      return {
        id: one.id,
        merchant: one.merchant_id ?? null,
        category: product?.category_id ?? null,
        aiCategory: one.ai_category ? nameKey(one.ai_category) : null,
        price: one.price ?? product?.price ?? null,
        inStock: true,
        isPublic: (one.valid_from ?? '') <= now,
        quality: 1 - LOSS.quality * (1 - quality),
        rank: 127 - Math.min(127, Math.floor(quality * 128)),
        title: one.title,
      };
    });
}

/** Searches a catalog by looking at every record. */
export function naiveSearch(
  kind: 'product' | 'offer',
  catalog: Catalog,
  plan: SearchPlan,
  analyse: Analyse,
  numbers: Numbers,
): NaiveHit[] {
  const items = kind === 'product' ? products(catalog) : offers(catalog, new Date().toISOString());
  const read = items.map((item) => ({ item, ...analyse(item.title, item.id) }));
  const things = thingsOf(plan.clauses, read);
  const stores = nearestStores(catalog, plan);
  const located = plan.city !== null || plan.district !== null || plan.near !== null;
  const matching = read.flatMap((one): Match[] => {
    const { item } = one;
    if (!passes(item, plan, kind)) return [];
    const store = stores.get(item.merchant) ?? null;
    if (located && store === null && item.merchant !== null) return [];
    const evidence = judge(things, one, plan.sort === 'relevance' && one.name === plan.title);
    return evidence === null ? [] : [{ item, store, number: numbers.get(item.id), ...evidence }];
  });
  return withScores(plan, cut(plan, matching))
    .sort((a, b) => compare(plan, a, b))
    .slice(0, plan.limit)
    .map(({ item, score, isCovered, missing, loose, store }) => ({
      id: item.id,
      ...{ score, exact: isCovered, missing, loose },
      store: store?.id ?? null,
    }));
}

type Match = {
  item: Item;
  store: Place | null;
  number: number | undefined;
} & Evidence;
type Scored = Match & { score: number };

/** What is relevant beside the most relevant match; when sorted, what is about as good as the best one. */
function cut(plan: SearchPlan, matches: Match[]): Match[] {
  const atLeast = (least: number) =>
    matches.filter(({ relevance }) => relevance >= Math.max(LEAST_RELEVANCE, least) - 1e-9);
  const most = Math.max(0, ...matches.map(({ relevance }) => relevance));
  const relevant = atLeast(LEAST_SHARE_OF_BEST * most);
  if (plan.sort === 'relevance') return relevant;
  const [best] = relevant.toSorted(
    (a, b) => scoreOf(b.relevance, b.isCovered) - scoreOf(a.relevance, a.isCovered),
  );
  return atLeast(LEAST_SHARE_WHEN_SORTED * (best?.relevance ?? 0)).filter(
    ({ isLed }) => isLed || best?.isCovered !== true,
  );
}

function withScores(plan: SearchPlan, matches: Match[]): Scored[] {
  const amounts = matches.map(({ item }) => item.price?.amount ?? null);
  const cheap = plan.cheap && plan.sort === 'relevance';
  const speaksOfPlace = (plan.preferredDistrict ?? plan.preferredNear) !== null;
  return matches.map((one) => {
    const { item, store } = one;
    const far = (store?.distance ?? 0) / (plan.near?.radiusMeters ?? 1);
    const isElsewhere = speaksOfPlace && store?.preferred !== true;
    const losses = [
      far * (plan.nearby ? LOSS.nearby : LOSS.distance),
      cheap ? LOSS.dear * dearness(item.price?.amount ?? null, amounts) : 0,
      isElsewhere ? LOSS.elsewhere : 0,
      isWithin(item, plan.preferredPrice) ? 0 : LOSS.beyondPrice,
      isOf(item, plan.preferredMerchantIds) ? 0 : LOSS.otherMerchant,
    ];
    const left = losses.reduce((rest, loss) => rest * (1 - loss), item.quality);
    const score = scoreOf(one.relevance * left, one.isCovered);
    return { ...one, score: Math.round(score * 1e9) / 1e9 };
  });
}

/** How many of the others are cheaper, 0..1; half of them, for what has no price. */
function dearness(amount: number | null, amounts: (number | null)[]): number {
  if (amount === null) return 0.5;
  const cheaper = amounts.filter((other) => other !== null && other < amount).length;
  return cheaper / Math.max(1, amounts.length - 1);
}

function compare({ sort }: SearchPlan, a: Scored, b: Scored): number {
  const price = ({ item }: Scored, last: number) => item.price?.amount ?? last;
  const distance = (one: Scored) => one.store?.distance ?? Number.MAX_VALUE;
  const ties =
    b.score - a.score ||
    Number(b.isNamesake) - Number(a.isNamesake) ||
    distance(a) - distance(b) ||
    a.item.rank - b.item.rank ||
    (a.number ?? Number.NaN) - (b.number ?? Number.NaN);
  if (sort === 'price_asc') return price(a, 1e15) - price(b, 1e15) || ties;
  if (sort === 'price_desc') return price(b, -1) - price(a, -1) || ties;
  return (sort === 'distance' ? distance(a) - distance(b) : 0) || ties;
}

function passes(item: Item, plan: SearchPlan, kind: 'product' | 'offer'): boolean {
  const { categoryIds, merchantIds, minPrice, maxPrice } = plan;
  if (!item.isPublic) return false;
  if (kind === 'product' && plan.inStockOnly && !item.inStock) return false;
  if (merchantIds !== null && !merchantIds.includes(item.merchant ?? 0)) return false;
  if (categoryIds !== null && !categoryIds.includes(item.category ?? 0)) {
    const own =
      kind === 'offer' && item.aiCategory !== null && plan.aiCategoryKeys.includes(item.aiCategory);
    if (!own) return false;
  }
  return isWithin(item, { min: minPrice, max: maxPrice });
}

function isWithin({ price }: Item, range: SearchPlan['preferredPrice']): boolean {
  if (range === null || (range.min === null && range.max === null)) return true;
  if (price === null || price.currency !== 'BRL') return false;
  return price.amount >= (range.min ?? 0) && price.amount <= (range.max ?? 1e15);
}

const isOf = ({ merchant }: Item, ids: number[] | null) =>
  ids === null || (merchant !== null && ids.includes(merchant));

type Place = { id: number; distance: number | null; preferred: boolean };

/** Of each merchant the store where a plan looks that is the nearest, or else in the preferred district. */
function nearestStores({ stores }: Catalog, plan: SearchPlan): Map<number | null, Place> {
  const { city, district, near, preferredDistrict, preferredNear } = plan;
  const preferred = preferredDistrict === null ? null : placeKey(preferredDistrict);
  const places = stores
    .filter((store) => city === null || placeKey(store.city) === placeKey(city))
    .filter((store) => district === null || placeKey(store.district) === placeKey(district))
    .map((store) => ({
      id: store.id,
      merchant: store.merchant_id,
      distance: near === null ? null : distanceTo(store, near),
      preferred:
        preferredNear === null
          ? placeKey(store.district) === preferred
          : (distanceTo(store, preferredNear) ?? Infinity) <= preferredNear.radiusMeters,
    }))
    .filter(({ distance }) => near === null || (distance ?? Infinity) <= near.radiusMeters)
    .sort(
      (a, b) =>
        (b.distance ?? 0) - (a.distance ?? 0) ||
        Number(a.preferred) - Number(b.preferred) ||
        b.id - a.id,
    );
  // The last one stays: the best.
  return new Map(places.map((place) => [place.merchant, place]));
}

function distanceTo(
  store: FeedRecordOf<'store'>,
  near: { latitude: number; longitude: number },
): number | null {
  if (store.latitude == null || store.longitude == null) return null;
  const rad = Math.PI / 180;
  const half =
    Math.sin(((store.latitude - near.latitude) * rad) / 2) ** 2 +
    Math.cos(near.latitude * rad) *
      Math.cos(store.latitude * rad) *
      Math.sin(((store.longitude - near.longitude) * rad) / 2) ** 2;
  return 2 * 6371008.8 * Math.asin(Math.min(1, Math.sqrt(half)));
}
