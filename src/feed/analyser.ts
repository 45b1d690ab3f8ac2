import type { Analyser } from '../data/index/reader.ts';
import { loadDocumentLexicon } from '../understand/lexicon/lexicon.ts';
import { openDocuments } from '../understand/record/document.ts';
import { stemPortuguese } from '../understand/text/stem.ts';
import { tokenize } from '../understand/text/tokenize.ts';
import { openAnalysisThreads } from './analysis-threads.ts';

/** Opens the analyser of catalog text; it uses the same lexicon as query understanding. */
export function openAnalyser(): Analyser {
  const lexicon = loadDocumentLexicon();
  const analyse = openDocuments(lexicon);
  return {
    version: lexicon.version,
    document: analyse,
    openThreads: openAnalysisThreads,
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
