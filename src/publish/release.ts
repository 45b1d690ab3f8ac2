import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShowcaseProduct } from '../domain/catalog.ts';

/** One published resource. Sizes are in bytes; an encoding is there when it is smaller. */
export type ReleaseEntry = {
  /** File below `site/` of the release. */
  file: string;
  type: string;
  size: number;
  encodings: { br?: number; gzip?: number };
  /** Hash of the content: the entity tag. */
  hash: string;
  /** Hash of what it was rendered from; null when it is rendered every time. */
  source: string | null;
  /** Since when the content is what it is. */
  modified: string;
};

/** What a release holds; the server answers from this alone. */
export type Manifest = {
  id: string;
  publishedAt: string;
  /** The catalog's last change, and the next instant at which an offer starts or ends by itself. */
  catalogUpdatedAt: string | null;
  nextBoundary: string | null;
  /** Identifies the built templates and the settings that pages depend on. */
  template: string;
  entries: Record<string, ReleaseEntry>;
  /** Paths that were published once and are withdrawn: 410. */
  withdrawn: string[];
};

export type Release = { folder: string; manifest: Manifest; showcase: ShowcaseProduct[] };

/** Old releases that stay beside the current one, for readers that still have them open. */
const OLD_RELEASES_KEPT = 2;

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
  if (id === null) return null;
  const folder = join(root, id);
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return { folder, manifest: read('manifest.json'), showcase: read('showcase.json') };
}

/** The text of a published resource; null when it is not there, or not yet. */
export async function readPublishedText(
  release: Release | null,
  path: string,
): Promise<string | null> {
  const entry = release?.manifest.entries[path];
  if (release === null || entry === undefined) return null;
  return readFile(join(release.folder, 'site', entry.file), 'utf8');
}

/** The file of a resource within a release, so that any static server finds it. */
export function fileOf(path: string, type: string): string {
  if (path === '/') return 'index.html';
  const name = path.slice(1);
  if (type.startsWith('text/html')) return `${name}.html`;
  if (type.startsWith('application/xml') && !name.endsWith('.xml')) return `${name}.xml`;
  return name;
}

/** Makes a finished release the current one: a reader sees the old one or the new one, whole. */
export function switchTo(root: string, building: string, release: Release): void {
  writeDurably(join(building, 'showcase.json'), JSON.stringify(release.showcase));
  writeDurably(join(building, 'manifest.json'), JSON.stringify(release.manifest));
  syncFolder(building);
  renameSync(building, release.folder);
  const link = join(root, `.current-${process.pid}`);
  rmSync(link, { force: true });
  symlinkSync(release.manifest.id, link);
  renameSync(link, join(root, 'current'));
  syncFolder(root);
}

/** Removes old releases and what an interrupted publish left. */
export function prune(root: string): void {
  const current = currentReleaseId(root);
  const names = readdirSync(root).filter((name) => /^r-/.test(name));
  const old = names.filter((name) => name !== current && !name.endsWith('.building')).sort();
  const stale = names.filter((name) => name.endsWith('.building'));
  const removable = old.slice(0, Math.max(0, old.length - OLD_RELEASES_KEPT));
  for (const name of [...removable, ...stale]) {
    rmSync(join(root, name), { recursive: true, force: true });
  }
}

/** Keeps two publishers from working in one folder; returns the function that lets go. */
export function lockReleases(root: string): () => void {
  mkdirSync(root, { recursive: true });
  const path = join(root, '.lock');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = Number(readFileSync(path, 'utf8'));
      if (isAlive(owner)) throw new PublishBusyError(owner);
      rmSync(path, { force: true });
    }
  }
  throw new PublishBusyError(0);
}

/** Another process is publishing into the same folder. */
export class PublishBusyError extends Error {
  constructor(owner: number) {
    super(`another process (${owner}) is publishing; try again when it is done`);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
