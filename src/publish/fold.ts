import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncTree } from './durable.ts';
import { linkEntry, markGone } from './entry-files.ts';
import { Layers } from './layers.ts';
import { isPagePath } from './plan.ts';
import { PURGE_FILE } from './purge.ts';
import {
  type Draft,
  layerName,
  openCurrentRelease,
  openDraft,
  type Release,
  readCurrentManifest,
  switchTo,
  writeLayer,
} from './release.ts';
import { goneLine } from './release-index.ts';

/** Up to this many page paths, relinking the own layer at each publish costs next to nothing. */
const OWN_PATHS = 400;
/** Up to this many paths, an occasional relink of the recent layer is cheaper than a new base. */
const RECENT_PATHS = 2000;
const RECENT_SHARE = 0.25;

/**
 * Folds a large own layer into the recent one or, with that, into the base, by hard links only, so that publishing
 * stays cheap. The new release has the same content. Runs after a publish's switch, when nobody waits for it;
 * `previous`, the release before that publish, lends the layers that are open already.
 */
export function foldIfDue(root: string, previous: Release | null): void {
  const due = readCurrentManifest(root);
  if (due === null || due.ownPaths <= OWN_PATHS) return;
  const current = openCurrentRelease(root, previous);
  if (current === null) return;
  const { manifest, folder } = current;
  const { ownPaths, recentPaths, pages } = manifest;
  const most = Math.max(RECENT_PATHS, 2 * pages * RECENT_SHARE);
  const intoBase = ownPaths + recentPaths > most;
  const draft = openDraft(root, new Date(), true);
  const moved = movePages(draft, current, intoBase);
  linkDocuments(draft, current);
  // Copied, since a poller of the current release may not have read it yet.
  linkSync(join(folder, PURGE_FILE), join(draft.folder, PURGE_FILE));
  syncTree(draft.layerFolder ?? '');
  syncTree(draft.folder);
  const name = layerName(draft);
  const layers = intoBase
    ? { base: name, recent: null, recentPaths: 0 }
    : { recent: name, recentPaths: moved };
  const showcase = readFileSync(join(folder, 'showcase.json'), 'utf8');
  switchTo(root, draft, { ...manifest, ...layers, ownPaths: 0 }, showcase);
}

/** Links the pages of all layers, or of those above the base, into the new one; returns their number. */
function movePages(draft: Draft, { index, manifest }: Release, intoBase: boolean): number {
  const layerFolder = draft.layerFolder ?? '';
  const tree = join(layerFolder, 'site');
  const above = manifest.recent === null ? 1 : 2;
  const merged = intoBase ? index : new Layers(index.indexes.slice(0, above));
  const below = new Layers(intoBase ? [] : index.indexes.slice(above));
  let moved = 0;
  function* lines(): Generator<string> {
    for (const [path, known] of merged.entries()) {
      if (!isPagePath(path)) continue;
      moved += 1;
      if (known === 'gone' && below.isLive(path)) markGone(tree, path);
      yield known === 'gone' ? goneLine(path) : linkEntry(tree, path, known);
    }
  }
  writeLayer(layerFolder, lines());
  return moved;
}

function linkDocuments(draft: Draft, { index }: Release): void {
  const tree = join(draft.folder, 'site');
  const lines: string[] = [];
  for (const [path, known] of index.ownEntries()) {
    if (known !== 'gone' && !isPagePath(path)) lines.push(linkEntry(tree, path, known));
  }
  writeLayer(draft.folder, lines);
}
