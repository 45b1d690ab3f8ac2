import type { Clause } from '../domain/search.ts';
import type { Manner } from './lexicon-types.ts';

/** What a query means: clauses to cover, pt-BR labels to show, soft signals, and what was set aside. */
export type Intent = {
  /** BCP-47 guess from the script and from whose forms matched; null when unsure. */
  language: string | null;
  clauses: Clause[];
  /** The query as a title would be written, see `titleOf`. */
  title: string;
  /** pt-BR labels, surest first. */
  concepts: string[];
  /** What else its head may mean, by pt-BR labels, about as surely. */
  alternatives: string[];
  /** What the query is about, as what that is a kind of; null if that is as good as anything. */
  kind: Clause | null;
  /** Concept tokens of broader needs, nearest first: for the category fallback only. */
  broader: string[];
  /** The words as they are written, for when nothing is found by what they mean. */
  words: Clause[];
  signals: Signals;
  /** What it wants without. */
  exclusions: Exclusion[];
  /** What is wished where no thing is named. */
  wish: Wish | null;
  mentions: Mentions;
  /** Merchants that it names and the search is not kept to. */
  merchants: NamedMerchant[];
  /** Labels of terms that nothing explains, so that they may be mistyped. */
  unexplained: string[];
};

/** A city, or a district of one, by the names that the catalog writes; or a spot in one. */
export type Place = { kind: 'city' | 'district'; name: string; city: string } | Spot;

/** A place of the gazetteer in a city of the catalog, and the district whose stores are nearest to it. */
export type Spot = {
  kind: 'spot';
  name: string;
  city: string;
  latitude: number;
  longitude: number;
  /** How far a search around it alone reaches. */
  radiusMeters: number;
  /** How far away is still near it: as far as the stores of that district at least. */
  nearMeters: number;
  district: string | null;
};

/** A price that a query speaks of, in whole units of its currency. */
export type NamedPrice = {
  min: number | null;
  max: number | null;
  /** In another currency than the catalog's. */
  isForeign: boolean;
};

/** Merchants of one name that a query speaks of; not sure where the name may be a brand's as well. */
export type NamedMerchant = { name: string; ids: number[]; isSure: boolean };

/** What a query says of place and price: constraints have fields of their own, so it ranks nothing. */
export type Mentions = {
  /** Places that the search is not kept to. */
  places: Place[];
  /** Whether it names what the search is kept to already. */
  given: boolean;
  price: NamedPrice | null;
};

/**
 * What a query wishes that names no thing. A follow-up means nothing without what was said before; a wish
 * with clauses is searched for by the things that serve it, and `label` names them where they are special.
 */
export type Wish =
  | { kind: 'offers' | 'cheap' | 'anything' | 'follow-up' }
  | { kind: 'food' | 'kids' | 'gift'; clauses: Clause[]; label: string | null };

/** Soft wishes that rank results but never filter them. */
export type Signals = {
  cheap: boolean;
  near: boolean;
  open: boolean;
  delivery: boolean;
  gift: boolean;
};

/** A name: a need with all below it, or words; `open` ones are the start of their last word. */
export type Name = { need: string } | { words: readonly string[]; open: boolean };

/** Something that people must not or will not eat, and how it is named; see `lexicon/diets.txt`. */
export type Diet = {
  id: string;
  /** How an answer tells it: "without gluten". */
  tells: string;
  /** In Portuguese: "sem glúten". */
  label: string;
  /** Needs by which queries ask for it, */
  needs: readonly string[];
  /** and those that say that a record keeps to it. */
  says: readonly string[];
  /** Its names in records, and those that only queries use. */
  names: readonly Name[];
  foreign: readonly Name[];
  /** What else holds it, and what is called so without holding it. */
  foods: readonly Name[];
  except: readonly Name[];
  /** Diets that it consists of. */
  parts: readonly string[];
};

/** Something that a query wants without; what is no food is told like a diet of its own. */
export type Exclusion = {
  diet: Diet;
  manner: Manner;
  /** Which clause of the query asks for records that say so; null when none does. */
  clause: Clause | null;
};

/** The text of one catalog record, in Brazilian Portuguese. */
export type SourceDocument = {
  title: string;
  brand?: string | null;
  category?: string | null;
  body?: string | null;
};

/** Index tokens of one record by field; `head` is what the title is about. */
export type DocumentTokens = {
  head: string[];
  title: string[];
  /** What the title says it goes with. */
  aside: string[];
  anywhere: string[];
  /** The title as a query would say it, see `titleOf`. */
  name: string;
};
