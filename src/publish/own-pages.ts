import { linkEntry, markGone } from './entry-files.ts';
import { Layers } from './layers.ts';
import { isPagePath, type PagePlan, planned } from './plan.ts';
import type { Release } from './release.ts';
import { goneLine, type ReleaseIndex } from './release-index.ts';

/** Index lines of pages that are not rendered, and the number of live pages among them. */
export type OwnPages = { lines: string[]; paths: number };

/**
 * Carries over the pages of the previous release's own layer and withdraws lost ones: links or marks files in
 * `folder` and returns the index lines.
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

/** Returns the index lines of all paths ever withdrawn that a new base lacks. */
export function withdrawnLines(previous: Release | null, base: ReleaseIndex): string[] {
  const lines: string[] = [];
  for (const [path] of previous?.index.entries() ?? []) {
    if (isPagePath(path) && base.find(path) === null) lines.push(goneLine(path));
  }
  return lines;
}
