import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { digest, fileSuffixes } from './entry-files.ts';
import { isPagePath } from './plan.ts';
import { isEmpty, isGone, linePath, parseLine } from './release-index.ts';

/** Reading every page back would take as long as writing it; so many are read, spread evenly. */
const PAGES_READ = 200;

/** A release that is not what it should be. */
export class ReleaseFault extends Error {}

/**
 * Checks a release before anybody sees it: every page is there once, with its twin, and not empty; the
 * files of all documents and of a sample of the pages are on disk as the index says. `treeOf` tells the
 * folder of each layer. The lines are sorted.
 */
export function verifyRelease(
  lines: string[],
  pages: number,
  treeOf: (layer: 'site' | 'base') => string,
  pagesRead = PAGES_READ,
): void {
  const live = lines.filter((line) => !isGone(line));
  for (const [at, line] of lines.entries()) {
    if (at > 0 && linePath(line) === linePath(lines[at - 1] ?? '')) {
      throw new ReleaseFault('a path is listed twice');
    }
  }
  const found = live.filter((line) => isPagePath(linePath(line))).length;
  if (found !== pages * 2) {
    throw new ReleaseFault(`${found / 2} pages were made instead of ${pages}`);
  }
  const empty = live.find(isEmpty);
  if (empty !== undefined) throw new ReleaseFault(`${linePath(empty)} is empty`);
  const step = Math.max(1, Math.floor(found / pagesRead));
  for (const [position, line] of live.entries()) {
    if (isPagePath(linePath(line)) && position % step !== 0) continue;
    const entry = parseLine(line);
    if (entry === null) continue;
    const file = join(treeOf(entry.layer), entry.file);
    if (digest([readFileSync(file)]) !== entry.hash) throw new ReleaseFault(`${file} is damaged`);
    const sizes = [entry.size, entry.encodings.br, entry.encodings.gzip].filter(Boolean);
    for (const [at, suffix] of fileSuffixes(entry).entries()) {
      if (statSync(file + suffix).size !== sizes[at]) {
        throw new ReleaseFault(`${file}${suffix} is damaged`);
      }
    }
  }
}
