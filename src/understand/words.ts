import { stemPortuguese } from './stem.ts';
import type { Unit } from './tokenize.ts';
import type { Group, Lexicon } from './types.ts';

/** Shorter noise is what every sentence is made of. */
const LEAST_NOISE = 4;
const MAX_WORDS = 8;

/** Whether a language says a word out of politeness, or to say nothing in particular. */
export function isNoise(word: string, language: string, lexicon: Lexicon): boolean {
  const entries = lexicon.languages.get(language)?.exact.get(word);
  return entries?.some((entry) => entry.target === '!polite') ?? false;
}

/**
 * The token of a word of a record. Noise has tokens apart (`n:`), which only a query asks for that says
 * nothing else; null for what is not indexed at all.
 */
export function wordToken({ text }: Unit, lexicon: Lexicon): string | null {
  if (text.length < 2 && !/\d/.test(text)) return null;
  if (!isNoise(text, 'pt', lexicon)) return `w:${stemPortuguese(text)}`;
  return text.length < LEAST_NOISE ? null : `n:${stemPortuguese(text)}`;
}

/**
 * The words of a query as they are written, for when nothing is found by what they mean; its noise only
 * when there is nothing else.
 */
export function plainWords(units: readonly Unit[], lexicon: Lexicon): Group[] {
  const words = new Map<string, Group>();
  for (const unit of units) {
    const token = unit.script === 'latin' ? wordToken(unit, lexicon) : null;
    if (token === null) continue;
    const alternatives = [{ token, weight: 1 }];
    words.set(token, { label: unit.accented, kind: 'term', weight: 1, alternatives });
  }
  const said = [...words].filter(([token]) => !token.startsWith('n:'));
  return (said.length > 0 ? said : [...words]).map(([, group]) => group).slice(0, MAX_WORDS);
}
