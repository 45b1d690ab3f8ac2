import { randomInt } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { type PublishState, readPublishState, withCatalog } from '../data/catalog/export.ts';
import type { Sql } from '../data/connection/client.ts';
import { withPublishLock } from '../data/publish-lock.ts';
import type { Scope } from '../publish/planning.ts';
import { type PublishResult, publish, templateOf } from '../publish/publish.ts';
import { type Manifest, readCurrentManifest } from '../publish/release.ts';
import { serviceInfo, serviceLinks } from '../service/info.ts';

/** The output of `astro build`. */
export const DIST_FOLDER = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Returns the folder of releases. */
export function releasesFolder(config: Config): string {
  return join(config.dataDir, 'releases');
}

/** Options of a publish. */
export type PublishRequest = {
  /** The pages to check, at least. */
  scope: Scope;
  /** Publish even if more than half of the catalog is gone without an import. */
  force: boolean;
  onProgress?: (done: number, total: number) => void;
  /** Called before waiting for another process that publishes into the same folder. */
  onWait?: () => void;
};

/** Publishes the current catalog; null if the release is already up to date. */
export async function publishCatalog(
  sql: Sql,
  config: Config,
  { onWait, ...request }: PublishRequest,
): Promise<PublishResult | null> {
  const root = releasesFolder(config);
  const settings = { info: serviceInfo(config), links: serviceLinks(config) };
  const work = async () => {
    const template = templateOf(DIST_FOLDER, settings);
    const current = readCurrentManifest(root);
    const isCurrent =
      current !== null &&
      !isStale(current, await readPublishState(sql)) &&
      template === current.template;
    const upToDate = isCurrent && request.scope !== 'render';
    if (upToDate && request.scope === 'touched') return null;
    return withCatalog(sql, (catalog) =>
      publish({ catalog, settings, root, distFolder: DIST_FOLDER, template, upToDate, ...request }),
    );
  };
  return withPublishLock(sql, folderKey(root), work, onWait);
}

/** Returns the uid of a folder's owner; null if it is this process's own. */
export function foreignOwner(folder: string): number | null {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid ?? null;
  return owner === (process.getuid?.() ?? owner) ? null : owner;
}

/** True if the catalog has changed since the release, or an offer's validity has begun or ended. */
export function isStale(release: Manifest, catalog: PublishState): boolean {
  const { nextBoundary, version, catalogUpdatedAt, sample } = release;
  const crossed = nextBoundary !== null && nextBoundary <= catalog.now;
  const changed = version !== catalog.version || catalogUpdatedAt !== catalog.updatedAt;
  return crossed || changed || sample !== catalog.sample;
}

/** Returns the lock key of a releases folder, wherever it is mounted; created at first use. */
function folderKey(root: string): number {
  const path = join(root, '.key');
  const own = `${path}.${process.pid}`;
  mkdirSync(root, { recursive: true });
  if (!existsSync(path)) {
    // Hard-linked once complete: a concurrent first use must not read half a number.
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
