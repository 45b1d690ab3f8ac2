import { understand } from '../../src/understand/intent.ts';
import { loadLexicon } from '../../src/understand/lexicon.ts';

const lexicon = loadLexicon();

/** The token that a query is about first, by the whole lexicon; undefined when it is about nothing. */
export function headOf(query: string): string | undefined {
  return understand(query, lexicon).groups[0]?.alternatives[0]?.token;
}
