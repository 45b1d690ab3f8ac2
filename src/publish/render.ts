import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Site } from './site.ts';

/** Astro's built application, as `src/entry.ts` exports it. */
type BuiltApp = {
  render(request: Request, options: { locals: { site: Site } }): Promise<Response>;
};

const ERROR_PAGES: Record<string, number> = { '/404': 404, '/410': 410 };

export type Rendered = { body: Buffer; type: string };

export type Renderer = {
  /** Changes when the built pages change. */
  buildId: string;
  /** Renders one path; error pages answer with their own status. */
  render(path: string): Promise<Rendered>;
};

/** Opens the built Astro app as a renderer of the site's pages: prerendering without vite. */
export async function openRenderer(distFolder: string, site: Site): Promise<Renderer> {
  const entry = join(distFolder, 'server', 'entry.mjs');
  if (!existsSync(entry)) {
    throw new Error(`the pages are not built (${entry} is missing): run npm run build`);
  }
  const { app } = (await import(pathToFileURL(entry).href)) as { app: BuiltApp };
  return {
    buildId: hashFolder(join(distFolder, 'server')),
    async render(path) {
      const expected = ERROR_PAGES[path] ?? 200;
      const request = new Request(new URL(path, site.info.baseUrl));
      const response = await app.render(request, { locals: { site } });
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status !== expected || body.length === 0) {
        throw new Error(`${path} rendered with status ${response.status} and ${body.length} bytes`);
      }
      const type = response.headers.get('content-type') ?? 'application/octet-stream';
      return { body, type: type === 'text/html' ? 'text/html; charset=utf-8' : type };
    },
  };
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
