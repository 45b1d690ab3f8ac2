import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageSite } from './site.ts';

/** Astro's built application, as `src/entry.ts` exports it. */
type BuiltApp = {
  render(request: Request, options: { locals: { site: PageSite } }): Promise<Response>;
};

const ERROR_PAGES: Record<string, number> = { '/404': 404, '/410': 410 };

export type Rendered = { body: Buffer; type: string };

/** Renders one path of a site; error pages answer with their own status. */
export type Render = (path: string, site: PageSite) => Promise<Rendered>;

/** Opens the built Astro app as a renderer of pages: prerendering without vite. */
export async function openRenderer(distFolder: string): Promise<Render> {
  const { app } = (await import(pathToFileURL(entryOf(distFolder)).href)) as { app: BuiltApp };
  return async (path, site) => {
    const expected = ERROR_PAGES[path] ?? 200;
    const request = new Request(new URL(path, site.info.baseUrl));
    const response = await app.render(request, { locals: { site } });
    const body = Buffer.from(await response.arrayBuffer());
    if (response.status !== expected || body.length === 0) {
      throw new Error(`${path} rendered with status ${response.status} and ${body.length} bytes`);
    }
    const type = response.headers.get('content-type') ?? 'application/octet-stream';
    return { body, type: type === 'text/html' ? 'text/html; charset=utf-8' : type };
  };
}

/** Changes when the built pages change. */
export function buildIdOf(distFolder: string): string {
  return hashFolder(dirname(entryOf(distFolder)));
}

function entryOf(distFolder: string): string {
  const entry = join(distFolder, 'server', 'entry.mjs');
  if (existsSync(entry)) return entry;
  throw new Error(`the pages are not built (${entry} is missing): run npm run build`);
}

function hashFolder(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(folder.length)).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
