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

export const ADDRESSES = 50_000;
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

/** The parts of the lists' sitemap: their last modification and their URLs. */
export type ListSitemap = { changed: (string | null)[]; parts: SitemapEntry[][] };

/** Paths of list pages with their mtimes in seconds. */
type Dates = Map<string, number>;

/** Returns the list pages of the new release: those of the previous one, minus the lost, plus the rendered. */
export function listDates(before: Layers | null, lost: string[], lines: string[]): Dates {
  const dates: Dates = new Map();
  for (const root of LIST_ROOTS) {
    for (const [path, known] of before?.entries(root) ?? []) {
      if (known !== 'gone') dates.set(path, known.modified);
    }
  }
  for (const path of lost) dates.delete(path);
  for (const line of lines) dates.set(linePath(line), lineTime(line));
  return dates;
}

/** Splits the lists' sitemap into parts, at least one. */
export function listSitemap(dates: Dates, links: Pick<Links, 'to'>): ListSitemap {
  const entries = [...dates]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, modified]) => {
      const lastModified = new Date(modified * 1000).toISOString();
      return { url: links.to(path), lastModified, picture: null };
    });
  const count = Math.max(1, Math.ceil(entries.length / ADDRESSES));
  const parts = Array.from({ length: count }, (_, at) =>
    entries.slice(at * ADDRESSES, (at + 1) * ADDRESSES),
  );
  const latest = (part: SitemapEntry[]) =>
    part
      .map(({ lastModified }) => lastModified)
      .sort()
      .at(-1) ?? null;
  return { changed: parts.map(latest), parts };
}
