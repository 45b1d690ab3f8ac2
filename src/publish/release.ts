import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ShowcaseProduct } from '../domain/catalog.ts';
import { syncFile } from './durable.ts';
import { Layers } from './layers.ts';
import { ReleaseIndex, writeLines } from './release-index.ts';
import type { SitemapPart } from './sitemaps.ts';

/** Releases of another format are ignored. */
const FORMAT = 3;

/** A release's metadata. */
export type Manifest = {
  format: typeof FORMAT;
  id: string;
  publishedAt: string;
  /** The catalog it was made from: its version and last change, and when it was read. */
  version: number;
  catalogUpdatedAt: string | null;
  readAt: string;
  /** The next time at which an offer starts or ends by itself. */
  nextBoundary: string | null;
  /** Digest of the built templates and the settings that pages depend on. */
  template: string;
  /** True while the catalog is the sample loaded at first start. */
  sample: boolean;
  /** Sibling folders of the shared layers; `recent` may be missing. */
  recent: string | null;
  base: string;
  /** The number of offer and product pages. */
  pages: number;
  /** The numbers of page paths, withdrawn ones included, in its own and the recent layer. */
  ownPaths: number;
  recentPaths: number;
  sitemaps: Record<'offers' | 'products', SitemapPart[]>;
};

/**
 * A release: its own layer has the documents and the latest page changes, `recent` earlier ones, `base` the rest. A
 * static server tries them in this order.
 */
export type Release = {
  folder: string;
  manifest: Manifest;
  index: Layers;
  showcase: ShowcaseProduct[];
};

/** The suffix of folders that are being built. */
export const UNFINISHED = '.building';

/** Returns the id of the current release; null before the first publish. */
export function currentReleaseId(root: string): string | null {
  try {
    return readlinkSync(join(root, 'current'));
  } catch {
    return null;
  }
}

/** Opens the current release, reusing the layers of an opened one; null before the first publish. */
export function openCurrentRelease(root: string, opened: Release | null = null): Release | null {
  const manifest = readCurrentManifest(root);
  if (manifest === null) return null;
  const { id, recent, base } = manifest;
  const shared = new Map(opened?.index.indexes.map((index) => [index.tree, index]));
  const indexes = [id, recent, base].flatMap((name) => {
    if (name === null) return [];
    const tree = join(root, name, 'site');
    return shared.get(tree) ?? openLayer(join(root, name));
  });
  const folder = join(root, id);
  const showcase = JSON.parse(readFileSync(join(folder, 'showcase.json'), 'utf8'));
  return { folder, manifest, index: new Layers(indexes), showcase };
}

/** Opens the layer in a folder. */
export function openLayer(folder: string): ReleaseIndex {
  return new ReleaseIndex(readFileSync(join(folder, 'paths.tsv')), join(folder, 'site'));
}

/** Reads the current release's manifest; null before the first publish or for another format. */
export function readCurrentManifest(root: string): Manifest | null {
  const id = currentReleaseId(root);
  const manifest = id === null ? null : readManifest(root, id);
  return manifest?.format === FORMAT ? manifest : null;
}

/** Reads a release's manifest in whatever format; null if the folder has none. */
export function readManifest(root: string, id: string): Manifest | null {
  const file = join(root, id, 'manifest.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** A release being built, in folders that nobody reads yet. */
export type Draft = {
  id: string;
  /** The folder of the new release, and that of its new shared layer, if any. */
  folder: string;
  layerFolder: string | null;
};

/** Creates the folders of a new release and, if asked for, of a new shared layer. */
export function openDraft(root: string, now: Date, withLayer: boolean): Draft {
  const stamp = `${now.toISOString().replace(/\D/g, '')}-${process.pid}`;
  const folder = join(root, `r-${stamp}${UNFINISHED}`);
  const layerFolder = withLayer ? join(root, `b-${stamp}${UNFINISHED}`) : null;
  mkdirSync(join(folder, 'site'), { recursive: true });
  if (layerFolder !== null) mkdirSync(join(layerFolder, 'site'), { recursive: true });
  return { id: `r-${stamp}`, folder, layerFolder };
}

/** Returns the final name of a draft's shared layer. */
export function layerName(draft: Draft): string {
  return draft.id.replace(/^r-/, 'b-');
}

/** Writes a layer's index from sorted lines or pieces of them, and opens the layer. */
export function writeLayer(folder: string, lines: Iterable<string | Buffer>): ReleaseIndex {
  writeLines(join(folder, 'paths.tsv'), lines);
  return openLayer(folder);
}

/**
 * Makes a finished draft the current release, atomically for readers. Its files must be synced already; a crash
 * between any two steps leaves the old release current.
 */
export function switchTo(
  root: string,
  draft: Draft,
  manifest: Omit<Manifest, 'format' | 'id'>,
  showcase: string,
): void {
  const durably = (name: string, content: string) => {
    const path = join(draft.folder, name);
    writeFileSync(path, content);
    syncFile(path);
  };
  durably('showcase.json', showcase);
  durably('manifest.json', JSON.stringify({ ...manifest, format: FORMAT, id: draft.id }, null, 2));
  for (const layer of ['recent', 'base'] as const) {
    const name = manifest[layer];
    if (name !== null) symlinkSync(join('..', name, 'site'), join(draft.folder, layer));
  }
  syncFile(draft.folder);
  if (draft.layerFolder !== null) renameSync(draft.layerFolder, join(root, layerName(draft)));
  renameSync(draft.folder, join(root, draft.id));
  syncFile(root);
  pointTo(root, draft.id);
}

/** Atomically makes a finished release the current one. */
export function pointTo(root: string, id: string): void {
  const link = join(root, `.current-${process.pid}`);
  rmSync(link, { force: true });
  symlinkSync(id, link);
  renameSync(link, join(root, 'current'));
  syncFile(root);
}

/** Returns the folders of a release's shared layers. */
export function layersOf({ base, recent }: Manifest): string[] {
  // Manifests of the previous format have no `recent`.
  return [base, recent ?? []].flat();
}
