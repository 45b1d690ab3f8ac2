import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NO_ADDRESSES } from '../domain/surface.ts';
import { contentTypeOf } from './content-type.ts';
import { syncTree } from './durable.ts';
import { type Content, digest, linkEntry, type Shelf, writeEntry } from './entry-files.ts';
import { type LostRecords, refuseLoss } from './loss.ts';
import { planPages } from './plan.ts';
import { changedPaths, PURGE_FILE } from './purge.ts';
import { rebaseIfDue } from './rebase.ts';
import {
  baseName,
  type Draft,
  type Manifest,
  openCurrentRelease,
  openDraft,
  prune,
  type Release,
  switchTo,
} from './release.ts';
import { fileOf, linePath, parseLine } from './release-index.ts';
import { buildIdOf, openRenderer } from './render.ts';
import { renderPages } from './render-pages.ts';
import type { PageSite, Site } from './site.ts';
import { verifyRelease } from './verify.ts';

export type PublishOptions = {
  site: Site;
  /** Where releases are kept. */
  root: string;
  /** The output of `astro build`. */
  distFolder: string;
  /** Render every page, changed or not. */
  full: boolean;
  /** Publish even when more than half of the catalog is gone and no import removed it. */
  force: boolean;
  /** How many of the records whose pages are lost are missing although no import removed them. */
  countUnexplained: (lost: LostRecords) => Promise<number>;
  onProgress?: (done: number, total: number) => void;
};

export type PublishResult = {
  id: string;
  pages: number;
  /** Pages that were rendered, that were not, and that are not there any more. */
  rendered: number;
  unchanged: number;
  withdrawn: number;
};

/** Documents and pages that are rendered at every publish: they depend on the whole catalog. */
const DOCUMENTS = [
  '/',
  '/docs',
  '/widgets',
  '/vitrine-service.js',
  '/llms.txt',
  '/gpt.json',
  '/robots.txt',
  '/sitemap.xml',
  '/openapi.json',
  '/api/openapi.yaml',
  '/.well-known/mcp/server-card.json',
  '/.well-known/api-catalog',
  '/.well-known/security.txt',
  ...NO_ADDRESSES,
];

/** Identifies the built templates and the settings that pages depend on. */
export function templateOf(
  distFolder: string,
  { info, links }: Omit<PageSite, 'product' | 'offer'>,
) {
  return digest([buildIdOf(distFolder), JSON.stringify([info, links.productUrlTemplate])]);
}

/**
 * Builds a release beside the current one, verifies it, waits until it is on disk and switches to it:
 * whole or not at all. The caller makes sure that no two work on one folder.
 */
export async function publish(options: PublishOptions): Promise<PublishResult> {
  const { site, root, distFolder, full, force, onProgress = () => {} } = options;
  prune(root);
  const previous = openCurrentRelease(root);
  const template = templateOf(distFolder, site);
  const reuse = !full && previous?.manifest.template === template;
  const plan = planPages(site, template, previous, reuse);
  if (previous !== null && !force) {
    await refuseLoss(previous.manifest, plan.lost, site.sample, options.countUnexplained);
  }

  const now = await nextSecond(previous);
  const draft = openDraft(root, now, !reuse);
  const second = Math.floor(now.getTime() / 1000);
  const own: Shelf = { folder: join(draft.folder, 'site'), layer: 'site', now: second };
  const forPages: Shelf =
    draft.baseFolder === null ? own : { folder: draft.baseFolder, layer: 'base', now: second };
  const lines = [...plan.kept, ...plan.gone];
  for (const line of plan.linked) {
    const entry = parseLine(line);
    if (entry !== null) lines.push(linkEntry(own, linePath(line), entry, previous?.folder ?? ''));
  }
  const documents = [...DOCUMENTS, ...sitemapPaths(site)];
  const total = plan.changed + documents.length;
  let done = 0;
  const { info, links } = site;
  const context = {
    distFolder,
    info,
    productUrlTemplate: links.productUrlTemplate,
    shelf: forPages,
  };
  await renderPages(plan.tasks, plan.changed, context, (made) => {
    lines.push(...made);
    done += made.length / 2;
    onProgress(done, total);
  });
  lines.push(...(await addDocuments(documents, site, distFolder, own, previous)));
  onProgress(total, total);
  lines.sort();

  const base = baseName(draft) ?? previous?.manifest.base ?? '';
  if (reuse) markGone(draft, join(root, base), plan.gone.map(linePath));
  const treeOf = (layer: 'site' | 'base') =>
    layer === 'site' ? own.folder : (draft.baseFolder ?? join(root, base));
  verifyRelease(lines, plan.pages, treeOf);
  if (draft.baseFolder !== null) syncTree(draft.baseFolder);
  writePurgeList(draft.folder, info.baseUrl, changedPaths(previous?.index ?? null, lines));
  syncTree(draft.folder);
  const manifest: Manifest = {
    id: draft.id,
    publishedAt: now.toISOString(),
    catalogUpdatedAt: site.updatedAt,
    nextBoundary: site.nextBoundary,
    template,
    sample: site.sample,
    base,
    pages: plan.pages,
    overlaid: reuse ? plan.changed + plan.linked.length / 2 : 0,
  };
  switchTo(root, draft, manifest, lines, site.showcase());
  rebaseIfDue(root);
  prune(root);
  return {
    id: draft.id,
    pages: plan.pages,
    rendered: plan.changed,
    unchanged: plan.pages - plan.changed,
    withdrawn: plan.lost.length,
  };
}

