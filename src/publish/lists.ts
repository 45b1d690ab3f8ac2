import type { Catalog, List, Shown, TouchedLists } from '../data/catalog/export.ts';
import {
  cutDirectory,
  cutList,
  furtherRows,
  isListPath,
  LISTED_KINDS,
  type Listed,
  linkedPages,
  listPagePath,
  merchantPath,
  OFFERS_PATH,
  PLACES_ROOT,
} from '../domain/lists.ts';
import { digest } from './entry-files.ts';
import type { Planning, Scope } from './planning.ts';
import { resourceOf } from './release-index.ts';
import type { PageTask } from './render-pages.ts';
import type { ListPage } from './site.ts';

/** A page of a list: `frame` makes the JSON around its entries. */
type CutPage = { path: string; frame: () => string; entries: Listed };

/** A list page with its frame; `shape` is a digest of frame and entry ids. */
export type ListPagePlan = { path: string; frame: string; entries: Listed; shape: string };

/** The list pages to render, and the paths of those that ceased to exist. */
export type ListPlan = { changed: ListPagePlan[]; lost: string[] };

/** Entries are read for this many pages at a time. */
const READ_LIST_PAGES = 5;

/**
 * Plans list pages: all, or those that a change may have touched. A page changed if its shape did, which is cheap
 * to tell, or if one of its entries shows something else. `sameOffers`: no offer became public or ceased to be, so the
 * pages of the list of all offers are cut as before.
 */
export async function planLists(
  planning: Planning,
  scope: Scope,
  touched: TouchedLists | null,
  sameOffers = false,
): Promise<ListPlan> {
  const { catalog, previous } = planning;
  const changed: ListPagePlan[] = [];
  const unsure: ListPagePlan[] = [];
  const present = new Set<string>();
  const lost = new Set<string>();
  const isLive = (path: string) => previous?.index.isLive(path) ?? false;
  const mayDiffer = entriesIn(touched?.entries ?? null);
  // Directories come after the lists that they name.
  const isThere = (path: string) => present.has(path) || (isLive(path) && !lost.has(path));
  const rowsOf = (list: string) => furtherRows(list, isThere);

  function plan({ path: list, shown }: List): void {
    const isCutAsBefore = sameOffers && list === OFFERS_PATH;
    const pages = shown === null ? [] : pagesOf(list, shown, rowsOf);
    for (const page of pages) {
      const { path, entries } = page;
      present.add(path);
      if (isCutAsBefore && !mayDiffer(entries)) continue;
      const shaped = withShape(page);
      const before = resourceOf(previous?.index.find(path) ?? null)?.source;
      if (scope === 'render' || !before?.startsWith(shaped.shape)) changed.push(shaped);
      else if (mayDiffer(entries)) unsure.push(shaped);
    }
    for (let next = pages.length + 1; isLive(listPagePath(list, next)); next += 1) {
      lost.add(listPagePath(list, next));
    }
  }

  for await (const list of catalog.lists(touched)) plan(list);
  // Directories name a merchant that has something to show, and the further rows of its list.
  const isNamedAnew = (list: string) =>
    isThere(list) !== isLive(list) || rowsOf(list).length !== furtherRows(list, isLive).length;
  const named = touched?.merchants.filter((id) => isNamedAnew(merchantPath(id))) ?? [];
  const ofAll = touched === null || touched.allPlaces;
  for await (const list of catalog.places(ofAll ? null : [...touched.renamed, ...named]))
    plan(list);

  // A moved store's old place is not recorded, nor is anything in a full comparison: search the release.
  const searched = touched === null ? '/' : touched.allPlaces ? PLACES_ROOT : null;
  for (const [path, known] of (searched !== null && previous?.index.entries(searched)) || []) {
    if (known !== 'gone' && isListPath(path) && !present.has(path)) lost.add(path);
  }
  const byPath = new Map(unsure.map((page) => [page.path, page]));
  for await (const { path, source, old } of readListTasks(planning, unsure)) {
    if (resourceOf(old)?.source !== source) changed.push(byPath.get(path) as ListPagePlan);
  }
  changed.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { changed, lost: [...lost] };
}

