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

/** What becomes of the pages of a catalog, beside the release before. */
export type PagePlan = {
  scope: Scope;
  /** Those whose pages are rendered. */
  changed: PageIds;
  /** Those that had a page in the release before and have none now. */
  lost: PageIds;
  /** The same for the pages of lists, by their paths. */
  lists: ListPlan;
  /** All pages of records. */
  pages: number;
};

/** As many models are read at a time. */
const READ_PAGES = 200;
/** So many that differ are kept until they are rendered, some 20 MB; the others are read once more. */
const KEPT_TASKS = 5000;
/** Beyond this share of the pages it costs less to compare them all. */
const TOUCHED_SHARE = 0.1;
const TOUCHED_AT_LEAST = 1000;

const pathOf = (kind: PageKind, id: number) => `/${kind}s/${id}`;

/** The paths of pages and of their twins. */
function pathsOf(ids: PageIds): string[] {
  const paths = PAGE_KINDS.flatMap((kind) => ids[kind].map((id) => pathOf(kind, id)));
  return paths.flatMap((path) => [path, twinOf(path)]);
}

/** How many pages these are. */
export function countOf({ offer, product }: PageIds): number {
  return offer.length + product.length;
}

/** True for offer and product pages and their twins. */
export function isRecordPath(path: string): boolean {
  return path.startsWith('/offers/') || path.startsWith('/products/');
}

/** True for all pages that are made from the catalog a path at a time, and their twins. */
export function isPagePath(path: string): boolean {
  return isRecordPath(path) || isListPath(path);
}

/** The paths that a plan renders, and those that it withdraws. */
export function planned({ changed, lost, lists }: PagePlan): { changed: string[]; lost: string[] } {
  return {
    changed: [...pathsOf(changed), ...lists.changed.map(({ path }) => path)],
    lost: [...pathsOf(lost), ...lists.lost],
  };
}

/**
 * Plans the pages of a catalog: which are rendered, because what they are made of changed, and which are withdrawn.
 * Where it is not on record what changed since the release before, all are compared.
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
  // What does not add up was changed behind the back of the record of changes.
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
  const lists = await planLists(planning, 'touched', touchedLists);
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

/** Both are in the order of paths: a step for each page. */
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

/** The ids of the pages that are made of something else than in the release before. */
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

/** Reads what pages are made of, a stretch at a time; what was kept of it is handed out, once. */
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
