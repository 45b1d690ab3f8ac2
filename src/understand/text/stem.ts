import type { WordSet } from '../lexicon-types.ts';
import {
  stemBengali,
  stemBulgarian,
  stemCzech,
  stemEstonian,
  stemFinnish,
  stemGeorgian,
  stemGreek,
  stemLatvian,
  stemLithuanian,
  stemMalay,
  stemPersian,
  stemRomanian,
  stemScandinavian,
  stemSerbian,
  stemSouthSlavic,
  stemSwahili,
  stemTamil,
  stemUrdu,
} from './endings.ts';

const DIGIT = /\d/;

/** Stems a folded Portuguese word lightly (plural and final vowel); words with digits and short words stay. */
export function stemPortuguese(word: string): string {
  if (word.length < 4 || DIGIT.test(word)) return word;
  const singular = singularPortuguese(word);
  return singular.length >= 5 ? singular.replace(/[ae]$|(?<!a)o$/, '') : singular;
}

/** Returns the singular of a folded Portuguese word. */
export function singularPortuguese(word: string): string {
  if (/(oes|aes|aos)$/.test(word) && word.length > 4) return `${word.slice(0, -3)}ao`;
  if (/[aeou]is$/.test(word) && word.length > 4) return `${word.slice(0, -2)}l`;
  if (/ns$/.test(word)) return `${word.slice(0, -2)}m`;
  if (/[rz]es$/.test(word) && word.length > 4) return word.slice(0, -2);
  if (/[aeo]s$/.test(word)) return word.slice(0, -1);
  return word;
}

function stemEnglish(word: string): string {
  if (word.length < 4 || DIGIT.test(word)) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|ss|z)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

function stemSpanish(word: string): string {
  if (word.length < 4) return word;
  const singular = word.replace(/([bcdfghjklmnpqrtvwxyz])es$/, '$1').replace(/([aeiou])s$/, '$1');
  return singular.length >= 5 ? singular.replace(/[aeo]$/, '') : singular;
}

function stemFrench(word: string): string {
  if (word.length < 4) return word;
  const singular = word
    .replace(/(e?)aux$/, '$1al')
    .replace(/eal$/, 'eau')
    .replace(/[sx]$/, '');
  return singular.length >= 5 ? singular.replace(/e$/, '') : singular;
}

function stemItalian(word: string): string {
  return word.length >= 5 ? word.replace(/(h?[ei]|[ao])$/, '') : word;
}

function stemGerman(word: string): string {
  return word.length >= 5 ? word.replace(/(ern|er|en|em|es|e|n|s)$/, '') : word;
}

function stemDutch(word: string): string {
  return word.length >= 5 ? word.replace(/(en|s|e)$/, '') : word;
}

function stemRussian(word: string): string {
  if (word.length < 4) return word;
  // Fleeting vowels: чехол, чехлы; носок, носки.
  return cutRussian(word).replace(/(?<=..)[ое](?=[клц]$)/, '');
}

function cutRussian(word: string): string {
  const long = word.replace(/(иями|ями|ами|ого|его|ому|ему|ыми|ими)$/, '');
  if (long !== word && long.length >= 3) return long;
  const middle = word.replace(
    /(ов|ев|еи|ои|ии|ыи|ая|яя|ое|ее|ые|ие|ам|ям|ах|ях|ом|ем|ью|ую|юю|ых|их|ым|им|іи|а|я|о|е|є|ы|и|і|у|ю|ь)$/,
    '',
  );
  return middle.length >= 3 ? middle : word;
}

/** Endings of Russian and Ukrainian words in Latin letters. */
const ROMANISED_ENDING =
  /(iami|ami|iah|ah|iam|am|ogo|ego|omu|emu|iaia|aia|ov|ev|iv|oi|ei|oe|ee|ie|ii|ih|im|om|em|iu|ia|u|a|e|i|o)$/;

/** Stems a romanised Cyrillic word under any romanisation (zerna, zernah, zernakh). */
function stemRomanised(word: string): string {
  const spelled = word
    .replace(/shch|sch/g, 'sh')
    .replace(/zh/g, 'j')
    .replace(/kh|x/g, 'h')
    .replace(/ts/g, 'c')
    .replace(/w/g, 'v')
    .replace(/y[eo]/g, 'e')
    .replace(/[yj](?=[au])/g, 'i')
    .replace(/y/g, 'i')
    // Ukrainian г is romanised as h.
    .replace(/g/g, 'h')
    .replace(/(.)\1/g, '$1');
  const cut = spelled.replace(ROMANISED_ENDING, '');
  return cut.length >= 3 ? cut : spelled;
}

function stemPolish(word: string): string {
  if (word.length < 4) return word;
  const cut = word.replace(/(ami|ach|ego|emu|ych|ymi|ich|imi|ow|om|ej|ie|a|e|i|o|u|y)$/, '');
  return cut.length >= 3 ? cut : word;
}

