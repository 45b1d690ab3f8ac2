import {
  existsSync,
  mkdirSync,
  readdirSync,
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
import { indexBytes, ReleaseIndex } from './release-index.ts';

/** What a release is, apart from the index of its paths. */
export type Manifest = {
  id: string;
  publishedAt: string;
  /** The catalog's last change, and the next instant at which an offer starts or ends by itself. */
  catalogUpdatedAt: string | null;
  nextBoundary: string | null;
  /** Identifies the built templates and the settings that pages depend on. */
  template: string;
  /** True while the catalog is the sample that a first start loads. */
  sample: boolean;
  /** Folder, beside the release, of the pages that it shares with others. */
  base: string;
  /** Offer and product pages, and those of them that differ from the base. */
  pages: number;
  overlaid: number;
};

/**
 * A release: `site/` holds its documents and the pages that changed since its base was made, `base` is
 * a link to the tree of all others. A static server looks in the first, then in the second.
 */
export type Release = {
  folder: string;
  manifest: Manifest;
  index: ReleaseIndex;
  showcase: ShowcaseProduct[];
};

/** Old releases that stay beside the current one, for readers that still have them open. */
const OLD_RELEASES_KEPT = 2;
const UNFINISHED = '.building';

/** The id of the current release; null before the first publish. */
export function currentReleaseId(root: string): string | null {
  try {
    return readlinkSync(join(root, 'current'));
  } catch {
    return null;
  }
}

/** Opens the current release; null before the first publish. */
export function openCurrentRelease(root: string): Release | null {
  const id = currentReleaseId(root);
  return id === null ? null : openRelease(root, id);
}

function openRelease(root: string, id: string): Release {
  const folder = join(root, id);
  const index = new ReleaseIndex(readFileSync(join(folder, 'index.tsv')));
  const showcase = JSON.parse(readFileSync(join(folder, 'showcase.json'), 'utf8'));
  return { folder, manifest: readManifest(root, id), index, showcase };
}

/** What the current release is, without its index; null before the first publish. */
export function readCurrentManifest(root: string): Manifest | null {
  const id = currentReleaseId(root);
  return id === null ? null : readManifest(root, id);
}

function readManifest(root: string, id: string): Manifest {
  return JSON.parse(readFileSync(join(root, id, 'manifest.json'), 'utf8'));
}

/** A release that is being built: folders that nobody reads yet. */
export type Draft = {
  id: string;
  /** The folder of the release to be, and that of a new base; null when it keeps the one it has. */
  folder: string;
  baseFolder: string | null;
};

/** Makes the folders of a new release, and of a new base when it brings one. */
export function openDraft(root: string, now: Date, withBase: boolean): Draft {
  const stamp = `${now.toISOString().replace(/\D/g, '')}-${process.pid}`;
  const folder = join(root, `r-${stamp}${UNFINISHED}`);
  const baseFolder = withBase ? join(root, `b-${stamp}${UNFINISHED}`) : null;
  mkdirSync(join(folder, 'site'), { recursive: true });
  if (baseFolder !== null) mkdirSync(baseFolder);
  return { id: `r-${stamp}`, folder, baseFolder };
}

/** The name under which the base of a draft will be found. */
export function baseName(draft: Draft): string | null {
  return draft.baseFolder === null ? null : draft.id.replace(/^r-/, 'b-');
}

/**
 * Makes a finished draft the current release: a reader sees the old one or the new one, whole. All its
 * files must be on disk already; a kill between any two steps leaves the old one in place.
 */
export function switchTo(
  root: string,
  draft: Draft,
  manifest: Manifest,
  lines: string[],
  showcase: ShowcaseProduct[],
): void {
  const durably = (name: string, content: string | Buffer) => {
    const path = join(draft.folder, name);
    writeFileSync(path, content);
    syncFile(path);
  };
  durably('index.tsv', indexBytes(lines));
  durably('showcase.json', JSON.stringify(showcase));
  durably('manifest.json', JSON.stringify(manifest, null, 2));
  symlinkSync(join('..', manifest.base), join(draft.folder, 'base'));
  syncFile(draft.folder);
  if (draft.baseFolder !== null) renameSync(draft.baseFolder, join(root, manifest.base));
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

/** Removes old releases, bases that no release has any more, and what an interrupted publish left. */
export function prune(root: string): void {
  mkdirSync(root, { recursive: true });
  const current = currentReleaseId(root);
  const names = readdirSync(root).filter((name) => /^[rb]-/.test(name));
  const finished = names.filter((name) => !name.endsWith(UNFINISHED));
  const releases = finished.filter((name) => name.startsWith('r-'));
  const old = releases.filter((name) => name !== current).sort();
  const kept = new Set([...old.slice(-OLD_RELEASES_KEPT), ...(current === null ? [] : [current])]);
  const bases = new Set([...kept].map((id) => baseOf(root, id)));
  for (const name of names) {
    if (!kept.has(name) && !bases.has(name)) {
      rmSync(join(root, name), { recursive: true, force: true });
    }
  }
}

function baseOf(root: string, id: string): string | null {
  return existsSync(join(root, id, 'manifest.json')) ? readManifest(root, id).base : null;
}
