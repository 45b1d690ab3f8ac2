import type { Word } from '../../domain/search.ts';
import type { Lexicon } from '../lexicon-types.ts';
import { expandShorthand } from './shorthand.ts';
import { stemPortuguese } from './stem.ts';
import { tokenize, type Unit } from './tokenize.ts';

/** Returns whether a word is a stop word of a language: an article, a polite phrase, a filler. */
export function isNoise(word: string, language: string, lexicon: Lexicon): boolean {
  const entries = lexicon.languages.get(language)?.exact.get(word);
  return entries?.some((entry) => entry.target === '!polite') ?? false;
}

/**
 * Returns the tokens of a word, for queries and records alike: its stem (`w:`), and its spelling (`x:`) if that
 * differs. Stop words have `n:` tokens; null for the empty word.
 */
export function wordOf(text: string, lexicon: Lexicon): Word | null {
  if (text === '') return null;
  if (isNoise(text, 'pt', lexicon)) return { token: `n:${text}`, spelled: null };
  const stem = stemPortuguese(text);
  return { token: `w:${stem}`, spelled: stem === text ? null : `x:${text}` };
}

/** Returns the tokens of a unit of a query; an abbreviation counts as its spelling. */
export function wordIn({ text, written }: Unit, lexicon: Lexicon): Word | null {
  const word = wordOf(text, lexicon);
  const [short, more] = written === undefined ? [] : tokenize(written);
  if (word === null || short === undefined || more !== undefined) return word;
  return { ...word, spelled: `w:${stemPortuguese(short.text)}` };
}

/** Tokenizes a text and expands shorthand. */
export const readUnits = (text: string, { shorthand }: Lexicon, chars?: number, words?: number) =>
  expandShorthand(tokenize(text, chars, words), text, shorthand);

/** Folds a title for known-item search: its words without punctuation, joined by spaces. */
export const titleOf = (units: readonly Unit[]): string => units.map(({ text }) => text).join(' ');
