import type { Named } from './catalog.ts';
import { placeKey } from './places.ts';

/** The most entries on one page of a list. */
export const LIST_PAGE_ENTRIES = 60;
/** The radius of `cutList`: pages hold more entries than this, about twice as many on average. */
const REACH = 20;
/** The row length of `linkedPages`: some 20,000 entries; the links take 4 KB of a page, compressed. */
const ROW = 600;

/** The paths of the top-level lists. */
export const LIST_ROOTS = ['/categorias', '/cidades', '/lojas', '/ofertas'] as const;
export const OFFERS_PATH = '/ofertas';
/** The Atom feed of offers, latest changes first. */
export const OFFERS_FEED = '/ofertas.atom';
export const PLACES_ROOT = '/cidades/';

/** The kinds that lists contain, in display order, and ids by kind. */
export const LISTED_KINDS = ['offer', 'product', 'store'] as const;
export type Listed = Record<(typeof LISTED_KINDS)[number], number[]>;

/** A city with its districts, most stores first; counts only stores that have something to show. */
export type CityWays = { name: string; stores: number; districts: string[] };

/** Entry points into the catalog: top-level categories and cities. */
export type Directions = { categories: Named[]; cities: CityWays[] };

export const merchantPath = (id: number) => `/lojas/${id}`;
/** Returns the path of a store: an anchor on its merchant's page. */
export const storePath = (merchant: number, store: number) =>
  `${merchantPath(merchant)}#loja-${store}`;
export const categoryPath = (id: number) => `/categorias/${id}`;

/** Returns the path of a city, or of one of its districts. */
export function placePath(city: string, district: string | null = null): string {
  const path = PLACES_ROOT + slugOf(city);
  if (district === null) return path;
  const slug = slugOf(district);
  // A bare number would be read as a page of the city.
  return /^\d+$/.test(slug) ? `${path}/bairro-${slug}` : `${path}/${slug}`;
}

/** Makes a URL slug; letters that are not ASCII once accents are gone are written as code points. */
function slugOf(name: string): string {
  const ascii = placeKey(name).replace(
    /[^ -~]/gu,
    (char) => `u${char.codePointAt(0)?.toString(16)}`,
  );
  return ascii.replaceAll(' ', '-') || 'sem-nome';
}

/** Returns the path of a page of a list; page 1 is the list itself. */
export function listPagePath(list: string, page: number): string {
  return page === 1 ? list : `${list}/${page}`;
}

/** Tells whether a path is a page of a list. */
export function isListPath(path: string): boolean {
  return LIST_ROOTS.some((root) => path === root || path.startsWith(`${root}/`));
}

/**
 * Returns the positions at which the pages of a list begin. Content-defined chunking, as in backup programs: a page
 * begins at an entry whose hash is the minimum within 20 positions. An insertion or removal changes the page it is
 * on and rarely (1 in 20) a boundary, and the cut depends on the list alone.
 */
export function cutList(ids: readonly number[]): number[] {
  if (ids.length === 0) return [];
  if (ids.length <= LIST_PAGE_ENTRIES) return [0];
  const cuts = leastHashes(ids);
  return [0, ...cuts].flatMap((start, at) => {
    const length = (cuts[at] ?? ids.length) - start;
    const pages = Math.ceil(length / LIST_PAGE_ENTRIES);
    return Array.from({ length: pages }, (_, page) => start + Math.ceil((page * length) / pages));
  });
}

/** Returns the positions whose hash is a local minimum, away from both ends. */
function leastHashes(ids: readonly number[]): number[] {
  const hashes = Uint32Array.from(ids, hashOf);
  const isLeast = (at: number) => {
    const own = hashes[at] ?? 0;
    for (let near = at - REACH; near <= at + REACH; near += 1) {
      const other = hashes[near] ?? own;
      if (other < own || (other === own && near < at)) return false;
    }
    return true;
  };
  const found: number[] = [];
  for (let at = REACH; at + REACH < ids.length; at += 1) if (isLeast(at)) found.push(at);
  return found;
}

/** Spreads consecutive ids over 32 bits (the finalizer of MurmurHash3). */
function hashOf(id: number): number {
  let bits = (id | 0) ^ Math.trunc(id / 2 ** 32);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/**
 * Returns the pages that a page of a list links to: the first, its neighbours and, from the first page of each row
 * of 600, the rest of the row; page 1 links to the start of every row. A subcategory is two clicks from the home
 * page, any page of it three, a record four. A new page changes only two others.
 */
export function linkedPages(page: number, pages: number): number[] {
  const linked = new Set([1, page - 1, page + 1]);
  if (page % ROW === 1) for (let next = page + 1; next < page + ROW; next += 1) linked.add(next);
  if (page === 1) for (let row = 1; row <= pages; row += ROW) linked.add(row);
  linked.delete(page);
  return [...linked].filter((other) => other >= 1 && other <= pages).sort((a, b) => a - b);
}
