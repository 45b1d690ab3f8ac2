import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { digest, fileSuffixes } from './entry-files.ts';
import { isPagePath } from './plan.ts';
import type { ReleaseEntry, ReleaseIndex } from './release-index.ts';

/** Reading back every page would take as long as writing it: this many are sampled evenly. */
const PAGES_READ = 200;

/** A layer that failed verification. */
export class ReleaseFault extends Error {}

/**
 * Verifies a layer before it goes online: the expected number of pages and twins, none empty, no path twice; all
 * documents and a sample of pages match their digests on disk. `since`: documents last modified before this second are
 * links to files of an earlier release, which was verified. Throws ReleaseFault.
 */
export function verifyLayer(
  index: ReleaseIndex,
  paths: number,
  { since = 0, pagesRead = PAGES_READ } = {},
): void {
  const step = Math.max(1, Math.floor(paths / pagesRead));
  let found = 0;
  let last = '';
  for (const [path, known] of index.entries()) {
    if (path === last) throw new ReleaseFault(`${path} is listed twice`);
    if (path < last) throw new ReleaseFault(`${path} is listed out of order`);
    last = path;
    if (known === 'gone') continue;
    if (known.size === 0) throw new ReleaseFault(`${path} is empty`);
    const isPage = isPagePath(path);
    if (isPage) found += 1;
    if (isPage ? found % step === 0 : known.modified >= since) verifyFiles(known);
  }
  if (found !== paths) {
    throw new ReleaseFault(`${found} pages and twins were made instead of ${paths}`);
  }
}

function verifyFiles(entry: ReleaseEntry): void {
  const file = join(entry.tree, entry.file);
  if (digest([readFileSync(file)]) !== entry.hash) throw new ReleaseFault(`${file} is damaged`);
  const sizes = [entry.size, entry.gzipSize];
  for (const [at, suffix] of fileSuffixes(entry).entries()) {
    if (statSync(file + suffix).size !== sizes[at]) {
      throw new ReleaseFault(`${file}${suffix} is damaged`);
    }
  }
}
