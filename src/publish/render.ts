import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OfferPage, PageSite, ProductPage } from './site.ts';

/** Astro's built application, as exported by `src/entry.ts`. */
type Built = {
  app: { render(request: Request, options: { locals: { site: PageSite } }): Promise<Response> };
  offerMarkdown(page: OfferPage, site: PageSite): string;
  productMarkdown(page: ProductPage, site: PageSite): string;
};

const ERROR_PAGES: Record<string, number> = { '/404': 404, '/410': 410 };

export type Rendered = { body: Buffer; type: string };

export type Renderer = {
  /** Renders a path of a site; error pages answer with their own status. */
  render(path: string, site: PageSite): Promise<Rendered>;
  /** Renders the Markdown twin of an offer or product page. */
  twin(page: OfferPage | ProductPage, site: PageSite): Rendered;
};

/** Opens the built Astro app as a renderer: prerendering without Vite. */
export async function openRenderer(distFolder: string): Promise<Renderer> {
  const built = (await import(pathToFileURL(entryOf(distFolder)).href)) as Built;
  return {
    async render(path, site) {
      const expected = ERROR_PAGES[path] ?? 200;
      const request = new Request(site.info.baseUrl + path);
      const response = await built.app.render(request, { locals: { site } });
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status !== expected || body.length === 0) {
        throw new Error(`${path} rendered with status ${response.status} and ${body.length} bytes`);
      }
      const type = response.headers.get('content-type') ?? 'application/octet-stream';
      return { body, type: type === 'text/html' ? 'text/html; charset=utf-8' : type };
    },
    twin(page, site) {
      const text =
        'offer' in page ? built.offerMarkdown(page, site) : built.productMarkdown(page, site);
      return { body: Buffer.from(text), type: 'text/markdown; charset=utf-8' };
    },
  };
}

/** Returns a digest of the built app and its assets. */
export function buildIdOf(distFolder: string): string {
  const folders = [dirname(entryOf(distFolder)), join(distFolder, 'client')];
  return folders.map(hashFolder).join('-');
}

function entryOf(distFolder: string): string {
  const entry = join(distFolder, 'server', 'entry.mjs');
  if (existsSync(entry)) return entry;
  throw new Error(`the pages are not built (${entry} is missing): run npm run build`);
}

function hashFolder(folder: string): string {
  if (!existsSync(folder)) return '';
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(folder.length)).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
