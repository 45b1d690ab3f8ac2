/**
 * Every number of relevance. What they mean together stands in `data/index/README.md` (what a record is
 * worth) and `understand/README.md` (what a query says, and how surely).
 *
 * Roles: `ROLE`. Fields: `FIELD`, `INFLECTED`, `SENSE_SHARE`, `SURE`. Reading: `READING`, `FORM`, `LEAST_FORM`,
 * `LANGUAGE`, `SPAN`, `OTHER_MEANING`. Results and losses: from `LEAST_RELEVANCE` on.
 */

/** What a query's words count by what they are; the thing that is asked for leads. */
export const ROLE = {
  head: 1.7,
  named: 1,
  purpose: 0.9,
  attribute: 0.6,
  /** A word that only an unlikely language knows. */
  stray: 0.6,
  /** Said again by something narrower, or combined into it. */
  absorbed: 0.45,
  /** What tells things of one kind apart: it only orders what the rest found. */
  soft: 0.3,
  /** What people say out of politeness, or to say nothing in particular. */
  noise: 0.1,
  /** A word that the lexicon does not know, if no other record has it; a frequent one counts less. */
  term: 1.2,
  /** The same of bare numbers, and of brands spelled over from another script. */
  faintTerm: 0.8,
  /** A quantity with its unit. */
  measure: 1,
} as const;

/** Two or three unknown words are a brand and a model; ten are somebody's story and share this weight. */
export const MOST_TERMS_WEIGHT = 3.6;

/**
 * What a record's word is worth as evidence by where it stands, and a concept that is sure: `head` is what
 * the title is about, `title` what else it names and the brand, `aside` what it goes with ("para iPhone").
 */
export const FIELD = {
  word: { head: 1, title: 0.9, aside: 0.7, anywhere: 0.3 },
  concept: { head: 0.85, title: 0.6, aside: 0.5, anywhere: 0.25 },
  /** A concept in the share of a clause that no word brings. */
  sense: { head: 0.95, title: 0.6, aside: 0.5, anywhere: 0.25 },
} as const;

/** Down to which level a record has what a query is about in full: a concept is named beside many things. */
export const LAST_LEADING = { word: 'title', concept: 'head' } as const;

/** What a word in another number or gender is worth, or a short form written out. */
export const INFLECTED = 0.95;

/**
 * The share of a clause that its words do not bring, only what they mean: of two records that say them, that one
 * leads; of foreign words, the one that says the catalog's own name.
 */
export const SENSE_SHARE = 0.1;

/** A meaning from this sureness on makes a full match. */
export const SURE = 0.85;

/** How surely words mean what they are read as. */
export const READING = {
  /** A guess (a word repaired or split) that leads the query, and one that does not. */
  loneGuess: 0.8,
  guess: 0.6,
  /** In another language than the catalog's, so that the catalog's own words come first. */
  foreign: 0.92,
  /** What the wanted thing is a kind of, where there is none. */
  kind: 0.9,
  /** A number without its unit, where that was asked for too. */
  barePart: 0.7,
  /** Any other gift, where one for a person or an interest is asked for. */
  anyGift: 0.6,
} as const;

/** How surely a form found in a text is meant, by how it is written there; what is not listed is 1. */
export const FORM = {
  /** Without its accents. */
  unaccented: 0.97,
  /** With other accents than its own. */
  wrongAccent: 0.75,
  /** In another number, gender or case. */
  stem: 0.92,
  /** By a stem that loses a last vowel which tells words apart: as often another word. */
  looseStem: 0.72,
  /** By a stem of three letters at most. */
  shortStem: 0.65,
  /** With other words between its own. */
  gapped: 0.85,
  /** With its words in any order in a long query. */
  scattered: 0.72,
  /** Times this when a word of it was mistyped. */
  repaired: 0.6,
  /** As the last part of a compound word, */
  compoundHead: 0.85,
  /** as its first part, which only describes, */
  compoundModifier: 0.7,
  /** and as its last part where nobody knows the first. */
  compoundTail: 0.6,
  /** At least this when two needs together mean a third. */
  combined: 0.85,
} as const;

