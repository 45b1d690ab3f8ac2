import { isShell } from '../domain/resources.ts';
import type { Layers } from './layers.ts';
import { isPagePath } from './plan.ts';
import type { Known } from './release-index.ts';

/** The file of a release with the URLs to purge, one per line. */
export const PURGE_FILE = 'purge.txt';

/**
 * Yields the paths that changed or were withdrawn since the previous release. New paths are left out, as no cache
 * keeps a 404, and so are pages without a URL of their own. `written`: the layers not shared with the previous
 * release.
 */
export function* changedPaths(previous: Layers | null, written: Layers): Generator<string> {
  if (previous === null) return;
  for (const [path, known] of written.entries()) {
    const old = previous.find(path);
    if (old !== null && differs(old, known) && !isShell(path)) yield path;
  }
  // Documents that ceased to exist, such as the last part of a sitemap that shrank.
  for (const [path, old] of previous.ownEntries()) {
    if (old !== 'gone' && !isPagePath(path) && written.find(path) === null) yield path;
  }
}

function differs(old: Known, known: Known): boolean {
  if (old === 'gone') return false;
  return known === 'gone' || old.hash !== known.hash || old.type !== known.type;
}
