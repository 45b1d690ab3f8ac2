import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Reader, Said } from '../data/index/reader.ts';
import type { SearchSource } from '../data/index/sources.ts';

/** While a thread reads one batch the next one waits. */
const BATCHES_PER_THREAD = 2;
/** A thread keeps the lexicon and what it has met of it: more room would only put off its garbage. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

type Waiting = { resolve: (said: Said) => void; reject: (error: unknown) => void };

/** Reads records for the index in a thread a core: main thread and Postgres take their time between the batches. */
export function openAnalysisThreads(): Reader {
  const threads = Array.from({ length: availableParallelism() }, openThread);
  return {
    batches: threads.length * BATCHES_PER_THREAD,
    read(sources) {
      const idlest = threads.reduce((a, b) => (b.waiting.length < a.waiting.length ? b : a));
      return idlest.read(sources);
    },
    close: () => Promise.all(threads.map(({ worker }) => worker.terminate())),
  };
}

function openThread() {
  const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
    resourceLimits: THREAD_LIMITS,
  });
  // A thread answers in the order in which it was asked.
  const waiting: Waiting[] = [];
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('message', (said: Said) => waiting.shift()?.resolve(said));
  worker.on('error', fail);
  worker.on('exit', () =>
    fail(new Error('a thread of the analysis ended before its work was done')),
  );
  const read = (sources: SearchSource[]) =>
    new Promise<Said>((resolve, reject) => {
      if (failure !== undefined) return reject(failure);
      waiting.push({ resolve, reject });
      worker.postMessage(sources);
    });
  return { worker, waiting, read };
}
