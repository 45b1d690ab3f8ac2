import { isShell } from '../domain/resources.ts';
import type { Layers } from './layers.ts';
import { isPagePath } from './plan.ts';
import type { Known, ReleaseIndex } from './release-index.ts';

/** The file of a release with the URLs to purge, one per line. */
export const PURGE_FILE = 'purge.txt';

/**
 * Returns the paths that changed or were withdrawn since the previous release. New paths are left out, as no cache
 * keeps a 404, and so are pages without a URL of their own. `written`: the layers not shared with the previous
 * release.
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
  // Documents that ceased to exist, such as the last part of a sitemap that shrank.
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
