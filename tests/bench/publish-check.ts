import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecordPath } from '../../src/publish/plan.ts';
import type { Release } from '../../src/publish/release.ts';
import { resourceOf } from '../../src/publish/release-index.ts';
import { pathsOf } from '../support/release.ts';
import type { Peer } from './publish-peers.ts';

/** So many pages are compared, with their twins, spread over the whole catalog. */
const COMPARED = 200;
const LEAST_SHARE = 0.95;

/** Reads a page or twin of a release. */
export function readPage({ index }: Release, path: string): string {
  const entry = resourceOf(index.find(path));
  if (entry === null) throw new Error(`the release has no ${path}`);
  return readFileSync(join(entry.tree, entry.file), 'utf8');
}

/**
 * Checks that a peer made the record pages and twins of a release and nothing else. Twins must equal ours, and pages but
 * for white space. A peer whose templates cannot call our functions (Go's) cuts texts, encodes URLs and sorts JSON in
 * its own way: its pages must have our elements in our order, and pages and twins 95 % of our length.
 */
export function checkOutput({ name, output, isExact }: Peer, release: Release): void {
  const paths = pathsOf(release).filter(isRecordPath);
  const files = ['offers', 'products'].flatMap((kind) => readdirSync(join(output, kind)));
  if (files.length !== paths.length) {
    throw new Error(`${name} made ${files.length} files, not ${paths.length}`);
  }
  const pages = paths.filter((path) => !isTwin(path));
  const step = Math.ceil(pages.length / COMPARED);
  const some = pages.filter((_, at) => at % step === 0);
  for (const path of some.flatMap((page) => [page, `${page}.md`])) {
    const theirs = readFileSync(join(output, isTwin(path) ? path : `${path}.html`), 'utf8');
    const ours = readPage(release, path);
    if (!isExact && !isAlike(theirs, ours)) throw new Error(`${name}: ${path} is not like ours`);
    if (isExact && !isSame(theirs, ours, path)) throw new Error(`${name}: ${path} is not ours`);
  }
}

const isTwin = (path: string) => path.endsWith('.md');
const letters = (text: string) => text.replace(/\s+/g, '');

function isSame(theirs: string, ours: string, path: string): boolean {
  return isTwin(path) ? theirs === ours : letters(theirs) === letters(ours);
}

function isAlike(theirs: string, ours: string): boolean {
  const elements = (text: string) => [...text.matchAll(/<\/?[a-z][a-z0-9]*/g)].join(' ');
  const isLong = letters(theirs).length >= letters(ours).length * LEAST_SHARE;
  return isLong && elements(theirs) === elements(ours);
}
