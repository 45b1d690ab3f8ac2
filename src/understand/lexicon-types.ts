import type { Pairs } from './lexicon/pairs.ts';
import type { Shorthand } from './text/shorthand.ts';
import type { Unit } from './text/tokenize.ts';

/** What a need is: attributes describe other needs and never lead a query. */
export type NeedKind = 'item' | 'dish' | 'place' | 'service' | 'attribute';

/** One line of `lexicon/needs.tsv`. */
export type Need = { id: string; label: string; broader: string[]; kind: NeedKind };

/** Text of the lexicon's files, before it is indexed. */
export type Sources = {
  needs: string;
  combinations: string;
  shorthand: string;
  forms: Map<string, string>;
  /** What `npm run lexicon:build` took from its sources. */
  harvest: string;
};

/** A written form of a need, or of a signal when `target` starts with `!`. */
export type Entry = {
  target: string;
  language: string;
  /** True for a purpose word (`~dor de cabeça`), which is weaker than any name. */
  purpose: boolean;
  /** The form with its accents, lower case, words joined as in the index. */
  accented: string;
  /** Written with a hyphen: its parts mean nothing of their own (guarda-roupa). */
  solid: boolean;
  /** Made of noise words but for an accent ("para él"): only that spelling counts. */
  strict: boolean;
};

/** A form whose content words may stand apart, in order ("tênis Brisa para corrida"). */
export type GappedForm = { entry: Entry; content: string[] };

/** What a key means; a Map is one, and so is a packed table. */
export type Lookup<T> = { get(key: string): T | undefined };

/** A line of `lexicon/wishes.tsv`: what serves a wish, of an interest (`of`) or of none in particular. */
export type WishRow = { wish: string; of: string[]; label: string; needs: string[] };

/** The forms of `lexicon/wishes/` and what serves them. */
export type Wishes = {
  languages: Map<string, LanguageIndex>;
  table: WishRow[];
  exclusions: ExclusionIndex;
  wants: WantIndex;
};

/** By language, phrases of wanting ("do you have") as folded words, by the first of them. */
export type WantIndex = ReadonlyMap<string, ReadonlyMap<string, readonly string[][]>>;

/** How words exclude: what is wanted is without a thing, is not that thing, or somebody cannot eat it. */
export type Manner = 'without' | 'not' | 'allergy';

/** Words of a language that exclude what stands after or before them. */
export type Marker = {
  words: readonly string[];
  /** The last word may go on ("alergi…"). */
  open: boolean;
  language: string;
  manner: Manner;
  side: 'after' | 'before';
};

/** The markers of all languages: by their first word, and single ones that may go on. */
export type ExclusionIndex = {
  byWord: ReadonlyMap<string, readonly Marker[]>;
  starts: readonly Marker[];
  /** Ends of words that say "without" ("glutenfrei"), with their language, the longest first. */
  suffixes: readonly (readonly [string, string])[];
};

export type WordSet = { has(word: string): boolean };

/** All forms of one language, keyed by folded text and by stems. */
export type WordForms = {
  language: string;
  exact: Lookup<readonly Entry[]>;
  /** By stems, where they differ from the form; look in `exact` too. */
  stems: Lookup<readonly Entry[]>;
  /** Longest form, in units, that starts with this unit or stem. */
  longest: Lookup<number>;
  /** The first two words, or their stems, of forms that have several. */
  pairs: Pairs;
  /** Gapped forms by the stem of their first content word. */
  gapped: Lookup<readonly GappedForm[]>;
  /** All words of all forms, folded. */
  words: WordSet;
  /** Stems of all words of all forms. */
  stemWords: WordSet;
  stem: (word: string) => string;
};

/** What a word says in a language by itself, and what may begin with it. */
export type WordFacts = {
  stem: string;
  /** The longest form, in units, that starts with the word or with its stem; 0 if none does. */
  reach: number;
  /** The entries of the word alone, with how surely each is meant. */
  own: { entry: Entry; quality: number }[];
  /** The forms whose content words may stand apart, with the word as their first, by the second. */
  gapped: ReadonlyMap<string, readonly GappedForm[]>;
};

/** The forms of one language, with what each word says by itself. */
export type LanguageIndex = WordForms & {
  factsOf(unit: Pick<Unit, 'accented' | 'spaced'>): WordFacts;
};

/** The loaded lexicon; `version` changes when any of its files changes. */
export type Lexicon = {
  version: string;
  needs: Map<string, Need>;
  /** `a b` and `b a` -> the need that both together mean (bicycle + kids). */
  combinations: Map<string, string>;
  /** Short forms of price lists and invoices, by their first word. */
  shorthand: Shorthand;
  languages: Map<string, LanguageIndex>;
  /** Folded words of all forms in scripts with spaces: what typo repair may aim at. */
  spacedWords: WordSet;
  /** Missing where a lexicon is made of other files than ours. */
  wishes?: Wishes;
  brands?: BrandIndex;
};

/** What brands are called in titles, word by word, by the folded words of each spelling. */
export type BrandIndex = {
  names: ReadonlyMap<string, readonly string[]>;
  /** Names of one word that are no thing's: "apple" in a title is no fruit. */
  makers: ReadonlySet<string>;
  /** Words of the longest spelling; characters where a script has no spaces. */
  longest: number;
};

/** A language as it is indexed from its files, before it is packed. */
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

/** A lexicon as it is indexed from its files; the same to those who read. */
export type BuiltLexicon = Omit<Lexicon, 'languages' | 'spacedWords'> & {
  languages: Map<string, BuiltLanguage>;
  spacedWords: Set<string>;
};
