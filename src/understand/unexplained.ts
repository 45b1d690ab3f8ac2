import type { Lexicon } from './lexicon-types.ts';
import type { QueryContext } from './mentions/places.ts';
import type { Unit } from './text/tokenize.ts';
import { isNoise } from './text/words.ts';

/**
 * Returns the words of a query that may be misspelled: in no form of any language, in no place or merchant name,
 * and not right after a word of a place name.
 */
export function unexplainedTerms(
  units: readonly Unit[],
  { known, merchants }: QueryContext,
  lexicon: Lexicon,
): string[] {
  return units
    .filter(({ script, text }, at) => {
      if (script !== 'latin' || lexicon.spacedWords.has(text)) return false;
      if (isNoise(text, 'pt', lexicon)) return false;
      const isNamed = known.words.has(text) || merchants?.words.has(text) === true;
      // "Vila Madalena": the rest of a place name that the catalog does not know.
      return !isNamed && !known.words.has(units[at - 1]?.text ?? '');
    })
    .map(({ accented }) => accented);
}
