import { parentPort } from 'node:worker_threads';
import { readBatch } from '../data/index/reader.ts';
import type { SearchSource } from '../data/index/sources.ts';
import { openAnalyser } from './analyser.ts';

// An analysis thread: takes batches of records and returns their tokens.
const analyser = openAnalyser();
parentPort?.on('message', (sources: SearchSource[]) => {
  const analysis = readBatch(analyser, sources);
  parentPort?.postMessage(analysis, [analysis.keys.buffer, analysis.ends.buffer] as ArrayBuffer[]);
});
