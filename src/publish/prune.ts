import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { currentReleaseId, layersOf, readManifest, UNFINISHED } from './release.ts';

const run = promisify(execFile);

/** This many publishes before the current one are kept, for readers that still have them open. */
const OLD_RELEASES_KEPT = 2;
/** The suffix of folders that are to be deleted. */
const SET_ASIDE = '.old';

/**
 * Marks old releases, unused layers and leftovers of interrupted publishes for deletion, by renaming: deleting a
 * base of 100,000 pages takes ten seconds, for which the next publisher would wait.
 */
export function setAside(root: string): void {
  mkdirSync(root, { recursive: true });
  const current = currentReleaseId(root);
  const names = readdirSync(root).filter((name) => /^[rb]-/.test(name) && !isSetAside(name));
  const finished = names.filter((name) => name.startsWith('r-') && !name.endsWith(UNFINISHED));
  const manifests = finished.flatMap((id) => readManifest(root, id) ?? []);
  // A release and the one its layers were folded into count as one publish.
  const instants = [...new Set(manifests.map(({ publishedAt }) => publishedAt))].sort();
  const recent = new Set(instants.slice(-OLD_RELEASES_KEPT - 1));
  const kept = manifests.filter(({ id, publishedAt }) => id === current || recent.has(publishedAt));
  const needed = new Set(kept.flatMap((manifest) => [manifest.id, ...layersOf(manifest)]));
  for (const name of names) {
    if (!needed.has(name)) renameSync(join(root, name), join(root, name + SET_ASIDE));
  }
}

/**
 * Deletes marked folders, including those of a killed process; safe during a publish. Returns the names that cannot
 * be deleted, because another user owns them, without failing.
 */
export async function removeSetAside(root: string): Promise<string[]> {
  const left: string[] = [];
  const names = existsSync(root) ? readdirSync(root).filter(isSetAside) : [];
  for (const name of names) {
    // Node's own recursive `rm` keeps a promise per file: 400 MB for the base of 100,000 pages.
    await run('rm', ['-rf', join(root, name)]).catch(() => left.push(name));
  }
  return left;
}

const isSetAside = (name: string) => name.endsWith(SET_ASIDE);
