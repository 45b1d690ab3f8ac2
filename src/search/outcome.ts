import type { Hit, Named } from '../domain/catalog.ts';
import type { Found, SearchPlan } from '../domain/search.ts';
import type { SearchReport } from './constraints.ts';

/** The result of a search: hits, and the report on how they were found. */
export type SearchOutcome<T> = SearchReport & {
  hits: Hit<T>[];
  interpretation: { concepts: string[]; unmatched_terms: string[]; language: string | null };
  fallback: { type: 'category'; category: Named } | null;
};

/** The kind of record searched for, and the function that finds it. */
export type Target<T> = {
  kind: 'products' | 'offers';
  find(plan: SearchPlan): Promise<Found<T>>;
  /** Used instead of `find` when the query asks for anything on offer. */
  findOnOffer?: (plan: SearchPlan) => Promise<Found<T>>;
};
