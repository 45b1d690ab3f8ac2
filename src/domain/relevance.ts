/**
 * Every weight and threshold of relevance. `data/index/README.md` explains how records are scored,
 * `understand/README.md` how a query is read.
 *
 * Roles: `ROLE`. Fields: `FIELD`, `INFLECTED`, `SENSE_SHARE`, `SURE`. Reading: `READING`, `FORM`, `LEAST_FORM`,
 * `LANGUAGE`, `SPAN`, `OTHER_MEANING`. Results and losses: from `LEAST_RELEVANCE` on.
 */

/** Weights of a query's words by their role; the head noun leads. */
export const ROLE = {
  head: 1.7,
  named: 1,
  purpose: 0.9,
  attribute: 0.6,
  /** A word known only in an unlikely language. */
  stray: 0.6,
  /** Repeated by a narrower word, or combined into one. */
  absorbed: 0.45,
  /** Only orders results: distinguishes things of one kind. */
  soft: 0.3,
  /** Polite or filler words. */
  noise: 0.1,
  /** A word unknown to the lexicon that occurs in one record; frequent words weigh less. */
  term: 1.2,
  /** The same for bare numbers, and for brands transliterated from another script. */
  faintTerm: 0.8,
  /** A quantity with its unit. */
  measure: 1,
} as const;

/** Cap on the total weight of unknown words: two or three are a brand and a model, ten are a story. */
export const MOST_TERMS_WEIGHT = 3.6;

/**
 * Weight of a match by where the record has it, for a word and for a concept that is sure: `head` is what the title
 * is about, `title` the rest of the title and the brand, `aside` what it goes with ("para iPhone").
 */
export const FIELD = {
  word: { head: 1, title: 0.9, aside: 0.7, anywhere: 0.3 },
  concept: { head: 0.85, title: 0.6, aside: 0.5, anywhere: 0.25 },
  /** A concept, in the share of a clause that words do not bring (`SENSE_SHARE`). */
  sense: { head: 0.95, title: 0.6, aside: 0.5, anywhere: 0.25 },
} as const;

/**
 * The lowest level that fully satisfies a leading clause; a concept must be the head, for titles name many in
 * passing.
 */
export const LAST_LEADING = { word: 'title', concept: 'head' } as const;

/** A word in another number or gender, or an abbreviation expanded. */
export const INFLECTED = 0.95;

/**
 * The share of a clause that only its meaning brings, not its words. It breaks ties between records with the same
 * words, and for foreign words favours the one with the catalog's own name.
 */
export const SENSE_SHARE = 0.1;

/** A meaning at least this sure counts as a full match. */
export const SURE = 0.85;

/** Sureness of a reading. */
export const READING = {
  /** A guess (a repaired or split word) that leads the query, and one that does not. */
  loneGuess: 0.8,
  guess: 0.6,
  /** In a language other than the catalog's, so that matches of its own words come first. */
  foreign: 0.92,
  /** The broader kind of the wanted thing, when there is none. */
  kind: 0.9,
  /** A number without its unit, when the unit was given too. */
  barePart: 0.7,
  /** Any gift, when the query asks for one for a person or an interest. */
  anyGift: 0.6,
} as const;

/** Sureness of a form found in a text, by how it is written; 1 when not listed. */
export const FORM = {
  /** Without its accents. */
  unaccented: 0.97,
  /** With wrong accents. */
  wrongAccent: 0.75,
  /** In another number, gender or case. */
  stem: 0.92,
  /** By a stem that drops a distinctive last vowel: as often another word. */
  looseStem: 0.72,
  /** By a stem of at most three letters. */
  shortStem: 0.65,
  /** With other words in between. */
  gapped: 0.85,
  /** Its words in any order, in a long query. */
  scattered: 0.72,
  /** Factor when one of its words was misspelled. */
  repaired: 0.6,
  /** The last part of a compound word. */
  compoundHead: 0.85,
  /** The first part of a compound, which only describes it. */
  compoundModifier: 0.7,
  /** The last part of a compound whose first part is unknown. */
  compoundTail: 0.6,
  /** At least this when two needs combine into a third. */
  combined: 0.85,
} as const;

