import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { compress, GZIP_SUFFIX } from '../../src/publish/entry-files.ts';

// Precompresses a peer's output for static serving: the same files as ours, the same way, on every core.
// Usage: node tests/bench/compress.ts FOLDER
const FILES_PER_BATCH = 500;

if (isMainThread) {
  const [, , folder = '.'] = process.argv;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const threads = Array.from({ length: availableParallelism() }, () => {
    const worker = new Worker(new URL(import.meta.url));
    return new Promise<void>((done, fail) => {
      worker.on('error', fail);
      worker.on('message', () => {
        const batch = files.splice(-FILES_PER_BATCH);
        if (batch.length > 0) worker.postMessage(batch);
        else worker.terminate().then(() => done());
      });
    });
  });
  await Promise.all(threads);
} else {
  parentPort?.on('message', (files: string[]) => {
    for (const file of files) {
      const gzip = compress(readFileSync(file));
      if (gzip !== null) writeFileSync(file + GZIP_SUFFIX, gzip);
    }
    parentPort?.postMessage('more');
  });
  parentPort?.postMessage('more');
}
