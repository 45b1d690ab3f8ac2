import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Analyser, Analysis, Reader } from '../data/index/reader.ts';
import type { SearchSource } from '../data/index/sources.ts';
import { loadDocumentLexicon } from '../understand/lexicon/lexicon.ts';
import { openDocuments } from '../understand/record/document.ts';
import { stemPortuguese } from '../understand/text/stem.ts';
import { tokenize } from '../understand/text/tokenize.ts';

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

/** One batch in progress and one queued, so that a thread never idles. */
const BATCHES_PER_THREAD = 2;
/** Caps the heap: the live set is the lexicon and its caches, so a larger heap would only delay garbage collection. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

type Waiting = { resolve: (analysis: Analysis) => void; reject: (error: unknown) => void };

/** Starts one analysis thread per core; the main thread and Postgres run between batches. */
function openAnalysisThreads(): Reader {
  const threads = Array.from({ length: availableParallelism() }, openThread);
  return {
    batches: threads.length * BATCHES_PER_THREAD,
    read(sources) {
      const leastBusy = threads.reduce((a, b) => (b.waiting.length < a.waiting.length ? b : a));
      return leastBusy.read(sources);
    },
    close: () => Promise.all(threads.map(({ worker }) => worker.terminate())),
  };
}

function openThread() {
  const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
    resourceLimits: THREAD_LIMITS,
  });
  // A thread answers in request order.
  const waiting: Waiting[] = [];
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('message', (analysis: Analysis) => waiting.shift()?.resolve(analysis));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('an analysis thread exited before finishing its work')));
  const read = (sources: SearchSource[]) =>
    new Promise<Analysis>((resolve, reject) => {
      if (failure !== undefined) return reject(failure);
      waiting.push({ resolve, reject });
      worker.postMessage(sources);
    });
  return { worker, waiting, read };
}
