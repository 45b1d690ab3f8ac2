import { linkEntry, markGone } from './entry-files.ts';
import { Layers } from './layers.ts';
import { isPagePath, type PagePlan, planned } from './plan.ts';
import type { Release } from './release.ts';
import { goneLine, type ReleaseIndex } from './release-index.ts';

/** Lines of pages that are not rendered, and how many of them are not of pages that are withdrawn. */
export type OwnPages = { lines: string[]; paths: number };

/**
 * Takes the pages of its own layer over from the release before, and withdraws those that are lost: files below
 * `folder`, and their lines.
 */
export function carryPages(folder: string, previous: Release, plan: PagePlan): OwnPages {
  const layersBelow = new Layers(previous.index.indexes.slice(1));
  const carried: OwnPages = { lines: [], paths: 0 };
  const withdraw = (path: string) => {
    if (layersBelow.isLive(path)) markGone(folder, path);
    carried.lines.push(goneLine(path));
  };
  const { changed, lost } = planned(plan);
  const settled = new Set([...lost, ...changed]);
  for (const [path, known] of previous.index.ownEntries()) {
    if (!isPagePath(path) || settled.has(path)) continue;
    if (known === 'gone') withdraw(path);
    else {
      carried.lines.push(linkEntry(folder, path, known));
      carried.paths += 1;
    }
  }
  for (const path of lost) withdraw(path);
  return carried;
}

/** The lines of all paths that were withdrawn, now or earlier, and are not in a new base. */
export function withdrawnLines(previous: Release | null, base: ReleaseIndex): string[] {
  const lines: string[] = [];
  for (const [path] of previous?.index.entries() ?? []) {
    if (isPagePath(path) && base.find(path) === null) lines.push(goneLine(path));
  }
  return lines;
}
