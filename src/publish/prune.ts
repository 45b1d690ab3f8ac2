import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { currentReleaseId, layersOf, readManifest, UNFINISHED } from './release.ts';

/** What so many publishes before the current one left stays, for readers that still have it open. */
const OLD_RELEASES_KEPT = 2;
/** What the name of a folder ends with that is not needed any more. */
const SET_ASIDE = '.old';

/**
 * Sets aside old releases, layers that no release has any more, and what an interrupted publish left. By renaming:
 * deleting a base of 100,000 pages takes ten seconds, for which the next publisher would wait.
 */
export function setAside(root: string): void {
  mkdirSync(root, { recursive: true });
  const current = currentReleaseId(root);
  const names = readdirSync(root).filter((name) => /^[rb]-/.test(name) && !isSetAside(name));
  const finished = names.filter((name) => name.startsWith('r-') && !name.endsWith(UNFINISHED));
  const manifests = finished.flatMap((id) => readManifest(root, id) ?? []);
  // A release and the one that its layers were folded into are of one publish.
  const instants = [...new Set(manifests.map(({ publishedAt }) => publishedAt))].sort();
  const recent = new Set(instants.slice(-OLD_RELEASES_KEPT - 1));
  const kept = manifests.filter(({ id, publishedAt }) => id === current || recent.has(publishedAt));
  const needed = new Set(kept.flatMap((manifest) => [manifest.id, ...layersOf(manifest)]));
  for (const name of names) {
    if (!needed.has(name)) renameSync(join(root, name), join(root, name + SET_ASIDE));
  }
}

/**
 * Deletes what was set aside, by this process or by one that was killed meanwhile. It may run beside a publish.
 * Returns the names of what cannot be deleted, because another user made it: nothing fails for it.
 */
export async function removeSetAside(root: string): Promise<string[]> {
  const left: string[] = [];
  const names = existsSync(root) ? readdirSync(root).filter(isSetAside) : [];
  for (const name of names) {
    await rm(join(root, name), { recursive: true, force: true }).catch(() => left.push(name));
  }
  return left;
}

const isSetAside = (name: string) => name.endsWith(SET_ASIDE);
