import type { Catalog, IdRange, PageSpan } from '../data/catalog/export.ts';
import type { PageIds } from '../domain/catalog.ts';
import type { Links } from '../domain/links.ts';
import { LIST_ROOTS } from '../domain/lists.ts';
import type { Layers } from './layers.ts';
import { linePath, lineTime } from './release-index.ts';
import type { SitemapEntry, SitemapKind } from './site.ts';

/** The kinds of sitemap made of records. */
type RecordSitemap = Exclude<SitemapKind, 'lists'>;

/** A part of a sitemap: its lower bound by id, and the last change of its records. */
export type SitemapPart = { from: number; changed: string | null };

/**
 * The most URLs in a part. The protocol allows 50,000, but a change rewrites the whole part that it is in, and a crawler
 * fetches it again.
 */
export const ADDRESSES = 2500;
const KINDS = { offers: 'offer', products: 'product' } as const;

/** The sitemap parts of a release; those of the previous one are reused as far as possible. */
export type SitemapPlan = {
  parts: Record<RecordSitemap, SitemapPart[]>;
  /** Paths of parts whose content changed. */
  changed: string[];
  /** The last change and the URLs of each part: see Site. */
  sitemaps: Record<RecordSitemap, (string | null)[]>;
  sitemap(kind: RecordSitemap, part: number): Promise<SitemapEntry[] | null>;
};

/**
 * Plans the parts of the sitemaps. Bounds are kept between releases, so that a record changes only its own part;
 * from the first part that overflows on, all are cut anew. `touched`: ids of pages added, changed or removed; null
 * for all.
 */
export async function planSitemaps(
  catalog: Catalog,
  { links, productPages }: { links: Links; productPages: boolean },
  before: Record<RecordSitemap, SitemapPart[]> | null,
  touched: PageIds | null,
): Promise<SitemapPlan> {
  const known = touched === null ? null : before;
  const offers = await planKind(catalog, 'offers', known?.offers ?? [], touched);
  const products = productPages
    ? await planKind(catalog, 'products', known?.products ?? [], touched)
    : { parts: [], changed: [] };
  const parts = { offers: offers.parts, products: products.parts };
  const changedOf = (kind: RecordSitemap, { changed }: typeof offers) =>
    changed.map((at) => `/sitemaps/${kind}/${at + 1}`);
  return {
    parts,
    changed: [...changedOf('offers', offers), ...changedOf('products', products)],
    sitemaps: {
      offers: parts.offers.map(({ changed }) => changed),
      products: parts.products.map(({ changed }) => changed),
    },
    async sitemap(kind, number) {
      if (parts[kind][number - 1] === undefined) return null;
      const range = rangeOf(parts[kind], number - 1);
      const dates = await catalog.pageDates(KINDS[kind], range, ADDRESSES);
      const urlOf = kind === 'offers' ? links.offer : links.product;
      return dates.map(({ id, updatedAt, picture }): SitemapEntry => {
        return { url: urlOf(id), lastModified: updatedAt, picture };
      });
    },
  };
}

type KindPlan = { parts: SitemapPart[]; changed: number[] };

async function planKind(
  catalog: Catalog,
  kind: RecordSitemap,
  before: SitemapPart[],
  touched: PageIds | null,
): Promise<KindPlan> {
  if (before.length === 0) return cutFrom(catalog, kind, [], Number.MIN_SAFE_INTEGER);
  const parts = [...before];
  const touchedParts = new Set((touched?.[KINDS[kind]] ?? []).map((id) => partOf(before, id)));
  const done: number[] = [];
  for (const at of [...touchedParts].sort((a, b) => a - b)) {
    const { changed, beyond } = await catalog.pageSpan(KINDS[kind], rangeOf(parts, at), ADDRESSES);
    const { from } = before[at] as SitemapPart;
    if (beyond !== null) {
      const cut = await cutFrom(catalog, kind, parts.slice(0, at), from);
      return { parts: cut.parts, changed: [...done, ...cut.changed] };
    }
    parts[at] = { from, changed };
    done.push(at);
  }
  return { parts, changed: done };
}

/** Cuts parts from an id on, after those that are kept. */
async function cutFrom(
  catalog: Catalog,
  kind: RecordSitemap,
  stay: SitemapPart[],
  from: number,
): Promise<KindPlan> {
  const parts = [...stay];
  const changed: number[] = [];
  for (let start: number | null = from; start !== null; ) {
    const range = { from: start, below: null };
    const span: PageSpan = await catalog.pageSpan(KINDS[kind], range, ADDRESSES);
    changed.push(parts.length);
    parts.push({ from: start, changed: span.changed });
    start = span.beyond;
  }
  return { parts, changed };
}

/** Returns the id range of a part, up to the start of the next. */
const rangeOf = (parts: SitemapPart[], at: number): IdRange => ({
  from: parts[at]?.from ?? 0,
  below: parts[at + 1]?.from ?? null,
});

/** Finds the part that contains an id. */
const partOf = (parts: SitemapPart[], id: number) => parts.findLastIndex(({ from }) => from <= id);

/** A list page in the sitemap: its path, and its mtime in seconds. */
type DatedPath = [path: string, modified: number];

/** The sitemap of the lists: its parts, and the numbers of those that changed. */
export type ListSitemap = { parts: DatedPath[][]; changed: number[] };

/** The list pages of a release and of the one before it; `lines` are the index lines of those rendered. */
type ListPages = { before: Layers | null; lost: string[]; lines: string[] };

/** Splits the list pages of a new release into parts, at least one, in path order. */
export function listSitemap({ before, lost, lines }: ListPages): ListSitemap {
  const dates = new Map(datedLists(before));
  const rendered = lines.map((line): DatedPath => [linePath(line), lineTime(line)]);
  // From the first path that came or went on, all parts are cut anew.
  const moved = [...lost, ...rendered.flatMap(([path]) => (dates.has(path) ? [] : [path]))];
  const [shift = ''] = moved.toSorted();
  for (const path of lost) dates.delete(path);
  for (const [path, modified] of rendered) dates.set(path, modified);
  const sorted = [...dates].sort(([a], [b]) => (a < b ? -1 : 1));
  const count = Math.max(1, Math.ceil(sorted.length / ADDRESSES));
  const parts = Array.from({ length: count }, (_, at) =>
    sorted.slice(at * ADDRESSES, (at + 1) * ADDRESSES),
  );
  const anew = new Set(rendered.map(([path]) => path));
  const isCutAnew = (part: DatedPath[], number: number) =>
    moved.length > 0 && (number === count || (part.at(-1)?.[0] ?? '') >= shift);
  const changed = parts.flatMap((part, at) =>
    before === null || isCutAnew(part, at + 1) || part.some(([path]) => anew.has(path))
      ? [at + 1]
      : [],
  );
  return { parts, changed };
}

function* datedLists(layers: Layers | null): Generator<DatedPath> {
  for (const root of LIST_ROOTS) {
    for (const [path, known] of layers?.entries(root) ?? []) {
      if (known !== 'gone') yield [path, known.modified];
    }
  }
}

/** Returns the last change of a part; null if it is empty. */
export function lastChange(part: DatedPath[]): string | null {
  const latest = part.reduce((most, [, modified]) => Math.max(most, modified), 0);
  return part.length === 0 ? null : isoOf(latest);
}

/** Returns the sitemap entries of a part. */
export function listEntries(part: DatedPath[], links: Pick<Links, 'to'>): SitemapEntry[] {
  return part.map(([path, modified]) => {
    return { url: links.to(path), lastModified: isoOf(modified), picture: null };
  });
}

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();
