import { digest } from './entry-files.ts';
import type { Release } from './release.ts';
import {
  goneLine,
  isGone,
  isInBase,
  linePath,
  parseLine,
  type ReleaseIndex,
} from './release-index.ts';
import { type PageTask, twinOf } from './render-pages.ts';
import type { Site } from './site.ts';

/** What becomes of each page of a site, beside the release before. */
export type PagePlan = {
  /** Lines of pages, and of their twins, that stay where they are in the base. */
  kept: string[];
  /** Resources that go on unchanged from the own tree of the release before. */
  linked: string[];
  /** Pages to render, folder by folder, and how many. */
  tasks: Iterable<PageTask>[];
  changed: number;
  /** Lines of the pages that are withdrawn, now or earlier. */
  gone: string[];
  /** Pages of the release before that are not there any more. */
  lost: string[];
  /** All pages of the site, twins not counted. */
  pages: number;
};

const FOLDERS = ['/offers/', '/products/'];

/** True for offer and product pages and their twins. */
export function isPagePath(path: string): boolean {
  return FOLDERS.some((folder) => path.startsWith(folder));
}

/**
 * Compares a site with the release before: a page is rendered when what it is made from changed, or,
 * unless `reuse`, in any case.
 */
export function planPages(
  site: Site,
  template: string,
  previous: Release | null,
  reuse: boolean,
): PagePlan {
  const index = previous?.index ?? null;
  const paths = pagePaths(site);
  const kept: string[] = [];
  const linked: PagePlan['linked'] = [];
  const changed: string[] = reuse && index !== null ? [] : paths;
  const keep = (line: string) => {
    if (isInBase(line)) kept.push(line);
    else linked.push(line);
  };
  if (reuse && index !== null) {
    for (const path of paths) {
      const source = digest([template + modelOf(site, path)]);
      // A digest stands nowhere else in a line: most lines need not be taken apart.
      const lines = [path, twinOf(path)].flatMap((resource) => {
        const line = index.find(resource);
        return line?.includes(source) ? [line] : [];
      });
      if (lines.length < 2) changed.push(path);
      else for (const line of lines) keep(line);
    }
  }
  const { gone, lost } = findGone(index, new Set(paths));
  return {
    kept,
    linked,
    tasks: FOLDERS.map((folder) =>
      makeTasks(
        site,
        template,
        changed.filter((path) => path.startsWith(folder)),
        index,
      ),
    ),
    changed: changed.length,
    gone,
    lost,
    pages: paths.length,
  };
}

/** The pages of a site in the order of the index. */
function pagePaths(site: Site): string[] {
  return [
    ...site.offerIds.map((id) => `/offers/${id}`),
    ...site.productIds.map((id) => `/products/${id}`),
  ].sort();
}

function modelOf(site: Site, path: string): string {
  const id = Number(path.slice(path.lastIndexOf('/') + 1));
  const model = path.startsWith('/offers/') ? site.offerModel(id) : site.productModel(id);
  return model ?? 'null';
}

function* makeTasks(
  site: Site,
  template: string,
  paths: string[],
  index: ReleaseIndex | null,
): Generator<PageTask> {
  const old = (path: string) => parseLine(index?.find(path) ?? goneLine(path));
  for (const path of paths) {
    const model = modelOf(site, path);
    const source = digest([template + model]);
    yield { path, model, source, old: old(path), oldTwin: old(twinOf(path)) };
  }
}

function findGone(
  index: ReleaseIndex | null,
  paths: Set<string>,
): { gone: string[]; lost: string[] } {
  const gone: string[] = [];
  const lost: string[] = [];
  for (const line of index?.lines() ?? []) {
    const path = linePath(line);
    if (!isPagePath(path) || paths.has(path.replace(/\.md$/, ''))) continue;
    gone.push(goneLine(path));
    if (!isGone(line) && !path.endsWith('.md')) lost.push(path);
  }
  return { gone, lost };
}