/** From which sureness of a form on something may be concluded from it. */
export const LEAST_FORM = {
  /** It is written as the lexicon has it, at most without accents. */
  written: 0.95,
  /** It is no misspelling, gap or loose stem. */
  sure: 0.9,
  /** More than a loose stem: in titles, a thing with another last vowel is another thing. */
  close: 0.73,
  /** Below it a guess: its words were repaired or split. */
  known: 0.7,
  /** It may be combined with another into a third need. */
  combined: 0.6,
} as const;

/** How likely a text is in a language: scores, and the prior 0..1 that is made of them. */
export const LANGUAGE = {
  /** Score before a word is read: most asks of a mall in São Paulo are Portuguese, then English, then Spanish. */
  habit: { pt: 0.18, en: 0.14, es: 0.08, fr: 0.02, it: 0.02, de: 0.02, zh: 0.02 },
  /** Score of letters that only this language has, */
  letters: 1.2,
  /** of each further word of the longest form found, */
  phrase: 0.25,
  /** of a word that stands only inside its forms, of 1 for a form, */
  vocabulary: 0.6,
  /** and of a character of a script without spaces, of 1 for a word. */
  character: 0.4,
  /** The prior of the least likely language, also of those not scored. */
  leastPrior: 0.15,
  /** Power of the score in the prior: the greater, the less is left for languages behind the best. */
  contrast: 1.5,
  /** The least score by which a language is named, */
  leastNamed: 0.3,
  /** and the least lead over the next one. */
  leastLead: 1.12,
  /** From this prior on a form of the language may be inflected, repaired or split. */
  inflects: 0.6,
  /** From this prior on what it names may lead the query. */
  leads: 0.5,
  /** The prior of English in titles of the catalog, which borrow names (notebook). */
  borrowed: 0.4,
} as const;

/** What forms are worth when they compete for the same words; a need that is named has 1. */
export const SPAN = {
  purpose: 0.7,
  polite: 0.85,
  /** Signals and polite words, times this when spans are ranked. */
  signal: 0.93,
  /** The share of its rank that a span keeps however unlikely its language. */
  anyLanguage: 0.5,
} as const;

/** A query of so many units may tell a story around what is wanted. */
export const LONG_QUERY = 7;

/** What else the same words may mean: its share of the first meaning, and from which share on it counts. */
export const OTHER_MEANING = { share: 0.6, least: 0.25, told: 0.5 } as const;

/** A record is a result from this share of the wanted weight on… */
export const LEAST_RELEVANCE = 0.15;
/** …and of the best result's, so that a mention in passing does not trail behind good hits. */
export const LEAST_SHARE_OF_BEST = 0.32;
/** Sorted by price or distance, only results about as good as the best one may take part. */
export const LEAST_SHARE_WHEN_SORTED = 0.7;

/** How much of its relevance a result may lose by what is wished besides. */
export const LOSS = {
  /** At the rim of the circle that is searched, */
  distance: 0.15,
  /** and when the query asks for something near. */
  nearby: 0.4,
  /** Outside the district that the query speaks of. */
  elsewhere: 0.2,
  /** Beyond the price that the query speaks of. */
  beyondPrice: 0.25,
  /** Not of the merchant that the query names. */
  otherMerchant: 0.35,
  /** The dearest, when the query asks for something cheap. */
  dear: 0.12,
  /** An offer of quality 0. */
  quality: 0.25,
} as const;

/** Noise that this share of all records says orders nothing. */
export const MOST_NOISE = 0.02;

/** The least that a word counts, however frequent. */
const LEAST_RARITY = 0.05;

/** How much a word tells records apart, 0.05..1: its inverse document frequency, as a share of the greatest. */
export function rarity(records: number, all: number): number {
  const share = Math.log((all + 1) / (records + 0.5)) / Math.log(all + 1);
  return all === 0 ? 1 : Math.min(1, Math.max(LEAST_RARITY, share));
}

/** The score of a relevance (0..1): from 0.5 on what covers all that is asked for, below it what does not. */
export const scoreOf = (relevance: number, isCovered: boolean): number =>
  isCovered ? (1 + relevance) / 2 : relevance / 2;