/**
 * Now, in a later second than the release before: times of files are whole seconds, and entity tags
 * made from them must not meet again. After the clock was set back it is the second after that release.
 */
async function nextSecond(previous: Release | null): Promise<Date> {
  const last = Math.floor(Date.parse(previous?.manifest.publishedAt ?? '') / 1000);
  while (Math.floor(Date.now() / 1000) === last) await new Promise((done) => setTimeout(done, 20));
  return Date.now() / 1000 < last ? new Date((last + 1) * 1000) : new Date();
}

function sitemapPaths(site: Site): string[] {
  const parts = (kind: 'offers' | 'products') =>
    site.sitemap(kind).map((_, index) => `/sitemaps/${kind}/${index + 1}`);
  return [...parts('offers'), ...(site.info.productPages ? parts('products') : [])];
}

/** Renders the documents and adds what the build and `public/` hold; linked where nothing changed. */
async function addDocuments(
  paths: string[],
  site: Site,
  distFolder: string,
  shelf: Shelf,
  previous: Release | null,
): Promise<string[]> {
  const { render } = await openRenderer(distFolder);
  const add = (path: string, body: Buffer, type: string): string => {
    const content: Content = { path, body, type, source: null };
    const line = previous?.index.find(path);
    const old = line ? parseLine(line) : null;
    const same = old?.hash === digest([body]) && old.type === type;
    return same && previous !== null
      ? linkEntry(shelf, path, old, previous.folder)
      : writeEntry(shelf, content, old);
  };
  const lines: string[] = [];
  for (const path of paths) {
    const { body, type } = await render(path, site);
    lines.push(add(path, body, type));
  }
  const folder = join(distFolder, 'client');
  if (!existsSync(folder)) return lines;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(folder.length).replaceAll('\\', '/');
    lines.push(add(path, readFileSync(file), contentTypeOf(path)));
  }
  return lines;
}

/** Tells what a CDN has to forget; pages without an address of their own are in no cache. */
function writePurgeList(folder: string, baseUrl: string, paths: string[]): void {
  const addresses = paths.filter((path) => !NO_ADDRESSES.includes(path));
  writeFileSync(join(folder, PURGE_FILE), addresses.map((path) => `${baseUrl}${path}\n`).join(''));
}

/** Lets a static server see that a page of the base is withdrawn. */
function markGone(draft: Draft, baseFolder: string, paths: string[]): void {
  for (const path of paths) {
    const type = path.endsWith('.md') ? 'text/markdown' : 'text/html';
    if (!existsSync(join(baseFolder, fileOf(path, type)))) continue;
    const marker = join(draft.folder, 'site', `${path}.gone`);
    mkdirSync(dirname(marker), { recursive: true });
    writeFileSync(marker, '');
  }
}
