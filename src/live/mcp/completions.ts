import { nameKey } from '../../domain/places.ts';
import type { Live } from '../live.ts';
import { MAX_COMPLETIONS } from './resource.ts';

/** The variables of a search URI, in the order in which clients show them. */
export const SEARCH_VARIABLES = ['query', 'category', 'city', 'district', 'merchant'] as const;

/** Merchants are completed from two letters on, so that they cannot be listed. */
const MERCHANT_LETTERS = 2;

/** Completes a search variable by names of the catalog; returns one more than is shown, to tell `hasMore`. */
export async function completeSearchVariable(
  variable: string,
  typed: string,
  others: Record<string, string>,
  { catalog, info }: Live,
): Promise<string[]> {
  const limit = MAX_COMPLETIONS + 1;
  switch (variable) {
    case 'category':
      return catalog.completeCategory(typed, limit);
    case 'city':
      return catalog.completeCity(typed, limit);
    case 'district':
      return catalog.completeDistrict(others.city ?? info.defaultCity, typed, limit);
    case 'merchant':
      return nameKey(typed).length < MERCHANT_LETTERS ? [] : catalog.completeMerchant(typed, limit);
    default:
      return [];
  }
}
