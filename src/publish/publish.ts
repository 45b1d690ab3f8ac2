import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { contentTypeOf } from './content-type.ts';
import {
  fileOf,
  lockReleases,
  type Manifest,
  openCurrentRelease,
  prune,
  type Release,
  type ReleaseEntry,
  switchTo,
} from './release.ts';
import { openRenderer, type Renderer } from './render.ts';
import type { Site } from './site.ts';

export type PublishOptions = {
  site: Site;
  /** Where releases are kept. */
  root: string;
  /** The output of `astro build`. */
  distFolder: string;
  /** Render every page, changed or not. */
  full: boolean;
  onProgress?: (done: number, total: number) => void;
};

export type PublishResult = {
  id: string;
  pages: number;
  rendered: number;
  linked: number;
  withdrawn: number;
};

/** Documents and pages that are rendered at every publish: they depend on the whole catalog. */
const ALWAYS = [
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
  '/404',
  '/410',
];

/** Below this size compression gains nothing. */
const COMPRESS_FROM_BYTES = 512;

/** Builds a release beside the current one and switches to it: whole or not at all. */
export async function publish(options: PublishOptions): Promise<PublishResult> {
  const { site, root, distFolder, full, onProgress = () => {} } = options;
  const unlock = lockReleases(root);
  try {
    prune(root);
    const previous = openCurrentRelease(root);
    const renderer = await openRenderer(distFolder, site);
    const template = hash([renderer.buildId, JSON.stringify([site.info, site.links.product(0)])]);
    const reusable = !full && previous?.manifest.template === template ? previous : null;
    const now = new Date();
    const id = `r-${now.toISOString().replace(/\D/g, '')}-${process.pid}`;
    const building = join(root, `${id}.building`);
    const builder = new Builder(join(building, 'site'), previous, reusable, now);

    const pages = [...pagePaths(site)];
    const total = pages.length + ALWAYS.length;
    for (const [path, model] of pages) {
      await builder.add(path, renderer, hash([template, JSON.stringify(model())]));
      onProgress(builder.done, total);
    }
    for (const path of [...ALWAYS, ...sitemapPaths(site)]) await builder.add(path, renderer, null);
    builder.addFiles(join(distFolder, 'client'));
    onProgress(total, total);

    const manifest: Manifest = {
      id,
      publishedAt: now.toISOString(),
      catalogUpdatedAt: site.updatedAt,
      nextBoundary: site.nextBoundary,
      template,
      entries: builder.entries,
      withdrawn: withdrawnPaths(previous, builder.entries),
    };
    switchTo(root, building, { folder: join(root, id), manifest, showcase: site.showcase });
    prune(root);
    const { rendered, linked } = builder;
    return { id, pages: pages.length, rendered, linked, withdrawn: manifest.withdrawn.length };
  } finally {
    unlock();
  }
}

function* pagePaths(site: Site): Generator<[path: string, model: () => unknown]> {
  for (const id of site.offerIds) yield [`/offers/${id}`, () => site.offer(id)];
  for (const id of site.productIds) yield [`/products/${id}`, () => site.product(id)];
}

function sitemapPaths(site: Site): string[] {
  const parts = (kind: 'offers' | 'products') =>
    site.sitemap(kind).map((_, index) => `/sitemaps/${kind}/${index + 1}`);
  return [...parts('offers'), ...(site.info.productPages ? parts('products') : [])];
}

/** Offer and product pages that were there once and are not any more. */
function withdrawnPaths(previous: Release | null, entries: Manifest['entries']): string[] {
  if (previous === null) return [];
  const { manifest } = previous;
  const pages = Object.keys(manifest.entries).filter((path) => /^\/(offers|products)\//.test(path));
  return [...new Set([...manifest.withdrawn, ...pages])].filter((path) => !(path in entries));
}

/** Writes the files of a release, taking unchanged pages from the previous one. */
class Builder {
  readonly entries: Manifest['entries'] = {};
  rendered = 0;
  linked = 0;
  private readonly folder: string;
  private readonly previous: Release | null;
  private readonly reusable: Release | null;
  private readonly now: string;

  constructor(folder: string, previous: Release | null, reusable: Release | null, now: Date) {
    this.folder = folder;
    this.previous = previous;
    this.reusable = reusable;
    this.now = now.toISOString();
    mkdirSync(folder, { recursive: true });
  }

  get done(): number {
    return this.rendered + this.linked;
  }

  /** Adds a page or document; `source` null: it is rendered every time. */
  async add(path: string, renderer: Renderer, source: string | null): Promise<void> {
    const old = this.reusable?.manifest.entries[path];
    if (source !== null && old?.source === source && this.reusable !== null) {
      this.link(path, old, join(this.reusable.folder, 'site'));
      return;
    }
    const { body, type } = await renderer.render(path);
    this.write(path, body, type, source);
  }

  /** Adds the files of a folder as they are: what `public/` holds and the build's assets. */
  addFiles(folder: string): void {
    if (!existsSync(folder)) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(folder.length).replaceAll('\\', '/');
      this.write(path, readFileSync(file), contentTypeOf(path), null);
    }
  }

  private link(path: string, old: ReleaseEntry, from: string): void {
    this.entries[path] = old;
    const target = join(this.folder, old.file);
    mkdirSync(dirname(target), { recursive: true });
    for (const suffix of [
      '',
      ...('br' in old.encodings ? ['.br'] : []),
      ...('gzip' in old.encodings ? ['.gz'] : []),
    ]) {
      linkSync(join(from, old.file) + suffix, target + suffix);
    }
    this.linked += 1;
  }

  private write(path: string, body: Buffer, type: string, source: string | null): void {
    const file = fileOf(path, type);
    const target = join(this.folder, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, body);
    const contentHash = hash([body]);
    const old = this.previous?.manifest.entries[path];
    this.entries[path] = {
      file,
      type,
      size: body.length,
      encodings: compress(target, body, type),
      hash: contentHash,
      source,
      modified: old?.hash === contentHash ? old.modified : this.now,
    };
    this.rendered += 1;
  }
}

function compress(target: string, body: Buffer, type: string): ReleaseEntry['encodings'] {
  if (body.length < COMPRESS_FROM_BYTES || !/text|json|xml|yaml|javascript|svg/.test(type))
    return {};
  const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  const gzip = gzipSync(body, { level: 6 });
  writeFileSync(`${target}.br`, br);
  writeFileSync(`${target}.gz`, gzip);
  return { br: br.length, gzip: gzip.length };
}

function hash(parts: (string | Buffer)[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest('base64url').slice(0, 27);
}
