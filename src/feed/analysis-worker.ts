import { parentPort } from 'node:worker_threads';
import { readBatch } from '../data/index/reader.ts';
import type { SearchSource } from '../data/index/sources.ts';
import { openAnalyser } from './analyser.ts';

// A thread of the analysis: records in, what they say out.
const analyser = openAnalyser();
parentPort?.on('message', (sources: SearchSource[]) => {
  const said = readBatch(analyser, sources);
  parentPort?.postMessage(said, [said.keys.buffer, said.ends.buffer] as ArrayBuffer[]);
});
