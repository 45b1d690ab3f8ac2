import type { Links } from '../domain/links.ts';
import { LIST_ROOTS } from '../domain/lists.ts';
import type { Layers } from './layers.ts';
import { linePath, lineTime } from './release-index.ts';
import type { SitemapEntry } from './site.ts';
import { ADDRESSES } from './sitemaps.ts';

/** Parts of the sitemap of lists: when each changed, and its addresses. */
export type ListSitemap = { changed: (string | null)[]; parts: SitemapEntry[][] };

/** The pages of lists, by path, and since when they are what they are, in seconds of the epoch. */
type Dates = Map<string, number>;

/** The pages of lists in a release to be: those of the one before, without those that are lost, and what was rendered. */
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

/** Cuts the sitemap of lists; there is at least one part. */
export function listSitemap(dates: Dates, links: Pick<Links, 'to'>): ListSitemap {
  const entries = [...dates]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, modified]) => {
      return { url: links.to(path), lastModified: new Date(modified * 1000).toISOString() };
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
