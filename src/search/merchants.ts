import type { Hit, Offer, Product } from '../domain/catalog.ts';
import { shortName } from '../domain/links.ts';
import type { SearchPlan } from '../domain/search.ts';
import type { Intent } from '../understand/types.ts';
import type { SearchReport } from './constraints.ts';
import { asPartial, descending } from './partial.ts';

/** The merchants that a query names, where the search is kept to none. */
export function preferredMerchantIds({ merchants }: Intent, plan: SearchPlan): number[] | null {
  if (plan.merchantIds !== null || merchants.length === 0) return null;
  return merchants.flatMap(({ ids }) => ids);
}

/** The hits of a search that asks for what a merchant has: what others have fits in part at most. */
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

/**
 * Where a query names a merchant and nothing else, keeps the search to what is his, as the field would; else says
 * how the field does.
 */
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
  report.messages.push(...merchants.map(({ name }) => merchantMessage(name, isAlone)));
}

function merchantMessage(name: string, isAlone: boolean): string {
  const short = shortName(name);
  const field = `merchant: "${short}"`;
  return isAlone
    ? `"${short}" is a merchant of the catalog, and this is what is found there: to search for something there, pass ${field} beside the query.`
    : `"${short}" is a merchant of the catalog: what is found there comes first; to search there alone, pass ${field}.`;
}
