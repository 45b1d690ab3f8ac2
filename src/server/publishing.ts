import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { exportCatalog } from '../data/catalog.ts';
import type { Sql } from '../data/client.ts';
import { type PublishResult, publish } from '../publish/publish.ts';
import { makeSite, type Site } from '../publish/site.ts';
import { serviceInfo, serviceLinks } from '../service.ts';

/** The output of `astro build`. */
export const DIST_FOLDER = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Where the releases of this configuration are kept. */
export function releasesFolder(config: Config): string {
  return join(config.dataDir, 'releases');
}

/** Reads the catalog as the pages want it. */
export async function readSite(sql: Sql, config: Config): Promise<Site> {
  return makeSite(await exportCatalog(sql), serviceInfo(config), serviceLinks(config));
}

/** Exports, renders and switches, once. */
export async function publishCatalog(
  sql: Sql,
  config: Config,
  options: { full: boolean; onProgress?: (done: number, total: number) => void },
): Promise<PublishResult> {
  const site = await readSite(sql, config);
  return publish({ site, root: releasesFolder(config), distFolder: DIST_FOLDER, ...options });
}
