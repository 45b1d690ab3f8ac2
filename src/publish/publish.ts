import { join } from 'node:path';
import type { Catalog } from '../data/catalog/export.ts';
import { build, type PageSettings } from './build.ts';
import { syncTree } from './durable.ts';
import { digest } from './entry-files.ts';
import { foldIfDue } from './fold.ts';
import { Layers } from './layers.ts';
import { refuseLoss } from './loss.ts';
import { countOf, planPages } from './plan.ts';
import type { Planning, Scope } from './planning.ts';
import { setAside } from './prune.ts';
import { changedPaths, PURGE_FILE } from './purge.ts';
import { layerName, openCurrentRelease, openDraft, type Release, switchTo } from './release.ts';
import { writeLines } from './release-index.ts';
import { buildIdOf } from './render.ts';

export type PublishOptions = {
  catalog: Catalog;
  settings: PageSettings;
  /** The folder of releases. */
  root: string;
  /** The output of `astro build`, and a digest of it and the settings: see `templateOf`. */
  distFolder: string;
  template: string;
  /** The least thorough way of choosing pages that is allowed. */
  scope: Scope;
  /** No change is known: publish only if a comparison finds one. */
  upToDate: boolean;
  /** Publish even if more than half of the catalog is gone without an import. */
  force: boolean;
  onProgress?: (done: number, total: number) => void;
};

export type PublishResult = {
  id: string;
  /** How pages were chosen: all rendered, all compared, or only touched ones compared. */
  scope: Scope;
  pages: number;
  /** Numbers of record pages. */
  rendered: number;
  unchanged: number;
  withdrawn: number;
  /** List pages rendered. */
  lists: number;
};

/** Returns a digest of the built templates and the settings that pages depend on. */
export function templateOf(distFolder: string, { info, links }: PageSettings) {
  return digest([buildIdOf(distFolder), JSON.stringify([info, links.productUrlTemplate])]);
}

/** The release that this process opened last: a warm publisher reads no index of shared layers twice. */
let opened: Release | null = null;

/**
 * Builds a release beside the current one, verifies and syncs it, and switches to it atomically; null if nothing
 * changed. The caller holds the folder's publish lock, and afterwards deletes what was set aside.
 */
export async function publish(options: PublishOptions): Promise<PublishResult | null> {
  const { catalog, settings, root, template, force } = options;
  setAside(root);
  const previous = openCurrentRelease(root, opened);
  opened = previous;
  const { productPages } = settings.info;
  const planning: Planning = { catalog, productPages, template, previous, kept: new Map() };
  const isSettled = previous?.manifest.template === template;
  const plan = await planPages(planning, isSettled ? options.scope : 'render');
  const rendered = countOf(plan.changed);
  const withdrawn = countOf(plan.lost);
  const lists = plan.lists.changed.length;
  const nothing = rendered + withdrawn + lists + plan.lists.lost.length === 0;
  if (options.upToDate && nothing) return null;
  if (previous !== null && !force) {
    await refuseLoss(previous.manifest, plan.lost, catalog);
  }

  const now = await nextSecond(previous);
  const draft = openDraft(root, now, plan.scope === 'render');
  const made = await build({ ...options, planning, plan, draft, now });
  const { sitemaps, ownPaths, showcase, ...layers } = made;
  const written = layers.base === null ? [layers.own] : [layers.own, layers.base];
  const changed = changedPaths(previous?.index ?? null, new Layers(written));
  const { baseUrl } = settings.info;
  writeLines(
    join(draft.folder, PURGE_FILE),
    changed.map((path) => baseUrl + path),
  );
  if (draft.layerFolder !== null) syncTree(draft.layerFolder);
  syncTree(draft.folder);
  const { version, updatedAt: catalogUpdatedAt, readAt, nextBoundary, sample } = catalog;
  const { base, recent, recentPaths } =
    layers.base === null && previous !== null
      ? previous.manifest
      : { base: layerName(draft), recent: null, recentPaths: 0 };
  const { scope, pages } = plan;
  const publishedAt = now.toISOString();
  const manifest = {
    ...{ publishedAt, version, catalogUpdatedAt, readAt, nextBoundary, template, sample },
    ...{ base, recent, pages, ownPaths, recentPaths, sitemaps },
  };
  switchTo(root, draft, manifest, JSON.stringify(showcase));
  foldIfDue(root, previous);
  setAside(root);
  const unchanged = pages - rendered;
  return { id: draft.id, scope, pages, rendered, unchanged, withdrawn, lists };
}

/**
 * Waits for a later second than the previous release's: mtimes are whole seconds, and entity tags made from them
 * must not repeat. If the clock was set back, takes the second after that release.
 */
async function nextSecond(previous: Release | null): Promise<Date> {
  const last = Math.floor(Date.parse(previous?.manifest.publishedAt ?? '') / 1000);
  while (Math.floor(Date.now() / 1000) === last) await new Promise((done) => setTimeout(done, 20));
  return Date.now() / 1000 < last ? new Date((last + 1) * 1000) : new Date();
}
