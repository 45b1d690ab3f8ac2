import type { Analyser } from '../data/search-index.ts';
import { analyseDocument } from '../understand/document.ts';
import { loadLexicon } from '../understand/lexicon.ts';

/** The analysis of catalog text by the lexicon that also understands the queries. */
export function openAnalyser(): Analyser {
  const lexicon = loadLexicon();
  return {
    version: lexicon.version,
    document: (text) => analyseDocument(text, lexicon),
    concepts: (name) => {
      const { head, title } = analyseDocument({ title: name }, lexicon);
      return [...new Set([...head, ...title])].filter((token) => token.startsWith('c:'));
    },
  };
}
