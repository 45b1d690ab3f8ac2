import type { Hit, Named } from '../domain/catalog.ts';
import type { Found, SearchPlan } from '../domain/search.ts';
import type { SearchReport } from './constraints.ts';

/** A search as it went: the hits and what the agent is told about them. */
export type SearchOutcome<T> = SearchReport & {
  hits: Hit<T>[];
  interpretation: { concepts: string[]; unmatched_terms: string[]; language: string | null };
  fallback: { type: 'category'; category: Named } | null;
};

/** What is searched, and the data function that finds it. */
export type Target<T> = {
  kind: 'products' | 'offers';
  find(plan: SearchPlan): Promise<Found<T>>;
  /** The same where the query asks for whatever is on offer. */
  findOnOffer?: (plan: SearchPlan) => Promise<Found<T>>;
};