/** Minimum sureness of a form for various conclusions. */
export const LEAST_FORM = {
  /** Written as in the lexicon, except perhaps for accents. */
  written: 0.95,
  /** Not a misspelling, gapped or loose stem. */
  sure: 0.9,
  /** Surer than a loose stem: in titles, another last vowel means another thing. */
  close: 0.73,
  /** Below this it is a guess: its words were repaired or split. */
  known: 0.7,
  /** May combine with another into a third need. */
  combined: 0.6,
} as const;

/** Language detection: scores, and the prior (0..1) computed from them. */
export const LANGUAGE = {
  /** Initial scores: most queries to a mall in São Paulo are Portuguese, then English, then Spanish. */
  habit: { pt: 0.18, en: 0.14, es: 0.08, fr: 0.02, it: 0.02, de: 0.02, zh: 0.02 },
  /** Letters that occur in this language only. */
  letters: 1.2,
  /** Each further word of the longest form found. */
  phrase: 0.25,
  /** A word that occurs only inside forms; a whole form scores 1. */
  vocabulary: 0.6,
  /** A character of a script without spaces; a word scores 1. */
  character: 0.4,
  /** The prior of the least likely language, and of unscored ones. */
  leastPrior: 0.15,
  /** Exponent of the score in the prior: the greater, the less is left for the runners-up. */
  contrast: 1.5,
  /** Minimum score for a language to be named. */
  leastNamed: 0.3,
  /** Minimum lead over the runner-up for a language to be named. */
  leastLead: 1.12,
  /** Minimum prior for inflecting, repairing or splitting forms of the language. */
  inflects: 0.6,
  /** Minimum prior for forms of the language to lead the query. */
  leads: 0.5,
  /** The prior of English in catalog titles, which borrow words (notebook). */
  borrowed: 0.4,
} as const;

/** Weights of forms that compete for the same words; a named need has 1. */
export const SPAN = {
  purpose: 0.7,
  polite: 0.85,
  /** Factor for signals and polite words in the ranking of spans. */
  signal: 0.93,
  /** The share of its rank that a span keeps however unlikely its language. */
  anyLanguage: 0.5,
} as const;

/** A query of at least this many units may describe a situation, not only a thing. */
export const LONG_QUERY = 7;

/**
 * Other meanings of the same words: their weight relative to the first, and the minimum shares to count and to be
 * reported.
 */
export const OTHER_MEANING = { share: 0.6, least: 0.25, told: 0.5 } as const;

/** A result needs at least this share of the query's weight… */
export const LEAST_RELEVANCE = 0.15;
/** …and this share of the best result's relevance, which drops mentions in passing. */
export const LEAST_SHARE_OF_BEST = 0.32;
/** Sorted by price or distance, only results nearly as relevant as the best take part. */
export const LEAST_SHARE_WHEN_SORTED = 0.7;

/** The most relevance that a result may lose to each soft preference. */
export const LOSS = {
  /** At the rim of the search circle. */
  distance: 0.15,
  /** At the rim, when the query asks for something near. */
  nearby: 0.4,
  /** Outside the preferred district. */
  elsewhere: 0.2,
  /** Beyond the preferred price. */
  beyondPrice: 0.25,
  /** Not of the preferred merchant. */
  otherMerchant: 0.35,
  /** The dearest result, when the query asks for something cheap. */
  dear: 0.12,
  /** An offer of quality 0. */
  quality: 0.25,
} as const;

/** Noise words that more than this share of records contain do not order results. */
export const MOST_NOISE = 0.02;

/** The least weight of a word, however frequent. */
const LEAST_RARITY = 0.05;

/** Returns a word's inverse document frequency as a share of the greatest, 0.05..1. */
export function rarity(records: number, all: number): number {
  const share = Math.log((all + 1) / (records + 0.5)) / Math.log(all + 1);
  return all === 0 ? 1 : Math.min(1, Math.max(LEAST_RARITY, share));
}

/** Maps a relevance (0..1) to a score: 0.5 and above if all that is asked for is covered, below 0.5 otherwise. */
export const scoreOf = (relevance: number, isCovered: boolean): number =>
  isCovered ? (1 + relevance) / 2 : relevance / 2;
