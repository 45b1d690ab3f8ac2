import type { TouchedLists } from '../data/catalog/export.ts';
import { PAGE_KINDS, type PageIds, type PageKind } from '../domain/catalog.ts';
import { isListPath } from '../domain/lists.ts';
import { digest } from './entry-files.ts';
import type { Layers } from './layers.ts';
import { type ListPlan, planLists } from './lists.ts';
import type { Planning, RecordTask, Scope } from './planning.ts';
import type { Release } from './release.ts';
import { type Known, resourceOf } from './release-index.ts';
import { twinOf } from './render-pages.ts';

/** The page changes from the previous release to the next. */
export type PagePlan = {
  scope: Scope;
  /** Records whose pages are rendered. */
  changed: PageIds;
  /** Records whose pages are withdrawn. */
  lost: PageIds;
  /** The same for list pages, by path. */
  lists: ListPlan;
  /** The number of record pages in the new release. */
  pages: number;
};

/** Models are read in batches of this size. */
const READ_PAGES = 200;
/** Changed models kept in memory for rendering, some 20 MB; the rest are read again. */
const KEPT_TASKS = 5000;
/** If more than this share of pages was touched, comparing all is cheaper. */
const TOUCHED_SHARE = 0.1;
const TOUCHED_AT_LEAST = 1000;

const pathOf = (kind: PageKind, id: number) => `/${kind}s/${id}`;

/** Returns the paths of pages and their twins. */
function pathsOf(ids: PageIds): string[] {
  const paths = PAGE_KINDS.flatMap((kind) => ids[kind].map((id) => pathOf(kind, id)));
  return paths.flatMap((path) => [path, twinOf(path)]);
}

/** Counts the pages of both kinds. */
export function countOf({ offer, product }: PageIds): number {
  return offer.length + product.length;
}

/** Tells whether a path is an offer or product page or its twin. */
export function isRecordPath(path: string): boolean {
  return path.startsWith('/offers/') || path.startsWith('/products/');
}

/** Tells whether a path is made from catalog records: a record page, its twin, or a list page. */
export function isPagePath(path: string): boolean {
  return isRecordPath(path) || isListPath(path);
}

/** Returns the paths that a plan renders and those that it withdraws. */
export function planned({ changed, lost, lists }: PagePlan): { changed: string[]; lost: string[] } {
  return {
    changed: [...pathsOf(changed), ...lists.changed.map(({ path }) => path)],
    lost: [...pathsOf(lost), ...lists.lost],
  };
}

/** Returns the number of paths that a plan renders. */
export function pathCountOf({ changed, lists }: PagePlan): number {
  return 2 * countOf(changed) + lists.changed.length;
}

/**
 * Plans which pages are rendered because their model changed, and which are withdrawn. Compares all pages if the
 * changes since the previous release are not on record.
 */
export async function planPages(planning: Planning, widest: Scope): Promise<PagePlan> {
  const { catalog, productPages, previous } = planning;
  if (previous === null || widest === 'render') return planAll(planning, 'render');
  const { version, catalogUpdatedAt: updatedAt, readAt } = previous.manifest;
  const most = Math.max(TOUCHED_AT_LEAST, previous.manifest.pages * TOUCHED_SHARE);
  const known = { version, updatedAt, readAt };
  const touched = widest === 'touched' ? await catalog.touchedPages(known, most) : null;
  if (touched === null) return planAll(planning, 'compare');
  const lists = await catalog.touchedLists(known);
  const pages = productPages ? touched : { ...touched, product: [] };
  const plan = await planTouched(planning, previous, pages, lists);
  // A wrong total means changes that were not recorded.
  return plan.pages === countPages(planning) ? plan : planAll(planning, 'compare');
}

function countPages({ catalog, productPages }: Planning): number {
  return catalog.counts.offers + (productPages ? catalog.counts.products : 0);
}

