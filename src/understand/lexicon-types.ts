import type { Pairs } from './lexicon/pairs.ts';
import type { Shorthand } from './text/shorthand.ts';
import type { Unit } from './text/tokenize.ts';

/** Kinds of needs; an attribute modifies other needs and is never the head of a query. */
export type NeedKind = 'item' | 'dish' | 'place' | 'service' | 'attribute';

/** One line of `lexicon/needs.tsv`. */
export type Need = { id: string; label: string; broader: string[]; kind: NeedKind };

/** The text of the lexicon's files, not yet indexed. */
export type Sources = {
  needs: string;
  combinations: string;
  shorthand: string;
  forms: Map<string, string>;
  /** The output of `npm run lexicon:build`. */
  harvest: string;
};

/** A written form of a need, or of a signal when `target` starts with `!`. */
export type Entry = {
  target: string;
  language: string;
  /** Says what the need is for (`~dor de cabeça`); ranks below any name. */
  purpose: boolean;
  /** The form with its accents, lower case, words joined as in the index. */
  accented: string;
  /** A single or hyphenated word, whose parts have no meaning of their own (guarda-roupa). */
  solid: boolean;
  /** Folds to nothing but stop words ("para él"): only the exact spelling counts. */
  strict: boolean;
};

/** A form that matches with other words between its content words ("tênis Brisa para corrida"). */
export type GappedForm = { entry: Entry; content: string[] };

/** A read-only map: a Map or a packed table. */
export type Lookup<T> = { get(key: string): T | undefined };

/** A line of `lexicon/wishes.tsv`: the needs that serve a wish, for an interest or person (`of`) or in general. */
export type WishRow = { wish: string; of: string[]; label: string; needs: string[] };

/** The indexed files of `lexicon/wishes/`, and the table of needs that serve wishes. */
export type Wishes = {
  languages: Map<string, LanguageIndex>;
  table: WishRow[];
  exclusions: ExclusionIndex;
  wants: WantIndex;
};

/** Phrases of wanting ("do you have") as folded words, by language and first word. */
export type WantIndex = ReadonlyMap<string, ReadonlyMap<string, readonly string[][]>>;

/** Kinds of exclusion: without a thing, not that thing, or allergic to it. */
export type Manner = 'without' | 'not' | 'allergy';

/** Words that exclude the thing after or before them ("without", "-free"). */
export type Marker = {
  words: readonly string[];
  /** The last word is a prefix ("alergi…"). */
  open: boolean;
  language: string;
  manner: Manner;
  side: 'after' | 'before';
};

/** The markers of all languages: by first word, and one-word prefixes. */
export type ExclusionIndex = {
  byWord: ReadonlyMap<string, readonly Marker[]>;
  starts: readonly Marker[];
  /** Suffixes that mean "without" ("glutenfrei") with their language, longest first. */
  suffixes: readonly (readonly [string, string])[];
};

export type WordSet = { has(word: string): boolean };

/** All forms of one language, keyed by folded text and by stems. */
export type WordForms = {
  language: string;
  exact: Lookup<readonly Entry[]>;
  /** By stems, only where these differ from the form: look in `exact` too. */
  stems: Lookup<readonly Entry[]>;
  /** Length in units of the longest form that starts with a unit or stem. */
  longest: Lookup<number>;
  /** Bloom filter of the first two words, or stems, of forms of several words. */
  pairs: Pairs;
  /** Gapped forms by the stem of their first content word. */
  gapped: Lookup<readonly GappedForm[]>;
  /** All words of all forms, folded. */
  words: WordSet;
  /** Stems of all words of all forms. */
  stemWords: WordSet;
  stem: (word: string) => string;
};

/** What one word means in a language, and the forms that may start with it. */
export type WordFacts = {
  stem: string;
  /** Length in units of the longest form that starts with the word or its stem; 0 if none does. */
  reach: number;
  /** The entries of the word alone, with their quality. */
  own: { entry: Entry; quality: number }[];
  /** Gapped forms that start with the word, by their second content word. */
  gapped: ReadonlyMap<string, readonly GappedForm[]>;
};

/** The forms of one language, with cached facts of single words. */
export type LanguageIndex = WordForms & {
  factsOf(unit: Pick<Unit, 'accented' | 'spaced'>): WordFacts;
};

/** The loaded lexicon; `version` changes with the files that index tokens depend on. */
export type Lexicon = {
  version: string;
  needs: Map<string, Need>;
  /** `a b` and `b a` -> the need that the two mean together (bicycle + kids). */
  combinations: Map<string, string>;
  /** Abbreviations of price lists and invoices, by first word. */
  shorthand: Shorthand;
  languages: Map<string, LanguageIndex>;
  /** Folded words of all forms in scripts with spaces: the targets of typo correction. */
  spacedWords: WordSet;
  /** Absent if the lexicon was built from other files. */
  wishes?: Wishes;
  brands?: BrandIndex;
};

/** The words of brands as titles write them, by the folded words of each spelling. */
export type BrandIndex = {
  names: ReadonlyMap<string, readonly string[]>;
  /** One-word makers, never read as things in titles: "apple" is no fruit. */
  makers: ReadonlySet<string>;
  /** Units of the longest spelling. */
  longest: number;
};

/** A language indexed from its files, before packing. */
export type BuiltLanguage = {
  language: string;
  exact: Map<string, Entry[]>;
  stems: Map<string, Entry[]>;
  longest: Map<string, number>;
  pairs: Pairs;
  gapped: Map<string, GappedForm[]>;
  words: Set<string>;
  stemWords: Set<string>;
  stem: (word: string) => string;
  factsOf: LanguageIndex['factsOf'];
};

/** A lexicon indexed from its files, before packing. */
export type BuiltLexicon = Omit<Lexicon, 'languages' | 'spacedWords'> & {
  languages: Map<string, BuiltLanguage>;
  spacedWords: Set<string>;
};
