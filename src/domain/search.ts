import type { Hit } from './catalog.ts';

/**
 * The token of a word's stem and, where it differs, of its exact spelling. `belongsTo` names the thing that the
 * wanted one goes with ("capinha iphone"): a record that is that thing itself is no better match.
 */
export type Word = { token: string; spelled: string | null; belongsTo?: true };

/** One thing that a query asks for: words, their possible meanings, or both. */
export type Clause = {
  /** A human-readable name. */
  label: string;
  /** A `term` is a word unknown to the lexicon. */
  kind: 'concept' | 'term';
  /** Its weight in the query; for a term, that of one found in a single record. */
  weight: number;
  /** Part of what the query is about: a record that merely goes with it is not a full match. */
  leads: boolean;
  /** Its words, as tokens of records that contain them. */
  words: Word[];
  /** The tokens of its possible meanings, with their sureness 0..1. */
  meanings: { token: string; sureness: number }[];
  /** For foreign words: the words of the catalog's own name of their meaning. */
  names: Word[];
  /** Read from an unknown word that was split or repaired. */
  guessed?: true;
};

/** The orders of results. */
export type Sort = 'relevance' | 'distance' | 'price_asc' | 'price_desc';

/** A search: what is wanted, hard constraints that no result breaks, and soft preferences. */
export type SearchPlan = {
  clauses: Clause[];
  /** The whole query: a record with exactly this title is a known-item hit. */
  title: string | null;
  categoryIds: number[] | null;
  /** For offers: folded names of AI categories that match as an alternative to `categoryIds`. */
  aiCategoryKeys: string[];
  merchantIds: number[] | null;
  city: string | null;
  district: string | null;
  near: { latitude: number; longitude: number; radiusMeters: number } | null;
  /** In minor units of BRL. */
  minPrice: number | null;
  maxPrice: number | null;
  inStockOnly: boolean;
  sort: Sort;
  /** Asks for something cheap: among equally relevant results, the cheaper comes first. */
  cheap: boolean;
  /** Asks for something near: with coordinates, distance weighs more. */
  nearby: boolean;
  /** A preference, not a constraint: among equally relevant results, those in this district come first. */
  preferredDistrict: string | null;
  /** The same for a circle around a place that the query mentions. */
  preferredNear: SearchPlan['near'];
  /** The same for a price range in minor units of BRL. */
  preferredPrice: { min: number | null; max: number | null } | null;
  /** The same for merchants by id. */
  preferredMerchantIds: number[] | null;
  limit: number;
};

/** A name unknown to the catalog, with the closest known names. */
export type UnknownName = { unknown: true; suggestions: string[] };

/** A category found by name, with the ids of its whole subtree. */
export type KnownCategory = { name: string; ids: number[] };

/** The results of a search, and the tokens of its plan that no record has. */
export type Found<T> = { hits: Hit<T>[]; unknownTokens: string[] };

/** A misspelled word, and the catalog's word that it is corrected to. */
export type Correction = { typed: string; meant: string; token: string };
