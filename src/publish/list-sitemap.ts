import type { Links } from '../domain/links.ts';
import { LIST_ROOTS } from '../domain/lists.ts';
import type { Layers } from './layers.ts';
import { linePath, lineTime } from './release-index.ts';
import type { SitemapEntry } from './site.ts';
import { ADDRESSES } from './sitemaps.ts';

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