function stemTurkish(word: string): string {
  if (word.length < 5) return word;
  const bare = word.replace(/(larini|lerini|larin|lerin|lari|leri|lar|ler)$/, '');
  const cut = bare.replace(/(nin|nun|sini|sunu|si|su|dan|den|da|de)$/, '').replace(/[iuae]$/, '');
  return cut.length >= 3 ? cut : bare;
}

function stemArabic(word: string): string {
  const bare = word.replace(/^(وال|بال|كال|فال|ال|لل)(?=...)/, '');
  const cut = bare.length >= 4 ? bare.replace(/(ات|ين|ون|يه|ه|ي)$/, '') : bare;
  return cut.length >= 2 ? cut : bare;
}

function stemHebrew(word: string): string {
  return word.length >= 4 ? word.replace(/(ים|ות|ה|ת)$/, '') : word;
}

function stemHindi(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/(ियों|ियां|ियाँ|ाओं|ों|ें|ीं|ां|ी|ा|े|ो|ि)$/, '');
}

const HUNGARIAN_CASE = /(hoz|hez|val|vel|ban|ben|bol|rol|tol|nal|nel)$/;
// The v of -val and -vel assimilates to the last consonant: kabát, kabáttal; függöny, függönnyel.
const HUNGARIAN_WITH =
  /(?:([bcdfghjklmnprstvz])(?=\1[ae]l$)|([cglnstz])(?=\2[ysz][ae]l$))(.{1,2})[ae]l$/;

// A final vowel lengthens before suffixes (táska, táskák, táskát), so it is stripped too.
function stemHungarian(word: string): string {
  if (word.length < 4) return word;
  let stem = word;
  const cut = (ending: RegExp, least: number, left = ''): boolean => {
    const shorter = stem.replace(ending, left);
    if (shorter.length < least || shorter === stem) return false;
    stem = shorter;
    return true;
  };
  cut(HUNGARIAN_CASE, 4);
  cut(HUNGARIAN_WITH, 3, '$3');
  if (!cut(/[aeo]t$/, 3)) cut(/t$/, 3);
  if (!cut(/[aeo]k$/, 3)) cut(/(?<=[aeiou])k$/, 4);
  cut(/[aeo]$/, 3);
  return stem;
}

const STEMMERS: Record<string, (word: string) => string> = {
  pt: stemPortuguese,
  en: stemEnglish,
  es: stemSpanish,
  fr: stemFrench,
  it: stemItalian,
  de: stemGerman,
  nl: stemDutch,
  ru: stemRussian,
  uk: stemRussian,
  pl: stemPolish,
  tr: stemTurkish,
  ar: stemArabic,
  he: stemHebrew,
  hi: stemHindi,
  sv: stemScandinavian,
  da: stemScandinavian,
  nb: stemScandinavian,
  cs: stemCzech,
  sk: stemCzech,
  hr: stemSouthSlavic,
  sl: stemSouthSlavic,
  bg: stemBulgarian,
  sr: stemSerbian,
  'sr-latn': stemSouthSlavic,
  et: stemEstonian,
  lv: stemLatvian,
  lt: stemLithuanian,
  ka: stemGeorgian,
  bn: stemBengali,
  ta: stemTamil,
  ur: stemUrdu,
  id: stemMalay,
  ms: stemMalay,
  sw: stemSwahili,
  el: stemGreek,
  hu: stemHungarian,
  fi: stemFinnish,
  ro: stemRomanian,
  ca: stemSpanish,
  gl: stemPortuguese,
  fa: stemPersian,
  'ru-latn': stemRomanised,
  'uk-latn': stemRomanised,
};

/** Returns the light stemmer of a language, or the identity if it has none. */
export function stemmerOf(language: string): (word: string) => string {
  return STEMMERS[language] ?? ((word) => word);
}

/**
 * Affixes stripped only if the word is unknown with them: Arabic and Hebrew prefixes (and, in, for, the), and Hungarian
 * suffixes (onto, into, to), as some words end like that by themselves (telefonra, but kamera).
 */
const ATTACHED: Record<string, RegExp> = {
  ar: /^[وفبكل](?=..)/,
  he: /^[הובלמשכ](?=..)/,
  hu: /(?<=...)([rb][ae]|n[ae]k)$/,
};

/** Stems a word; strips up to two affixes if that makes its stem a `known` one. */
export function resolveStem(
  word: string,
  language: string,
  stem: (word: string) => string,
  known: WordSet,
): string {
  const plain = stem(word);
  const attached = ATTACHED[language];
  if (!attached || known.has(plain)) return plain;
  let bare = word;
  for (let cuts = 0; cuts < 2; cuts += 1) {
    bare = bare.replace(attached, '');
    const candidate = stem(bare);
    if (known.has(candidate)) return candidate;
  }
  return plain;
}
