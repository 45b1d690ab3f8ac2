import { LANGUAGE, LEAST_FORM } from '../../domain/relevance.ts';
import type { LanguageIndex } from '../lexicon-types.ts';
import type { Script, Unit } from '../text/tokenize.ts';
import type { Candidate } from './find.ts';

/** Position of the head noun in a phrase: `first` (pt), before the preposition (en), or `last` (ja). */
export type HeadPlace = 'first' | 'before-preposition' | 'last';

type Traits = { scripts: readonly Script[]; head: HeadPlace; compounds?: boolean };

const LATIN: Traits = { scripts: ['latin'], head: 'first' };

const TRAITS: Record<string, Traits> = {
  en: { scripts: ['latin'], head: 'before-preposition' },
  de: { scripts: ['latin'], head: 'before-preposition', compounds: true },
  nl: { scripts: ['latin'], head: 'before-preposition', compounds: true },
  sv: { scripts: ['latin'], head: 'before-preposition', compounds: true },
  da: { scripts: ['latin'], head: 'before-preposition', compounds: true },
  nb: { scripts: ['latin'], head: 'before-preposition', compounds: true },
  fi: { scripts: ['latin'], head: 'last', compounds: true },
  hu: { scripts: ['latin'], head: 'last', compounds: true },
  tr: { scripts: ['latin'], head: 'last', compounds: true },
  ru: { scripts: ['cyrillic'], head: 'first' },
  uk: { scripts: ['cyrillic'], head: 'first' },
  bg: { scripts: ['cyrillic'], head: 'first' },
  el: { scripts: ['greek'], head: 'first' },
  ar: { scripts: ['arabic'], head: 'first' },
  fa: { scripts: ['arabic'], head: 'first' },
  he: { scripts: ['hebrew'], head: 'first' },
  hi: { scripts: ['devanagari', 'latin'], head: 'last' },
  ja: { scripts: ['kana', 'han'], head: 'last' },
  ko: { scripts: ['hangul'], head: 'last' },
  zh: { scripts: ['han'], head: 'last' },
  'zh-hant': { scripts: ['han'], head: 'last' },
  th: { scripts: ['thai'], head: 'first' },
  sr: { scripts: ['cyrillic'], head: 'first' },
  ka: { scripts: ['georgian'], head: 'last' },
  bn: { scripts: ['bengali'], head: 'last' },
  ta: { scripts: ['tamil'], head: 'last' },
  ur: { scripts: ['arabic'], head: 'last' },
  et: { scripts: ['latin'], head: 'last', compounds: true },
  lv: { scripts: ['latin'], head: 'last' },
  lt: { scripts: ['latin'], head: 'last' },
  'ja-latn': { scripts: ['latin'], head: 'last' },
  'ko-latn': { scripts: ['latin'], head: 'last' },
  'zh-latn': { scripts: ['latin'], head: 'last' },
  emoji: { scripts: ['emoji'], head: 'first' },
};

/** Returns the traits of a language by the name of its forms file; by default Latin script, head first. */
export function traitsOf(language: string): Traits {
  return TRAITS[language] ?? LATIN;
}

/** Returns the BCP-47 tag of a forms file. */
export function tagOf(language: string): string {
  return language.replace(
    /-[a-z]{4}$/,
    (script) => `-${script[1]?.toUpperCase()}${script.slice(2)}`,
  );
}

/** Returns whether a language is written in one of the scripts. */
export function mayBeWritten(language: string, scripts: ReadonlySet<Script>): boolean {
  return traitsOf(language).scripts.some((script) => scripts.has(script));
}

const OWN_LETTERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/[ãõ]/, 'pt'],
  [/[ñ¿¡]/, 'es'],
  [/[ßä]/, 'de'],
  [/[œû]/, 'fr'],
  [/[ąęłńśźż]/, 'pl'],
  [/[ěřů]/, 'cs'],
  [/[ľĺŕ]/, 'sk'],
  [/[đć]/, 'hr'],
  [/[ģķļņ]/, 'lv'],
  [/[ėįų]/, 'lt'],
  [/ŀ|l·l/, 'ca'],
  [/å/, 'sv'],
  [/[åæø]/, 'da'],
  [/[ğış]/, 'tr'],
  [/[ơưđạảấầẩậắằẳẵặẹẻẽếềểễệịỉọỏốồổỗộớờởợụủứừửữựỳỵỷỹ]/, 'vi'],
  [/[ёыэ]/, 'ru'],
  [/[ђјљњћџ]/, 'sr'],
  [/[\u0679\u0688\u0691\u06ba\u06be\u06d2]/, 'ur'],
  [/[іїєґ]/, 'uk'],
  [/[\u3040-\u30ff]/, 'ja'],
];

