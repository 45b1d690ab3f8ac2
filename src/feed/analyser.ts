import type { Analyser } from '../data/index/keyer.ts';
import { loadLexicon } from '../understand/lexicon/lexicon.ts';
import { openDocuments } from '../understand/record/document.ts';
import { stemPortuguese } from '../understand/text/stem.ts';
import { tokenize } from '../understand/text/tokenize.ts';

/** The analysis of catalog text by the lexicon that also understands the queries. */
export function openAnalyser(): Analyser {
  const lexicon = loadLexicon();
  const analyse = openDocuments(lexicon);
  return {
    version: lexicon.version,
    document: analyse,
    concepts: (name) => {
      const { head, title } = analyse({ title: name });
      return [...new Set([...head, ...title])].filter((token) => token.startsWith('c:'));
    },
    words: (text) =>
      tokenize(text)
        .filter((unit) => unit.script === 'latin' && unit.text.length > 2)
        .map(({ text: word }) => ({ word, token: `w:${stemPortuguese(word)}` })),
  };
}
