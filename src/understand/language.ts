import type { Script, Unit } from './tokenize.ts';

/** Where the head of a phrase stands: `first` (pt), before the preposition (en), or `last` (ja). */
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
  'ja-latn': { scripts: ['latin'], head: 'last' },
  'ko-latn': { scripts: ['latin'], head: 'last' },
  'zh-latn': { scripts: ['latin'], head: 'last' },
  emoji: { scripts: ['emoji'], head: 'first' },
};

/** Traits of a language by the name of its forms file; an unknown one is taken as Latin. */
export function traitsOf(language: string): Traits {
  return TRAITS[language] ?? LATIN;
}

/** The BCP-47 tag of a forms file. */
export function tagOf(language: string): string {
  return language.replace(
    /-[a-z]{4}$/,
    (script) => `-${script[1]?.toUpperCase()}${script.slice(2)}`,
  );
}

/** Languages a text may be in, from its scripts alone. */
export function mayBeWritten(language: string, scripts: ReadonlySet<Script>): boolean {
  return traitsOf(language).scripts.some((script) => scripts.has(script));
}

const HINTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/[ãõ]/, 'pt'],
  [/[ñ¿¡]/, 'es'],
  [/[ßä]/, 'de'],
  [/[œèùû]/, 'fr'],
  [/[ąęłńśźż]/, 'pl'],
  [/[ěřů]/, 'cs'],
  [/å/, 'sv'],
  [/[åæø]/, 'da'],
  [/[ğış]/, 'tr'],
  [/[ơưđạảấầẩậắằẳẵặẹẻẽếềểễệịỉọỏốồổỗộớờởợụủứừửữựỳỵỷỹ]/, 'vi'],
  [/[ёыэъ]/, 'ru'],
  [/[іїєґ]/, 'uk'],
  [/[\u3040-\u30ff]/, 'ja'],
];

/** Languages whose own letters occur in the units. */
export function hintedLanguages(units: readonly Unit[]): string[] {
  const text = units.map((unit) => unit.accented).join(' ');
  return HINTS.filter(([letters]) => letters.test(text)).map(([, language]) => language);
}

/** Words that end the head of a phrase in languages that put the head before them. */
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
