import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathsOf } from '../domain/resources.ts';
import { type Content, digest, linkEntry, type Output, writeEntry } from './entry-files.ts';
import { isPagePath } from './plan.ts';
import type { Release } from './release.ts';
import { resourceOf } from './release-index.ts';
import { openRenderer } from './render.ts';
import type { Site, SitemapKind } from './site.ts';

/** The inputs of the documents. */
export type DocumentSources = {
  site: Site;
  distFolder: string;
  output: Output;
  previous: Release | null;
  /** Whether templates and settings are those of the previous release. */
  reuse: boolean;
  /** Paths of changed sitemap parts. */
  changedSitemaps: string[];
};

/**
 * Renders the documents that may have changed, links the others from the previous release, and adds the files of
 * the build and `public/`. Returns their index lines, unsorted.
 */
export async function addDocuments(sources: DocumentSources): Promise<string[]> {
  const { site, distFolder, output, previous, reuse, changedSitemaps } = sources;
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
    lines.push(linkEntry(output.folder, path, known));
  }
  return lines;
}

/** Tells whether a path is a sitemap part that no longer exists. */
function isPastPart({ sitemaps }: Site, path: string): boolean {
  const [, kind, part] = /^\/sitemaps\/(lists|offers|products)\/(\d+)$/.exec(path) ?? [];
  return kind !== undefined && Number(part) > sitemaps[kind as SitemapKind].length;
}

/** Adds content, linked if the previous release has the same. */
function addContent({ output, previous }: DocumentSources, content: Content): string {
  const { path, body, type } = content;
  const old = resourceOf(previous?.index.find(path) ?? null);
  return old?.hash === digest([body]) && old.type === type
    ? linkEntry(output.folder, path, old)
    : writeEntry(output, content, old);
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

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

/** Returns the content type of a file that is published unchanged. */
function contentTypeOf(path: string): string {
  return TYPES[extname(path)] ?? 'application/octet-stream';
}
