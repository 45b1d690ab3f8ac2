import type { Clause } from '../domain/search.ts';
import type { Manner } from './lexicon-types.ts';

/** What a query means: clauses to match, pt-BR labels to show, signals that only rank, and extracted mentions. */
export type Intent = {
  /** BCP-47 tag guessed from the script and the forms found; null when unsure. */
  language: string | null;
  clauses: Clause[];
  /** The query folded like a title, for known-item search; see `titleOf`. */
  title: string;
  /** pt-BR labels, surest first. */
  concepts: string[];
  /** pt-BR labels of other meanings of its head that are about as likely. */
  alternatives: string[];
  /** The broader kind of its head; null if that would be too general. */
  kind: Clause | null;
  /** Concept tokens of broader needs, nearest first; only for the category fallback. */
  broader: string[];
  /** The literal words, for when their meanings find nothing. */
  words: Clause[];
  signals: Signals;
  /** What results must be without. */
  exclusions: Exclusion[];
  /** The wish of a query that names no thing. */
  wish: Wish | null;
  mentions: Mentions;
  /** Merchants that it names, without a merchant filter. */
  merchants: NamedMerchant[];
  /** Labels of terms that may be misspelled; see `unexplainedTerms`. */
  unexplained: string[];
};

/** A city or district by its name in the catalog, or a spot. */
export type Place = { kind: 'city' | 'district'; name: string; city: string } | Spot;

/** A place of the gazetteer in a city of the catalog, and the nearest district with stores. */
export type Spot = {
  kind: 'spot';
  name: string;
  city: string;
  latitude: number;
  longitude: number;
  /** Radius of a search around it. */
  radiusMeters: number;
  /** Distance that counts as near it; reaches the stores of `district` at least. */
  nearMeters: number;
  district: string | null;
};

/** A price that a query mentions, in whole units of its currency. */
export type NamedPrice = {
  min: number | null;
  max: number | null;
  /** Not in BRL. */
  isForeign: boolean;
};

/** Merchants of one name that a query mentions; not sure if the name may also be a brand. */
export type NamedMerchant = { name: string; ids: number[]; isSure: boolean };

/** Places and price that a query mentions. They never filter: filters have fields of their own. */
export type Mentions = {
  /** Places other than those of the filters. */
  places: Place[];
  /** Whether it repeats a place or merchant of the filters. */
  given: boolean;
  price: NamedPrice | null;
};

/**
 * The wish of a query that names no thing. A follow-up makes no sense without its conversation; `clauses` are the
 * things that serve a wish, and `label` names them if they are for a person or interest.
 */
export type Wish =
  | { kind: 'offers' | 'cheap' | 'anything' | 'follow-up' }
  | { kind: 'food' | 'kids' | 'gift'; clauses: Clause[]; label: string | null };

/** Preferences that rank results but never filter them. */
export type Signals = {
  cheap: boolean;
  near: boolean;
  open: boolean;
  delivery: boolean;
  gift: boolean;
};

/** A name: a need with all narrower ones, or words; if `open`, the last word is a prefix. */
export type Name = { need: string } | { words: readonly string[]; open: boolean };

/** Something that people must not or will not eat, and its names; see `lexicon/diets.txt`. */
export type Diet = {
  id: string;
  /** In English, for messages: "without gluten". */
  tells: string;
  /** In Portuguese: "sem glúten". */
  label: string;
  /** Needs that ask for it in queries, */
  needs: readonly string[];
  /** and needs that say that a record complies. */
  says: readonly string[];
  /** Names in records, and names that only queries use. */
  names: readonly Name[];
  foreign: readonly Name[];
  /** Foods that contain it, and names that contain its name but not the thing. */
  foods: readonly Name[];
  except: readonly Name[];
  /** Ids of the diets that it combines. */
  parts: readonly string[];
};

/** Something that results must be without; things other than food get a diet made for them. */
export type Exclusion = {
  diet: Diet;
  manner: Manner;
  /** The clause that ranks records that say so first; null if there is none. */
  clause: Clause | null;
};

/** The text of one catalog record, in Brazilian Portuguese. */
export type SourceDocument = {
  title: string;
  brand?: string | null;
  category?: string | null;
  body?: string | null;
};

/** Index tokens of one record by field; `head` is the subject of the title. */
export type DocumentTokens = {
  head: string[];
  title: string[];
  /** What the title says that it goes with ("para iPhone"). */
  aside: string[];
  anywhere: string[];
  /** The folded title, for known-item search; see `titleOf`. */
  name: string;
};
