import type { Hit, Offer, Product } from '../domain/catalog.ts';
import type { Found, SearchPlan } from '../domain/search.ts';
import { MAX_SEARCH_RECORDS } from '../domain/surface.ts';
import type { Intent } from '../understand/types.ts';
import type { SearchArguments } from './arguments.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { SearchMessage } from './messages.ts';

/** Returns the message for a follow-up whose context only the agent has; null for any other query. */
export function followUpMessage(intent: Intent, args: SearchArguments): SearchMessage | null {
  // A category or merchant filter supplies the missing subject.
  const named = args.category ?? args.merchant ?? args.merchant_id;
  return intent.wish?.kind === 'follow-up' && named === undefined ? { kind: 'follow-up' } : null;
}

/** Explains how a bare wish was understood, or which other things the query may mean. */
export function understoodMessages(
  { wish, concepts, alternatives }: Intent,
  records: 'products' | 'offers',
): SearchMessage[] {
  switch (wish?.kind) {
    case 'offers':
      return [{ kind: 'offers-wished', records }];
    case 'cheap':
      return [{ kind: 'cheap-wished', records }];
    case 'anything':
    case 'follow-up':
      return [{ kind: 'anything-wished', records }];
    case 'food':
      return [{ kind: 'food-wished' }];
    case 'kids':
      return [{ kind: 'kids-wished' }];
    case 'gift':
      return wish.label === null ? [] : [{ kind: 'gift-wished', concepts }];
    default:
      return alternatives.map((label) => ({ kind: 'alternative', label }));
  }
}

/** Explains wishes beside the thing that the catalog cannot honour. */
export function signalMessages(
  { near, open, delivery }: Intent['signals'],
  plan: SearchPlan,
): SearchMessage[] {
  const messages: SearchMessage[] = [];
  if (near && plan.near === null && plan.district === null) messages.push({ kind: 'near-what' });
  if (open || delivery) {
    messages.push({ kind: 'unknown-facts', openingHours: open, deliveries: delivery });
  }
  return messages;
}

/** Finds products for a query that asks for offers: those with a current offer first, then all others. */
export async function findOnOffer(
  plan: SearchPlan,
  { searchOffers, searchProducts, products }: SearchDependencies['catalog'],
): Promise<Found<Product>> {
  const all = await searchProducts(plan);
  if (plan.sort !== 'relevance') return all;
  const offers = await searchOffers({ ...plan, limit: MAX_SEARCH_RECORDS });
  const ids = offers.hits.flatMap(({ record }) => record.product?.id ?? []);
  const known = new Map((await products([...new Set(ids)])).map((one) => [one.id, one]));
  const onOffer = new Map<number, Hit<Product>>();
  for (const hit of offers.hits) {
    const product = known.get(hit.record.product?.id ?? 0);
    if (product === undefined || onOffer.has(product.id) || !keepsTo(product, plan)) continue;
    onOffer.set(product.id, onOfferHit(hit, product));
  }
  const others = all.hits.filter(({ record }) => !onOffer.has(record.id));
  return { ...all, hits: [...onOffer.values(), ...others].slice(0, plan.limit) };
}

const onOfferHit = ({ nearestStore }: Hit<Offer>, record: Product): Hit<Product> => ({
  ...{ record, nearestStore, match: 'exact', score: 1, missing: [], loose: [] },
});

// The offer search checked place and merchant; an offer's price and category may differ from its product's.
function keepsTo({ category, price, inStock }: Product, plan: SearchPlan): boolean {
  const { categoryIds, inStockOnly, minPrice, maxPrice } = plan;
  if (inStockOnly && !inStock) return false;
  if (categoryIds !== null && !categoryIds.includes(category?.id ?? 0)) return false;
  if (minPrice === null && maxPrice === null) return true;
  return (
    price?.currency === 'BRL' &&
    price.amount >= (minPrice ?? 0) &&
    price.amount <= (maxPrice ?? Number.POSITIVE_INFINITY)
  );
}
