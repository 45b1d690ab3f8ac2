import type { Named } from './catalog.ts';
import { placeKey } from './places.ts';

/** The most entries that one page of a list shows. */
export const LIST_PAGE_ENTRIES = 60;
/** See `cutList`: pages hold more entries than this, and about twice as many on average. */
const REACH = 20;
/** See `linkedPages`: some 20,000 entries; the links are 4 KB of a page, compressed. */
const ROW = 600;

/** Where lists begin. */
export const LIST_ROOTS = ['/categorias', '/cidades', '/lojas', '/ofertas'] as const;
export const OFFERS_PATH = '/ofertas';
export const PLACES_ROOT = '/cidades/';

/** What lists consist of, in the order in which a list shows it; ids of such records. */
export const LISTED_KINDS = ['offer', 'product', 'store'] as const;
export type Listed = Record<(typeof LISTED_KINDS)[number], number[]>;

/** A city with its districts, those with the most stores first; only stores that have something to show. */
export type CityWays = { name: string; stores: number; districts: string[] };

/** Where the ways through the catalog begin: the categories above all others, and the cities. */
export type Directions = { categories: Named[]; cities: CityWays[] };

export const merchantPath = (id: number) => `/lojas/${id}`;
/** Where a store stands on the page of its merchant. */
export const storePath = (merchant: number, store: number) =>
  `${merchantPath(merchant)}#loja-${store}`;
export const categoryPath = (id: number) => `/categorias/${id}`;

/** The path of a city, or of one of its districts, by their names. */
export function placePath(city: string, district: string | null = null): string {
  const path = PLACES_ROOT + slugOf(city);
  if (district === null) return path;
  const slug = slugOf(district);
  // A bare number would be a page of the city.
  return /^\d+$/.test(slug) ? `${path}/bairro-${slug}` : `${path}/${slug}`;
}

/** The name of a place as it stands in a path: letters that are not ASCII, beyond accents, by their code points. */
function slugOf(name: string): string {
  const ascii = placeKey(name).replace(
    /[^ -~]/gu,
    (char) => `u${char.codePointAt(0)?.toString(16)}`,
  );
  return ascii.replaceAll(' ', '-') || 'sem-nome';
}

/** The path of a page of a list; the first one is the list itself. */
export function listPagePath(list: string, page: number): string {
  return page === 1 ? list : `${list}/${page}`;
}

/** True for the pages of lists. */
export function isListPath(path: string): boolean {
  return LIST_ROOTS.some((root) => path === root || path.startsWith(`${root}/`));
}

/**
 * Where the pages of a list begin, by positions in it. Content-defined chunking, as backup programs cut files: a page
 * begins at an entry whose hash is the least within 20 places. An entry that comes or goes changes the page that it is
 * on, and seldom (1 in 20) where pages begin; and the cut depends on nothing but the list.
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

/** The positions whose hash is the least of all around them, away from both ends. */
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

/** Spreads ids, which come in a row, over 32 bits (the finalizer of MurmurHash3). */
function hashOf(id: number): number {
  let bits = (id | 0) ^ Math.trunc(id / 2 ** 32);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/**
 * The other pages of a list that one links to: the first, those beside it and, from the first of each row of 600, its
 * row; the first page links to the beginning of every row. A category below another is two clicks from the home page:
 * one more to any page of it, and a fourth to a record. A page that is added changes two.
 */
export function linkedPages(page: number, pages: number): number[] {
  const linked = new Set([1, page - 1, page + 1]);
  if (page % ROW === 1) for (let next = page + 1; next < page + ROW; next += 1) linked.add(next);
  if (page === 1) for (let row = 1; row <= pages; row += ROW) linked.add(row);
  linked.delete(page);
  return [...linked].filter((other) => other >= 1 && other <= pages).sort((a, b) => a - b);
}
