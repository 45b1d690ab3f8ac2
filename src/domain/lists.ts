import type { Named } from './catalog.ts';
import { nameKey, placeKey } from './places.ts';

/** The radius of `cutList`: pages hold more entries than this, about twice as many on average, at most three times. */
const REACH = 20;
/** The same for directories, whose entries are only names. */
const DIRECTORY_REACH = 100;
/** The most entries on one page of a list. */
export const LIST_PAGE_ENTRIES = 3 * REACH;
/** The row length of `linkedPages`: some 20,000 entries; the links take 4 KB of a page, compressed. */
const ROW = 600;

/** The paths of the top-level lists. */
export const LIST_ROOTS = ['/categorias', '/cidades', '/lojas', '/ofertas'] as const;
export const OFFERS_PATH = '/ofertas';
/** Directories: lists of all merchants, categories and cities by name. */
export const MERCHANTS_PATH = '/lojas';
export const CATEGORIES_PATH = '/categorias';
export const CITIES_PATH = '/cidades';
const DIRECTORIES: readonly string[] = [MERCHANTS_PATH, CATEGORIES_PATH, CITIES_PATH];
/** The Atom feed of offers, latest changes first. */
export const OFFERS_FEED = '/ofertas.atom';
export const PLACES_ROOT = `${CITIES_PATH}/`;

/** The kinds that lists contain, in display order, and ids by kind. */
export const LISTED_KINDS = ['offer', 'product', 'store'] as const;
export type Listed = Record<(typeof LISTED_KINDS)[number], number[]>;

/** A city with its districts, most stores first; counts only stores that have something to show. */
export type CityWays = Named & { stores: number; districts: string[] };

/**
 * An entry of a directory; `within` tells it from others of the same name, `rows` are the pages that begin further rows
 * of its list (see `linkedPages`).
 */
export type DirectoryEntry = Named & { path: string; within: string | null; rows?: number[] };

/** A letter of a directory and where its names begin. */
export type DirectoryLetter = { letter: string; path: string };

/** A page of a directory, with its first and last names. */
export type DirectorySpan = { path: string; first: string; last: string };

/**
 * Entry points into the catalog: top-level categories and cities, and the pages of the directories with all of them.
 * The home page links to these, so that every category and city is two clicks away.
 */
export type Directions = {
  categories: Named[];
  cities: CityWays[];
  spans: { categories: DirectorySpan[]; cities: DirectorySpan[] };
};

export const merchantPath = (id: number) => `${MERCHANTS_PATH}/${id}`;
/** Returns the path of a store: an anchor on its merchant's page. */
export const storePath = (merchant: number, store: number) =>
  `${merchantPath(merchant)}#loja-${store}`;
export const categoryPath = (id: number) => `${CATEGORIES_PATH}/${id}`;

/** Returns the path of a city, or of one of its districts. */
export function placePath(city: string, district: string | null = null): string {
  // Names that would be read as a page of the directory, or of the city.
  const path = PLACES_ROOT + slugOf(city).replace(/^(?=pagina-\d+$)/, 'cidade-');
  if (district === null) return path;
  const slug = slugOf(district);
  return /^\d+$/.test(slug) ? `${path}/bairro-${slug}` : `${path}/${slug}`;
}

const slugOf = (place: string) => asciiSlug(placeKey(place));

/** Makes a URL slug of a folded name; letters that are not ASCII are written as code points. */
function asciiSlug(key: string): string {
  const ascii = key.replace(/[^ -~]/gu, (char) => `u${char.codePointAt(0)?.toString(16)}`);
  return ascii.replaceAll(' ', '-') || 'sem-nome';
}

/** Returns the path of a page of a list; page 1 is the list itself. Below a directory, a number is an id. */
export function listPagePath(list: string, page: number): string {
  if (page === 1) return list;
  return DIRECTORIES.includes(list) ? `${list}/pagina-${page}` : `${list}/${page}`;
}

/** Cuts a directory into pages. */
export function cutDirectory(entries: readonly DirectoryEntry[]): number[] {
  return cutList(
    entries.map(({ id }) => id),
    DIRECTORY_REACH,
  );
}

