// The search as its definition says it, over all records: slow, and obviously right.
import type { FeedRecordOf } from '../../src/domain/catalog.ts';
import { placeKey } from '../../src/domain/places.ts';
import { type SearchPlan, SOFT_WEIGHT } from '../../src/domain/search.ts';

export type Catalog = {
  stores: FeedRecordOf<'store'>[];
  products: FeedRecordOf<'product'>[];
  offers: FeedRecordOf<'offer'>[];
};
type Tokens = { head: string[]; title: string[]; body: string[] };
type Item = {
  id: number;
  merchant: number | null;
  category: number | null;
  aiCategory: string | null;
  price: { amount: number; currency: string } | null;
  inStock: boolean;
  quality: number;
  rank: number;
  updatedAt: string;
  tokens: Tokens;
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

const products = (catalog: Catalog, analyse: (title: string) => Tokens): Item[] =>
  catalog.products.map((one) => ({
    id: one.id,
    merchant: one.merchant_id,
    category: one.category_id ?? null,
    aiCategory: null,
    price: one.price ?? null,
    inStock: one.in_stock ?? true,
    quality: 1,
    rank:
      ((one.in_stock ?? true) ? 0 : 8) +
      (one.price ? 0 : 4) +
      ((one.media ?? []).length > 0 ? 0 : 2) +
      (one.description ? 0 : 1),
    updatedAt: one.updated_at ?? '',
    tokens: analyse(one.name),
  }));

const offers = (catalog: Catalog, analyse: (title: string) => Tokens, now: string): Item[] =>
  catalog.offers
    .filter((one) => (one.status ?? 'active') === 'active' && one.app_only_top !== true)
    .filter((one) => (one.valid_from ?? '') <= now && now < (one.valid_until ?? '~'))
    .map((one) => {
      const product = catalog.products.find(({ id }) => id === one.product_id);
      return {
        id: one.id,
        merchant: one.merchant_id ?? null,
        category: product?.category_id ?? null,
        aiCategory: one.ai_category ?? null,
        price: one.price ?? product?.price ?? null,
        inStock: true,
        quality: 0.75 + 0.25 * (one.quality_score ?? 0),
        rank: 15 - Math.min(15, Math.floor((one.quality_score ?? 0) * 16)),
        updatedAt: one.updated_at ?? '',
        tokens: analyse(one.title),
      };
    });

/** Searches a catalog by looking at every record. */
export function naiveSearch(
  kind: 'product' | 'offer',
  catalog: Catalog,
  plan: SearchPlan,
  analyse: (title: string) => Tokens,
  leastRelevance = 0.2,
): NaiveHit[] {
  const now = new Date().toISOString();
  const items = kind === 'product' ? products(catalog, analyse) : offers(catalog, analyse, now);
  const located = plan.city !== null || plan.district !== null || plan.near !== null;
  const scored = items.flatMap((item) => {
    if (!passes(item, plan, kind)) return [];
    const store = nearestStore(catalog, item, plan);
    if (located && store === null && item.merchant !== null) return [];
    const relevance = relevanceOf(item, plan);
    return relevance.sum === 0 ? [] : [{ item, store, ...relevance }];
  });
  const most = Math.max(0, ...scored.map(({ sum }) => sum));
  // A least relevance of 0 asks for whatever matches.
  const share = leastRelevance === 0 ? 0 : plan.sort === 'relevance' ? 0.35 : 0.7;
  return scored
    .filter(({ sum }) => sum >= Math.max(leastRelevance, share * most) - 1e-9)
    .map((one) => {
      const far =
        ((one.store?.distance ?? 0) * (plan.nearby ? 0.4 : 0.15)) / (plan.near?.radiusMeters ?? 1);
      const elsewhere = plan.preferredDistrict !== null && one.store?.preferred !== true ? 0.2 : 0;
      const beyond = isWithin(one.item, plan.preferredPrice) ? 0 : 0.25;
      const score = Math.min(
        1,
        one.sum * one.item.quality * (1 - far) * (1 - elsewhere) * (1 - beyond),
      );
      return { ...one, score: Math.round(score * 1e9) / 1e9 };
    })
    .sort((a, b) => compare(plan, a, b))
    .slice(0, plan.limit)
    .map(({ item, score, exact, missing, loose, store }) => ({
      id: item.id,
      ...{ score, exact, missing, loose },
      store: store?.id ?? null,
    }));
}

type Scored = { item: Item; store: { distance: number | null } | null; score: number };

function compare({ sort }: SearchPlan, a: Scored, b: Scored): number {
  const price = ({ item }: Scored, last: number) => item.price?.amount ?? last;
  const distance = (one: Scored) => one.store?.distance ?? Number.MAX_VALUE;
  const ties =
    b.score - a.score ||
    distance(a) - distance(b) ||
    a.item.rank - b.item.rank ||
    (a.item.updatedAt < b.item.updatedAt ? 1 : a.item.updatedAt > b.item.updatedAt ? -1 : 0) ||
    a.item.id - b.item.id;
  if (sort === 'price_asc') return price(a, 1e15) - price(b, 1e15) || ties;
  if (sort === 'price_desc') return price(b, -1) - price(a, -1) || ties;
  if (sort === 'distance') return distance(a) - distance(b) || ties;
  return ties;
}

function passes(item: Item, plan: SearchPlan, kind: 'product' | 'offer'): boolean {
  const { categoryIds, merchantIds, minPrice, maxPrice } = plan;
  if (kind === 'product' && plan.inStockOnly && !item.inStock) return false;
  if (merchantIds !== null && !merchantIds.includes(item.merchant ?? 0)) return false;
  if (categoryIds !== null && !categoryIds.includes(item.category ?? 0)) {
    const own =
      kind === 'offer' && item.aiCategory !== null && item.aiCategory === plan.aiCategoryKey;
    if (!own) return false;
  }
  return isWithin(item, { min: minPrice, max: maxPrice });
}

function isWithin({ price }: Item, range: SearchPlan['preferredPrice']): boolean {
  if (range === null || (range.min === null && range.max === null)) return true;
  if (price === null || price.currency !== 'BRL') return false;
  return price.amount >= (range.min ?? 0) && price.amount <= (range.max ?? 1e15);
}

function nearestStore(catalog: Catalog, item: Item, plan: SearchPlan) {
  const { city, district, near, preferredDistrict } = plan;
  const preferred = preferredDistrict === null ? null : placeKey(preferredDistrict);
  const stores = catalog.stores
    .filter(({ merchant_id }) => merchant_id === item.merchant)
    .filter((store) => city === null || placeKey(store.city) === placeKey(city))
    .filter((store) => district === null || placeKey(store.district) === placeKey(district))
    .map((store) => ({
      id: store.id,
      distance: near === null ? null : distanceTo(store, near),
      preferred: placeKey(store.district) === preferred,
    }))
    .filter(({ distance }) => near === null || (distance ?? Infinity) <= near.radiusMeters)
    .sort(
      (a, b) =>
        (a.distance ?? 0) - (b.distance ?? 0) ||
        Number(b.preferred) - Number(a.preferred) ||
        a.id - b.id,
    );
  return stores[0] ?? null;
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

function relevanceOf({ tokens }: Item, { groups }: SearchPlan) {
  if (groups.length === 0) return { sum: 1, exact: true, missing: [], loose: [] };
  const factor = (token: string) => {
    if (tokens.head.includes(token)) return 1;
    if (tokens.title.includes(token)) return 0.7;
    return tokens.body.includes(token) ? 0.3 : 0;
  };
  const total = groups.reduce((sum, { weight }) => sum + weight, 0);
  const parts = groups.map(({ weight, alternatives }) =>
    Math.max(0, ...alternatives.map((one) => one.weight * weight * factor(one.token))),
  );
  const required = groups.filter(({ weight }) => weight > SOFT_WEIGHT);
  const without = (least: (weight: number, factor: number) => boolean) =>
    required
      .filter((group) => !group.alternatives.some((one) => least(one.weight, factor(one.token))))
      .map(({ label }) => label);
  const missing = without((_, found) => found > 0);
  const lacking = without((weight, found) => weight >= 0.6 && found >= 0.7);
  return {
    sum: parts.reduce((sum, part) => sum + part, 0) / total,
    exact: lacking.length === 0,
    missing,
    loose: lacking.filter((label) => !missing.includes(label)),
  };
}
