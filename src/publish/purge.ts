import { isShell } from '../domain/resources.ts';
import type { Layers } from './layers.ts';
import { isPagePath } from './plan.ts';
import type { Known, ReleaseIndex } from './release-index.ts';

/** File of a release that names what caches have to forget, an address a line. */
export const PURGE_FILE = 'purge.txt';

/**
 * The paths whose answer is another one than in the release before: changed and withdrawn. New ones are not among
 * them, because no cache keeps a 404, nor pages without an address of their own, which are in none. `written`: the
 * layers that the new release does not share with the one before.
 */
export function changedPaths(previous: Layers | null, written: readonly ReleaseIndex[]): string[] {
  if (previous === null) return [];
  const changed = new Set<string>();
  for (const index of written) {
    for (const [path, known] of index.entries()) {
      const old = previous.find(path);
      if (old !== null && differs(old, known)) changed.add(path);
    }
  }
  // A document that is not there any more, such as the last part of a sitemap that shrank.
  for (const [path, old] of previous.ownEntries()) {
    const isLost = () => written.every((index) => index.find(path) === null);
    if (old !== 'gone' && !isPagePath(path) && isLost()) changed.add(path);
  }
  return [...changed].filter((path) => !isShell(path)).sort();
}

function differs(old: Known, known: Known): boolean {
  if (old === 'gone') return false;
  return known === 'gone' || old.hash !== known.hash || old.type !== known.type;
}