function languagesOfLetters(units: readonly Unit[]): string[] {
  const text = units.map((unit) => unit.accented).join(' ');
  return OWN_LETTERS.filter(([letters]) => letters.test(text)).map(([, language]) => language);
}

/** Prepositions, before which the head noun stands, in languages with the head `before-preposition`. */
export const PREPOSITIONS: Record<string, ReadonlySet<string>> = {
  en: new Set([
    'for',
    'with',
    'of',
    'in',
    'to',
    'from',
    'without',
    'against',
    'on',
    'at',
    'near',
    'and',
    'or',
  ]),
  de: new Set(['fur', 'mit', 'von', 'in', 'gegen', 'ohne', 'zum', 'zur', 'aus', 'bei', 'und']),
  nl: new Set(['voor', 'met', 'van', 'in', 'tegen', 'zonder', 'uit', 'bij', 'en']),
  sv: new Set(['for', 'med', 'av', 'i', 'mot', 'utan', 'till', 'och']),
};

/** The prior of each language, 0..1, by the forms and letters found in the text. */
export type Prior = Map<string, number>;

const HABIT: Record<string, number> = LANGUAGE.habit;

/** Scores languages by the units that their forms cover; a unit that fewer languages know counts more. */
export function scoreLanguages(
  units: readonly Unit[],
  candidates: readonly Candidate[],
  indexes: readonly LanguageIndex[],
): Map<string, number> {
  const knows = units.map(() => new Map<string, number>());
  const scores = new Map(indexes.map(({ language }) => [language, HABIT[language] ?? 0]));
  addVocabulary(units, indexes, knows);
  for (const { entry, at, quality } of candidates) {
    for (const position of at) {
      const known = knows[position];
      if (known && (known.get(entry.language) ?? 0) < quality) known.set(entry.language, quality);
    }
  }
  for (const [position, known] of knows.entries()) {
    const size = units[position]?.spaced ? 1 : LANGUAGE.character;
    const share = size / Math.sqrt(Math.max(1, known.size));
    for (const [language, quality] of known) add(scores, language, share * quality);
  }
  for (const [language, phrase] of longestPhrases(candidates)) {
    add(scores, language, LANGUAGE.phrase * (phrase - 1));
  }
  for (const language of languagesOfLetters(units)) {
    if (scores.has(language)) add(scores, language, LANGUAGE.letters);
  }
  return scores;
}

// A word of a longer form ("crema" of "crema hidratante") is evidence for its language too.
function addVocabulary(
  units: readonly Unit[],
  indexes: readonly LanguageIndex[],
  knows: readonly Map<string, number>[],
): void {
  for (const [position, unit] of units.entries()) {
    if (!unit.spaced) continue;
    for (const { language, words } of indexes) {
      if (words.has(unit.text)) knows[position]?.set(language, LANGUAGE.vocabulary);
    }
  }
}

function longestPhrases(candidates: readonly Candidate[]): Map<string, number> {
  const longest = new Map<string, number>();
  for (const { entry, at, quality } of candidates) {
    if (quality < LEAST_FORM.sure || at.length < 2) continue;
    longest.set(entry.language, Math.max(longest.get(entry.language) ?? 1, at.length));
  }
  return longest;
}

function add(scores: Map<string, number>, language: string, value: number): void {
  scores.set(language, (scores.get(language) ?? 0) + value);
}

/** Turns scores into priors: 1 for the best language, `leastPrior` at least. */
export function priorOf(scores: ReadonlyMap<string, number>): Prior {
  const { leastPrior, contrast } = LANGUAGE;
  const best = Math.max(...scores.values(), 0.01);
  return new Map(
    [...scores].map(([language, score]) => [
      language,
      leastPrior + (1 - leastPrior) * (score / best) ** contrast,
    ]),
  );
}

/** Returns the best language if it leads clearly, else null. */
export function guessLanguage(scores: ReadonlyMap<string, number>): string | null {
  const ranked = [...scores]
    .filter(([language]) => language !== 'emoji')
    .sort((a, b) => b[1] - a[1]);
  const [best] = ranked;
  if (!best || best[1] < LANGUAGE.leastNamed) return null;
  // Two scripts of one language do not compete.
  const second = ranked.find(([language]) => familyOf(language) !== familyOf(best[0]));
  return !second || best[1] >= second[1] * LANGUAGE.leastLead ? best[0] : null;
}

/** Returns the language without its script: `ru` of `ru-latn`. */
export function familyOf(language: string): string {
  return language.split('-')[0] ?? language;
}
