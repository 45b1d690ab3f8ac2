import type { Word } from '../../domain/search.ts';
import type { Lexicon } from '../lexicon-types.ts';
import { expandShorthand } from './shorthand.ts';
import { stemPortuguese } from './stem.ts';
import { tokenize, type Unit } from './tokenize.ts';

/** Whether a language says a word out of politeness, or to say nothing in particular. */
export function isNoise(word: string, language: string, lexicon: Lexicon): boolean {
  const entries = lexicon.languages.get(language)?.exact.get(word);
  return entries?.some((entry) => entry.target === '!polite') ?? false;
}

/**
 * The tokens of a word, the contract of queries with the index: its stem (`w:`) and its spelling (`x:`), where
 * that differs. Noise has tokens of its own (`n:`); null for what is not indexed.
 */
export function wordOf(text: string, lexicon: Lexicon): Word | null {
  if (text === '') return null;
  if (isNoise(text, 'pt', lexicon)) return { token: `n:${text}`, spelled: null };
  const stem = stemPortuguese(text);
  return { token: `w:${stem}`, spelled: stem === text ? null : `x:${text}` };
}

/** The tokens of a unit of a query; a short form counts as its spelling. */
export function wordIn({ text, written }: Unit, lexicon: Lexicon): Word | null {
  const word = wordOf(text, lexicon);
  const [short, more] = written === undefined ? [] : tokenize(written);
  if (word === null || short === undefined || more !== undefined) return word;
  return { ...word, spelled: `w:${stemPortuguese(short.text)}` };
}

/** Tokenizes a text, with retail shorthand written out. */
export const readUnits = (text: string, { shorthand }: Lexicon, chars?: number, words?: number) =>
  expandShorthand(tokenize(text, chars, words), text, shorthand);

/** A title as it is compared as a whole: its folded words, without punctuation. */
export const titleOf = (units: readonly Unit[]): string => units.map(({ text }) => text).join(' ');