/** Returns a predicate for pages with any of the touched entries; null means any entry. */
function entriesIn(touched: Listed | null): (entries: Listed) => boolean {
  if (touched === null) return () => true;
  const ids = LISTED_KINDS.map((kind) => [kind, new Set(touched[kind])] as const);
  return (entries) => ids.some(([kind, some]) => entries[kind].some((id) => some.has(id)));
}

function pagesOf(
  list: string,
  { head, lead, entries, names: named }: Shown,
  rowsOf: (list: string) => number[],
): CutPage[] {
  const names = named?.map((entry) => {
    const rows = rowsOf(entry.path);
    return rows.length === 0 ? entry : { ...entry, rows };
  });
  const all = LISTED_KINDS.flatMap((kind) => entries[kind] ?? []);
  const starts = names ? cutDirectory(names) : all.length === 0 ? [0] : cutList(all);
  const total = names?.length ?? all.length;
  return starts.map((start, at) => {
    const number = at + 1;
    const path = listPagePath(list, number);
    const frame = () => {
      const paging = { path: list, page: number, linked: linkedPages(number, starts.length) };
      const first = number === 1 ? `"total":${total},"lead":${lead}` : '"total":null,"lead":null';
      const those = names ? `,"names":${JSON.stringify(names.slice(start, starts[number]))}` : '';
      return `${JSON.stringify(paging).slice(0, -1)},"head":${head},${first}${those}`;
    };
    return { path, frame, entries: slice(entries, start, starts[number] ?? all.length) };
  });
}

function withShape({ path, entries, ...page }: CutPage): ListPagePlan {
  const frame = page.frame();
  return { path, frame, entries, shape: digest([frame + JSON.stringify(entries)]) };
}

/** Slices entries of several kinds as if they were one list. */
function slice(entries: Partial<Listed>, start: number, end: number): Listed {
  const part: Listed = { offer: [], product: [], store: [] };
  let before = 0;
  for (const kind of LISTED_KINDS) {
    const ids = entries[kind] ?? [];
    part[kind] = ids.slice(Math.max(0, start - before), Math.max(0, end - before));
    before += ids.length;
  }
  return part;
}

/** Reads the models of list pages in batches. */
export async function* readListTasks(
  { catalog, template, previous }: Pick<Planning, 'catalog' | 'template' | 'previous'>,
  pages: readonly ListPagePlan[],
): AsyncGenerator<PageTask> {
  for (let start = 0; start < pages.length; start += READ_LIST_PAGES) {
    const stretch = pages.slice(start, start + READ_LIST_PAGES);
    const idsOf = (kind: keyof Listed) => [
      ...new Set(stretch.flatMap(({ entries }) => entries[kind])),
    ];
    const texts = await catalog.listEntries({
      offer: idsOf('offer'),
      product: idsOf('product'),
      store: idsOf('store'),
    });
    for (const { path, frame, entries, shape } of stretch) {
      const members = LISTED_KINDS.map((kind) => {
        const shown = entries[kind].map((id) => texts[kind].get(id));
        return `"${kind}s":[${shown.join(',')}]`;
      });
      const model = `${frame},${members.join(',')}}`;
      const old = previous?.index.find(path) ?? null;
      yield { path, model, source: shape + digest([template + model]), old };
    }
  }
}

/** Reads a list page by path; null if it does not exist. */
export async function readListPage(catalog: Catalog, path: string): Promise<ListPage | null> {
  const planning = { catalog, template: '', previous: null };
  for (const lists of [catalog.lists(null), catalog.places(null)]) {
    for await (const { path: list, shown } of lists) {
      const page = shown && pagesOf(list, shown, () => []).find((one) => one.path === path);
      if (!page) continue;
      const tasks = readListTasks(planning, [withShape(page)]);
      for await (const { model } of tasks) return JSON.parse(model);
    }
  }
  return null;
}
