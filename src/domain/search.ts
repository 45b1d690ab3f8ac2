import type { Hit } from './catalog.ts';

/** One thing that a good result covers, by any of the tokens; weights lie in 0..1. */
export type TokenGroup = {
  /** What a person would call it. */
  label: string;
  weight: number;
  alternatives: { token: string; weight: number }[];
};

/** Groups up to this weight tell records of one kind apart; a full match does not ask for them. */
export const SOFT_WEIGHT = 0.3;

/** The orders of results. */
export type Sort = 'relevance' | 'distance' | 'price_asc' | 'price_desc';

/** A search: what is wanted, and the hard constraints that no result breaks. */
export type SearchPlan = {
  groups: TokenGroup[];
  categoryIds: number[] | null;
  /** For offers: the folded name of their own AI category, which serves as well as a category id. */
  aiCategoryKey: string | null;
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
  /** The same of a price in minor units of BRL: what costs more or less comes after what fits as well. */
  preferredPrice: { min: number | null; max: number | null } | null;
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