/** Returns the letter of a directory that a name is under; digits are together, signs under "". */
export function letterOf(name: string): string {
  const [first = ''] = nameKey(name);
  return /\d/.test(first) ? '0–9' : first.toUpperCase();
}

/** Returns the anchor of a letter. */
export const letterAnchor = (letter: string) => `letra-${asciiSlug(nameKey(letter))}`;

/** Returns the letters of a directory in order. */
export function directoryLetters(
  list: string,
  entries: readonly DirectoryEntry[],
): DirectoryLetter[] {
  const starts = cutDirectory(entries);
  const letters = new Map<string, number>();
  for (const [at, { name }] of entries.entries()) {
    const letter = letterOf(name);
    if (!letters.has(letter)) letters.set(letter, at);
  }
  return [...letters].map(([letter, at]) => {
    const page = listPagePath(list, starts.findLastIndex((start) => start <= at) + 1);
    return { letter, path: `${page}#${letterAnchor(letter)}` };
  });
}

/** Returns the pages of a directory with what they begin and end with. */
export function directorySpans(list: string, entries: readonly DirectoryEntry[]): DirectorySpan[] {
  const starts = cutDirectory(entries);
  return starts.map((start, at) => ({
    path: listPagePath(list, at + 1),
    first: entries[start]?.name ?? '',
    last: entries[(starts[at + 1] ?? entries.length) - 1]?.name ?? '',
  }));
}

/** Tells whether a path is a page of a list. */
export function isListPath(path: string): boolean {
  return LIST_ROOTS.some((root) => path === root || path.startsWith(`${root}/`));
}

/**
 * Returns the positions at which the pages of a list begin. Content-defined chunking, as in backup programs: a page
 * begins at an entry whose hash is the minimum within `reach` positions. An insertion or removal changes the page it
 * is on and rarely (1 in `reach`) a boundary, and the cut depends on the list alone.
 */
export function cutList(ids: readonly number[], reach = REACH): number[] {
  const most = 3 * reach;
  if (ids.length === 0) return [];
  if (ids.length <= most) return [0];
  const cuts = leastHashes(ids, reach);
  return [0, ...cuts].flatMap((start, at) => {
    const length = (cuts[at] ?? ids.length) - start;
    const pages = Math.ceil(length / most);
    return Array.from({ length: pages }, (_, page) => start + Math.ceil((page * length) / pages));
  });
}

/** Returns the positions whose hash is a local minimum, away from both ends. */
function leastHashes(ids: readonly number[], reach: number): number[] {
  const hashes = Uint32Array.from(ids, hashOf);
  const isLeast = (at: number) => {
    const own = hashes[at] ?? 0;
    for (let near = at - reach; near <= at + reach; near += 1) {
      const other = hashes[near] ?? own;
      if (other < own || (other === own && near < at)) return false;
    }
    return true;
  };
  const found: number[] = [];
  for (let at = reach; at + reach < ids.length; at += 1) if (isLeast(at)) found.push(at);
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
 * of 600, the rest of the row; page 1 links to the start of every row, and so does a directory. A new page changes only
 * two others.
 *
 * Clicks from the home page: a page of the categories 1, the start of a row of any category 2, any page of it 3, a
 * product there 4. The merchants 1, any page of them 2, the start of a row of any merchant 3, any page of it 4. A page
 * of the cities 1, a city 2, a district 3, any page of its first row 4.
 */
export function linkedPages(page: number, pages: number): number[] {
  const linked = new Set([1, page - 1, page + 1]);
  if (page % ROW === 1) for (let next = page + 1; next < page + ROW; next += 1) linked.add(next);
  if (page === 1) for (let row = 1; row <= pages; row += ROW) linked.add(row);
  linked.delete(page);
  return [...linked].filter((other) => other >= 1 && other <= pages).sort((a, b) => a - b);
}

/** Returns the pages that begin the further rows of a list, given which pages there are. */
export function furtherRows(list: string, isThere: (path: string) => boolean): number[] {
  const rows: number[] = [];
  for (let page = ROW + 1; isThere(listPagePath(list, page)); page += ROW) rows.push(page);
  return rows;
}
