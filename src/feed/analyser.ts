import type { Analyser } from '../data/index/keyer.ts';
import { analyseDocument } from '../understand/document.ts';
import { loadLexicon } from '../understand/lexicon.ts';
import { stemPortuguese } from '../understand/stem.ts';
import { tokenize } from '../understand/tokenize.ts';

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
    words: (text) =>
      tokenize(text)
        .filter((unit) => unit.script === 'latin' && unit.text.length > 2)
        .map(({ text: word }) => ({ word, token: `w:${stemPortuguese(word)}` })),
  };
}
