import type { Hit } from './catalog.ts';

/**
 * The token of a word whatever its ending, and that of it as it is spelled, where they differ. What `belongsTo` names
 * what the wanted thing goes with ("capinha iphone"): a record that is that thing itself has no more of it.
 */
export type Word = { token: string; spelled: string | null; belongsTo?: true };

/** One thing that a query says: words of its own, what they may mean, or both. */
export type Clause = {
  /** What a person would call it. */
  label: string;
  /** A `term` is a word that the lexicon does not know. */
  kind: 'concept' | 'term';
  /** How much of the query it is; of a term, if no other record has it. */
  weight: number;
  /** What the query is about: a record is not just that because it goes with it. */
  leads: boolean;
  /** Its words, as a record that says them has them. */
  words: Word[];
  /** The tokens of what they may mean, and how sure that is, 0..1. */
  meanings: { token: string; sureness: number }[];
  /** The words of the catalog's own name of what foreign words mean. */
  names: Word[];
  /** It is read from a word that was split or repaired, for nobody knows it. */
  guessed?: true;
};

/** The orders of results. */
export type Sort = 'relevance' | 'distance' | 'price_asc' | 'price_desc';

/** A search: what is wanted, and the hard constraints that no result breaks. */
export type SearchPlan = {
  clauses: Clause[];
  /** The query as a whole: a record of just this title is what is meant. */
  title: string | null;
  categoryIds: number[] | null;
  /** For offers: the folded name of their own AI category, which serves as well as a category id. */
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
  /** The query asks for something cheap: of results that fit as well, the cheaper comes first. */
  cheap: boolean;
  /** The query asks for something near: with coordinates, the distance counts for more. */
  nearby: boolean;
  /** A district that the query speaks of without being kept to it: of results that fit as well, those there come first. */
  preferredDistrict: string | null;
  /** The same of a circle around a place that the query speaks of. */
  preferredNear: SearchPlan['near'];
  /** The same of a price in minor units of BRL: what costs more or less comes after what fits as well. */
  preferredPrice: { min: number | null; max: number | null } | null;
  /** The same of merchants by their ids, where the search is kept to none. */
  preferredMerchantIds: number[] | null;
  limit: number;
};

/** A name that the catalog does not know, and known names close to it. */
export type UnknownName = { unknown: true; suggestions: string[] };

/** A category by name, with the ids of itself and of all that lies below it. */
export type KnownCategory = { name: string; ids: number[] };

/** What a search found, and which of the plan's tokens no record of the catalog has. */
export type Found<T> = { hits: Hit<T>[]; unknownTokens: string[] };

/** A word that the catalog does not know, and the word of the catalog that it may have meant. */
export type Correction = { typed: string; meant: string; token: string };
