import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { syncTree } from './durable.ts';
import { linkEntry, type Shelf } from './entry-files.ts';
import { isPagePath } from './plan.ts';
import { PURGE_FILE } from './purge.ts';
import {
  baseName,
  type Manifest,
  openCurrentRelease,
  openDraft,
  readCurrentManifest,
  switchTo,
} from './release.ts';
import { isGone, linePath, parseLine } from './release-index.ts';

/** Linking the pages of the own tree anew at each publish costs less than making a base up to here. */
const OVERLAID_PAGES = 1000;
const OVERLAID_SHARE = 0.1;

/**
 * Makes a new base, all by links, when too many pages differ from the one at hand. The release has the
 * same content; a publish does it after its switch, when nobody waits for it any more.
 */
export function rebaseIfDue(root: string): boolean {
  if (!isDue(readCurrentManifest(root))) return false;
  const current = openCurrentRelease(root);
  if (current === null) return false;
  const { manifest, index, folder, showcase } = current;
  const draft = openDraft(root, new Date(), true);
  const site: Shelf = { folder: join(draft.folder, 'site'), layer: 'site', now: 0 };
  const base: Shelf = { folder: draft.baseFolder ?? '', layer: 'base', now: 0 };
  const lines: string[] = [];
  for (const line of index.lines()) {
    const entry = isGone(line) ? null : parseLine(line);
    const path = linePath(line);
    if (entry === null) lines.push(line);
    else lines.push(linkEntry(isPagePath(path) ? base : site, path, entry, folder));
  }
  // Whoever looks at the current release only from time to time has not read it yet.
  linkSync(join(folder, PURGE_FILE), join(draft.folder, PURGE_FILE));
  syncTree(base.folder);
  syncTree(draft.folder);
  const next = { ...manifest, id: draft.id, base: baseName(draft) ?? '', overlaid: 0 };
  switchTo(root, draft, next, lines, showcase);
  return true;
}

function isDue(current: Manifest | null): boolean {
  if (current === null) return false;
  return current.overlaid > Math.max(OVERLAID_PAGES, current.pages * OVERLAID_SHARE);
}
