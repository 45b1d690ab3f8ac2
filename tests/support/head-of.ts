import { loadLexicon } from '../../src/understand/lexicon/lexicon.ts';
import { understand } from '../../src/understand/query.ts';
import type { Intent } from '../../src/understand/types.ts';

const lexicon = loadLexicon();

/**
 * The token that a query is about first, by the whole lexicon: that of a concept, or of a word that it does
 * not know; undefined when it is about nothing.
 */
export function headOf(query: string): string | undefined {
  return firstToken(understand(query, lexicon));
}

/** The token that a query, as understood, is about first. */
export function firstToken({ clauses: [first] }: Intent): string | undefined {
  return first?.meanings[0]?.token ?? first?.words[0]?.token;
}
