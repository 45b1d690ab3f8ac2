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
import { ReleaseIndex, writeIndex } from './release-index.ts';
import type { SitemapPart } from './sitemaps.ts';

/** Releases of another format count as none. */
const FORMAT = 3;

/** What a release is, apart from what it holds. */
export type Manifest = {
  format: typeof FORMAT;
  id: string;
  publishedAt: string;
  /** The catalog that it was made from: its version and last change, and when it was read. */
  version: number;
  catalogUpdatedAt: string | null;
  readAt: string;
  /** The next instant at which an offer starts or ends by itself. */
  nextBoundary: string | null;
  /** Identifies the built templates and the settings that pages depend on. */
  template: string;
  /** True while the catalog is the sample that a first start loads. */
  sample: boolean;
  /** Folders, beside the release, of the layers that it shares with others; `recent` may be missing. */
  recent: string | null;
  base: string;
  /** Offer and product pages. */
  pages: number;
  /** Paths of pages, withdrawn ones too, that its own layer and the recent one hold. */
  ownPaths: number;
  recentPaths: number;
  sitemaps: Record<'offers' | 'products', SitemapPart[]>;
};

/**
 * A release: its own layer holds the documents and the pages that changed lately, `recent` those that changed before
 * that, and `base` all others. A static server looks in one after the other.
 */
export type Release = {
  folder: string;
  manifest: Manifest;
  index: Layers;
  showcase: ShowcaseProduct[];
};

/** What the name of a folder ends with while it is being built. */
export const UNFINISHED = '.building';

/** The id of the current release; null before the first publish. */
export function currentReleaseId(root: string): string | null {
  try {
    return readlinkSync(join(root, 'current'));
  } catch {
    return null;
  }
}

/** Opens the current release, with the layers that an opened one has; null before the first publish. */
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

/** What the current release is, without what it holds; null before the first publish. */
export function readCurrentManifest(root: string): Manifest | null {
  const id = currentReleaseId(root);
  const manifest = id === null ? null : readManifest(root, id);
  return manifest?.format === FORMAT ? manifest : null;
}

/** What a finished release is, of whatever format; null when the folder holds none. */
export function readManifest(root: string, id: string): Manifest | null {
  const file = join(root, id, 'manifest.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** A release that is being built: folders that nobody reads yet. */
export type Draft = {
  id: string;
  /** The folder of the release to be, and that of a new layer for it to share; null when it makes none. */
  folder: string;
  layerFolder: string | null;
};

/** Makes the folders of a new release, and of a new shared layer when it brings one. */
export function openDraft(root: string, now: Date, withLayer: boolean): Draft {
  const stamp = `${now.toISOString().replace(/\D/g, '')}-${process.pid}`;
  const folder = join(root, `r-${stamp}${UNFINISHED}`);
  const layerFolder = withLayer ? join(root, `b-${stamp}${UNFINISHED}`) : null;
  mkdirSync(join(folder, 'site'), { recursive: true });
  if (layerFolder !== null) mkdirSync(join(layerFolder, 'site'), { recursive: true });
  return { id: `r-${stamp}`, folder, layerFolder };
}

/** The name under which the shared layer of a draft will be found. */
export function layerName(draft: Draft): string {
  return draft.id.replace(/^r-/, 'b-');
}

/** Writes the index of a layer, of sorted lines or pieces of them, and opens the layer. */
export function writeLayer(folder: string, lines: Iterable<string | Buffer>): ReleaseIndex {
  writeIndex(join(folder, 'paths.tsv'), lines);
  return openLayer(folder);
}

/**
 * Makes a finished draft the current release: a reader sees the old one or the new one, whole. All its
 * files must be on disk already; a kill between any two steps leaves the old one in place.
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

/** Makes a release that lies finished in its folder the current one, in one step. */
export function pointTo(root: string, id: string): void {
  const link = join(root, `.current-${process.pid}`);
  rmSync(link, { force: true });
  symlinkSync(id, link);
  renameSync(link, join(root, 'current'));
  syncFile(root);
}

/** The folders of the layers that a release shares with others. */
export function layersOf({ base, recent }: Manifest): string[] {
  // Releases of the format before have none.
  return [base, recent ?? []].flat();
}
