import type { Catalog, TouchedLists } from '../data/catalog/export.ts';
import {
  cutList,
  isListPath,
  LISTED_KINDS,
  type Listed,
  linkedPages,
  listPagePath,
  PLACES_ROOT,
} from '../domain/lists.ts';
import { digest } from './entry-files.ts';
import type { Planning, Scope } from './planning.ts';
import { resourceOf } from './release-index.ts';
import type { PageTask } from './render-pages.ts';
import type { ListPage } from './site.ts';

/** A page of a list: the JSON of what it shows besides its entries, their ids, and a digest of both. */
export type ListPagePlan = { path: string; frame: string; entries: Listed; shape: string };

/** The pages of lists that are rendered, and the paths of those that there are no longer. */
export type ListPlan = { changed: ListPagePlan[]; lost: string[] };

/** The entries of so many pages are read at a time. */
const READ_LIST_PAGES = 5;

/**
 * Plans the pages of lists: of all of them, or of those that a change may have touched. A page is another one when its
 * shape is, which is cheap to tell, or when one of its entries shows something else.
 */
export async function planLists(
  planning: Planning,
  scope: Scope,
  touched: TouchedLists | null,
): Promise<ListPlan> {
  const { catalog, previous } = planning;
  const changed: ListPagePlan[] = [];
  const unsure: ListPagePlan[] = [];
  const present = new Set<string>();
  const lost = new Set<string>();
  const isLive = (path: string) => previous?.index.isLive(path) ?? false;
  const mayDiffer = entriesIn(touched?.entries ?? null);
  for await (const { path: list, shown } of catalog.lists(touched)) {
    const pages = shown === null ? [] : pagesOf(list, shown);
    for (const page of pages) {
      present.add(page.path);
      const before = resourceOf(previous?.index.find(page.path) ?? null)?.source;
      if (scope === 'render' || !before?.startsWith(page.shape)) changed.push(page);
      else if (mayDiffer(page.entries)) unsure.push(page);
    }
    for (let next = pages.length + 1; isLive(listPagePath(list, next)); next += 1) {
      lost.add(listPagePath(list, next));
    }
  }
  // Nobody knows where a store was that moved, or what there was before all was looked at.
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

/** Tells whether a page holds any of some entries; null: all of them may show something else. */
function entriesIn(touched: Listed | null): (entries: Listed) => boolean {
  if (touched === null) return () => true;
  const ids = LISTED_KINDS.map((kind) => [kind, new Set(touched[kind])] as const);
  return (entries) => ids.some(([kind, some]) => entries[kind].some((id) => some.has(id)));
}

type Shown = { head: string; lead: string; entries: Partial<Listed> };

function pagesOf(list: string, { head, lead, entries }: Shown): ListPagePlan[] {
  const all = LISTED_KINDS.flatMap((kind) => entries[kind] ?? []);
  const starts = all.length === 0 ? [0] : cutList(all);
  return starts.map((start, at) => {
    const number = at + 1;
    const path = listPagePath(list, number);
    const place = { path: list, page: number, linked: linkedPages(number, starts.length) };
    const first =
      number === 1 ? `"total":${all.length},"lead":${lead}` : '"total":null,"lead":null';
    const frame = `${JSON.stringify(place).slice(0, -1)},"head":${head},${first}`;
    const part = slice(entries, start, starts[number] ?? all.length);
    return { path, frame, entries: part, shape: digest([frame + JSON.stringify(part)]) };
  });
}

/** A stretch of entries of several kinds, counted through. */
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

/** Reads what pages of lists are made of, a stretch at a time. */
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

/** One page of a list by its path; null when there is no such page. */
export async function readListPage(catalog: Catalog, path: string): Promise<ListPage | null> {
  const planning = { catalog, template: '', previous: null };
  for await (const { path: list, shown } of catalog.lists(null)) {
    const page = shown && pagesOf(list, shown).find((one) => one.path === path);
    if (!page) continue;
    for await (const { model } of readListTasks(planning, [page])) return JSON.parse(model);
  }
  return null;
}
