import { randomInt } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { exportCatalog, readPublishState } from '../data/catalog/export.ts';
import { countUnexplained } from '../data/catalog/removal.ts';
import type { Sql } from '../data/connection/client.ts';
import { withPublishLock } from '../data/publish-lock.ts';
import { type PublishResult, publish, templateOf } from '../publish/publish.ts';
import { type Manifest, readCurrentManifest } from '../publish/release.ts';
import { makeSite, type Site } from '../publish/site.ts';
import { serviceInfo, serviceLinks } from '../service/info.ts';

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

/** How to publish: every page, and even a great loss. */
export type PublishRequest = {
  full: boolean;
  force: boolean;
  onProgress?: (done: number, total: number) => void;
  /** Another process is publishing into the same folder: it is waited for, and what it leaves is done. */
  onWait?: () => void;
};

/** Exports, renders and switches, once; null when the current release is up to date. */
export async function publishCatalog(
  sql: Sql,
  config: Config,
  options: PublishRequest,
): Promise<PublishResult | null> {
  const root = releasesFolder(config);
  const work = async () => {
    if (!options.full && (await isUpToDate(sql, config))) return null;
    const site = await readSite(sql, config);
    return publish({
      site,
      root,
      distFolder: DIST_FOLDER,
      countUnexplained: (lost) => countUnexplained(sql, lost),
      ...options,
    });
  };
  return withPublishLock(sql, folderKey(root), work, options.onWait);
}

/** True when nothing that pages depend on changed since the current release: catalog, time, templates. */
async function isUpToDate(sql: Sql, config: Config): Promise<boolean> {
  const current = readCurrentManifest(releasesFolder(config));
  if (current === null) return false;
  if (isStale(current, await readPublishState(sql))) return false;
  const pages = { info: serviceInfo(config), links: serviceLinks(config) };
  return templateOf(DIST_FOLDER, pages) === current.template;
}

/** True when the catalog changed since a release, or an offer started or ended by itself. */
export function isStale(
  release: Manifest,
  catalog: { updatedAt: string | null; now: string },
): boolean {
  const { nextBoundary } = release;
  const crossed = nextBoundary !== null && nextBoundary <= catalog.now;
  return crossed || release.catalogUpdatedAt !== catalog.updatedAt;
}

/** The number of a folder of releases, wherever it is mounted; made up at its first use. */
function folderKey(root: string): number {
  const path = join(root, '.key');
  const own = `${path}.${process.pid}`;
  mkdirSync(root, { recursive: true });
  if (!existsSync(path)) {
    // Linked when it is whole: another process at its first use too must not read half a number.
    writeFileSync(own, String(randomInt(2 ** 31)));
    try {
      linkSync(own, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(own);
    }
  }
  return Number(readFileSync(path, 'utf8'));
}