async function planTouched(
  planning: Planning,
  previous: Release,
  touched: PageIds,
  touchedLists: TouchedLists,
): Promise<PagePlan> {
  const { catalog } = planning;
  const changed: PageIds = { offer: [], product: [] };
  const lost: PageIds = { offer: [], product: [] };
  let { pages } = previous.manifest;
  for (const kind of PAGE_KINDS) {
    const present = await catalog.listPages(kind, touched[kind]);
    changed[kind] = await compare(planning, kind, present);
    const isLive = (id: number) => previous.index.isLive(pathOf(kind, id));
    pages += present.filter((id) => !isLive(id)).length;
    const there = new Set(present);
    lost[kind] = touched[kind].filter((id) => !there.has(id) && isLive(id));
  }
  // A new page counts as changed.
  const sameOffers =
    lost.offer.length === 0 &&
    changed.offer.every((id) => previous.index.isLive(pathOf('offer', id)));
  const lists = await planLists(planning, 'touched', touchedLists, sameOffers);
  return { scope: 'touched', changed, lost, lists, pages: pages - countOf(lost) };
}

async function planAll(planning: Planning, scope: 'render' | 'compare'): Promise<PagePlan> {
  const { catalog, productPages, previous } = planning;
  const all = {
    offer: await catalog.listPages('offer'),
    product: productPages ? await catalog.listPages('product') : [],
  };
  const changed: PageIds = { offer: [], product: [] };
  for (const kind of PAGE_KINDS) {
    changed[kind] = scope === 'render' ? all[kind] : await compare(planning, kind, all[kind]);
  }
  const lost = previous === null ? { offer: [], product: [] } : findLost(previous.index, all);
  const lists = await planLists(planning, scope, null);
  return { scope, changed, lost, lists, pages: countOf(all) };
}

/** A merge: both sides are in path order. */
function findLost(index: Layers, all: PageIds): PageIds {
  const lost: PageIds = { offer: [], product: [] };
  const next = { offer: 0, product: 0 };
  for (const [path, known] of index.entries()) {
    if (!isRecordPath(path) || known === 'gone' || path.endsWith('.md')) continue;
    const kind = path.startsWith('/offers/') ? 'offer' : 'product';
    const ids = all[kind];
    while (next[kind] < ids.length && pathOf(kind, ids[next[kind]] ?? 0) < path) next[kind] += 1;
    if (pathOf(kind, ids[next[kind]] ?? 0) !== path) {
      lost[kind].push(Number(path.slice(path.lastIndexOf('/') + 1)));
    }
  }
  return lost;
}

/** Returns the ids of pages whose model differs from the previous release. */
async function compare(planning: Planning, kind: PageKind, ids: number[]) {
  const changed: number[] = [];
  const { kept } = planning;
  for await (const task of readTasks(planning, kind, ids)) {
    const isSame = (known: Known | null) => resourceOf(known)?.source === task.source;
    if (isSame(task.old) && isSame(task.oldTwin)) continue;
    changed.push(task.id);
    if (kept.size < KEPT_TASKS) kept.set(task.path, task);
  }
  return changed;
}

/** Reads the models of pages in batches; ones kept from planning are handed out once. */
export async function* readTasks(
  { catalog, template, previous, kept }: Planning,
  kind: PageKind,
  ids: number[],
): AsyncGenerator<RecordTask> {
  const old = (path: string) => previous?.index.find(path) ?? null;
  for (let start = 0; start < ids.length; start += READ_PAGES) {
    const stretch = ids.slice(start, start + READ_PAGES);
    const unread = stretch.filter((id) => !kept.has(pathOf(kind, id)));
    const models = unread.length === 0 ? null : await catalog.readPages(kind, unread);
    for (const id of stretch) {
      const path = pathOf(kind, id);
      const known = kept.get(path);
      if (known !== undefined) {
        kept.delete(path);
        yield known;
        continue;
      }
      const model = models?.get(id);
      if (model === undefined) throw new Error(`the page of ${kind} ${id} is not in the catalog`);
      const source = digest([template + model]);
      yield { id, path, model, source, old: old(path), oldTwin: old(twinOf(path)) };
    }
  }
}
