import type { Hit, Offer, Product } from '../domain/catalog.ts';
import type { Found, SearchPlan } from '../domain/search.ts';
import { MAX_SEARCH_RECORDS } from '../domain/surface.ts';
import type { Intent } from '../understand/types.ts';
import type { SearchArguments } from './arguments.ts';
import type { SearchDependencies } from './dependencies.ts';

const FOLLOW_UP =
  'The query is a follow-up that names nothing to search for, and earlier questions are not kept here: send the whole question again, with the thing that it is about.';

/** Returns the message for a follow-up whose context only the agent has; null for any other query. */
export function followUpMessage(intent: Intent, args: SearchArguments): string | null {
  // A category or merchant filter supplies the missing subject.
  const named = args.category ?? args.merchant ?? args.merchant_id;
  return intent.wish?.kind === 'follow-up' && named === undefined ? FOLLOW_UP : null;
}

/** Explains how a bare wish was understood, or which other things the query may mean. */
export function understoodMessages(
  { wish, concepts, alternatives }: Intent,
  kind: 'products' | 'offers',
): string[] {
  const what = kind === 'offers' ? 'offers' : 'products';
  switch (wish?.kind) {
    case 'offers':
      return [
        kind === 'offers'
          ? 'Understood as a wish for whatever is on offer: these are current offers, by quality, place and price.'
          : 'Understood as a wish for whatever is on offer: products with a current offer come first; search_local_offers has the offers themselves.',
      ];
    case 'cheap':
      return [`Understood as a wish for anything cheap: these are ${what} of all kinds.`];
    case 'anything':
    case 'follow-up':
      return [`Understood as a wish to see what there is: these are ${what} of all kinds.`];
    case 'food':
      return ['Understood as a wish for something to eat now: meals and snacks that are ready.'];
    case 'kids':
      return ['Understood as a wish for things for children: toys, books, clothes and the like.'];
    case 'gift':
      return wish.label === null
        ? []
        : [
            `Understood as a wish for a gift (${concepts.join(', ')}): things to give for that first, then other gifts.`,
          ];
    default:
      return alternatives.map((label) => `The query may also mean "${label}".`);
  }
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
