import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathsOf } from '../domain/resources.ts';
import { contentTypeOf } from './content-type.ts';
import { type Content, digest, linkEntry, type Shelf, writeEntry } from './entry-files.ts';
import { isPagePath } from './plan.ts';
import type { Release } from './release.ts';
import { resourceOf } from './release-index.ts';
import { openRenderer } from './render.ts';
import type { Site, SitemapKind } from './site.ts';

/** What documents are made of. */
export type DocumentSources = {
  site: Site;
  distFolder: string;
  shelf: Shelf;
  previous: Release | null;
  /** True when templates and settings are those of the release before. */
  reuse: boolean;
  /** Parts of the sitemap that changed. */
  changedSitemaps: string[];
};

/**
 * Renders the documents that may have changed, and takes the others from the release before; with what the build and
 * `public/` hold. Returns their lines of the index, in no order.
 */
export async function addDocuments(sources: DocumentSources): Promise<string[]> {
  const { site, distFolder, shelf, previous, reuse, changedSitemaps } = sources;
  const lines: string[] = [];
  const rendered = new Set([
    ...pathsOf('catalog'),
    ...changedSitemaps,
    ...(reuse ? [] : pathsOf('templates')),
  ]);
  const { render } = await openRenderer(distFolder);
  for (const path of rendered) {
    lines.push(addContent(sources, { path, source: null, ...(await render(path, site)) }));
  }
  if (!reuse) return [...lines, ...addAssets(sources)];
  for (const [path, known] of previous?.index.ownEntries() ?? []) {
    if (known === 'gone' || isPagePath(path) || rendered.has(path) || isPastPart(site, path))
      continue;
    lines.push(linkEntry(shelf.folder, path, known));
  }
  return lines;
}

/** True for a part of the sitemap that there is no longer. */
function isPastPart({ sitemaps }: Site, path: string): boolean {
  const [, kind, part] = /^\/sitemaps\/(lists|offers|products)\/(\d+)$/.exec(path) ?? [];
  return kind !== undefined && Number(part) > sitemaps[kind as SitemapKind].length;
}

/** Adds content, linked where the release before has the same. */
function addContent({ shelf, previous }: DocumentSources, content: Content): string {
  const { path, body, type } = content;
  const old = resourceOf(previous?.index.find(path) ?? null);
  return old?.hash === digest([body]) && old.type === type
    ? linkEntry(shelf.folder, path, old)
    : writeEntry(shelf, content, old);
}

function addAssets(sources: DocumentSources): string[] {
  const folder = join(sources.distFolder, 'client');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(folder.length).replaceAll('\\', '/');
    const type = contentTypeOf(path);
    return [addContent(sources, { path, body: readFileSync(file), type, source: null })];
  });
}
