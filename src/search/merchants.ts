import type { Hit, Offer, Product } from '../domain/catalog.ts';
import type { SearchPlan } from '../domain/search.ts';
import type { Intent } from '../understand/types.ts';
import type { SearchReport } from './constraints.ts';
import type { SearchMessage } from './messages.ts';
import { asPartial, descending } from './partial.ts';

/** Returns the ids of the merchants that the query names, to prefer; null with a merchant filter. */
export function preferredMerchantIds({ merchants }: Intent, plan: SearchPlan): number[] | null {
  if (plan.merchantIds !== null || merchants.length === 0) return null;
  return merchants.flatMap(({ ids }) => ids);
}

/** Demotes the hits of other merchants to partial matches if the query surely names one. */
export function partialElsewhere<T>(
  hits: Hit<T>[],
  { merchants }: Intent,
  { preferredMerchantIds: his, sort }: SearchPlan,
): Hit<T>[] {
  const sure = merchants.filter(({ isSure }) => isSure);
  if (his === null || sure.length === 0) return hits;
  const names = sure.map(({ name }) => name);
  const kept = hits.map((hit) => {
    const { merchant } = hit.record as Product | Offer;
    return merchant !== null && his.includes(merchant.id) ? hit : asPartial(hit, names);
  });
  return sort === 'relevance' ? descending(kept) : kept;
}

/** Filters by the named merchants if the query says nothing else; adds a message about the `merchant` field. */
export function applyNamedMerchants(
  { merchants }: Intent,
  plan: SearchPlan,
  report: SearchReport,
): void {
  if (plan.preferredMerchantIds === null) return;
  const isAlone = plan.clauses.length === 0;
  if (isAlone) {
    plan.merchantIds = plan.preferredMerchantIds;
    plan.preferredMerchantIds = null;
    report.applied_filters.merchant = merchants.map(({ name }) => name).join(', ');
  }
  const messages = merchants.map(
    ({ name }): SearchMessage => ({ kind: 'merchant-mentioned', merchant: name, isAlone }),
  );
  report.messages.push(...messages);
}
