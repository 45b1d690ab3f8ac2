import type { Catalog, IdRange, PageSpan } from '../data/catalog/export.ts';
import type { PageIds } from '../domain/catalog.ts';
import type { Links } from '../domain/links.ts';
import type { SitemapEntry, SitemapKind } from './site.ts';

/** The sitemaps of records. */
type RecordSitemap = Exclude<SitemapKind, 'lists'>;

/** A part of a sitemap: the first id that it may hold, and when the latest of its records changed. */
export type SitemapPart = { from: number; changed: string | null };

export const ADDRESSES = 50_000;
const KINDS = { offers: 'offer', products: 'product' } as const;

/** Parts of a sitemap that have to be written; `parts` are those of before, as far as they are known. */
export type SitemapPlan = {
  parts: Record<RecordSitemap, SitemapPart[]>;
  /** Paths of the parts that have another content than before. */
  changed: string[];
  /** When each part changed, and its addresses: see Site. */
  sitemaps: Record<RecordSitemap, (string | null)[]>;
  sitemap(kind: RecordSitemap, part: number): Promise<SitemapEntry[] | null>;
};

/**
 * Plans the parts of a sitemap. They keep their bounds from one release to the next, so that a record changes the
 * part that it is in and no other; from one on that overflows they are cut anew. `touched`: ids of pages that came,
 * changed or went; null for all.
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
      return dates.map(({ id, updatedAt }): SitemapEntry => {
        return { url: urlOf(id), lastModified: updatedAt };
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

/** Cuts the parts from an id on, behind those that stay as they are. */
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

/** The ids that belong to a part: up to where the next one begins. */
const rangeOf = (parts: SitemapPart[], at: number): IdRange => ({
  from: parts[at]?.from ?? 0,
  below: parts[at + 1]?.from ?? null,
});

/** The last part that begins no later than an id. */
const partOf = (parts: SitemapPart[], id: number) => parts.findLastIndex(({ from }) => from <= id);
