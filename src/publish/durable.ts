import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, opendirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Up to this many files each is synced by itself, at 0.2 ms; beyond it, the file system as a whole. */
const SINGLE_FILES = 1000;

/** Waits until a file or a folder's list of names is on disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until a folder with all that is in it is on disk. */
export function syncTree(folder: string): void {
  if (isLarge(folder) && syncFileSystem(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) syncFile(join(entry.parentPath, entry.name));
  }
  syncFile(folder);
}

/** Looks no further than it has to: a release has half a million names. */
function isLarge(folder: string): boolean {
  const tree = opendirSync(folder, { recursive: true });
  let entries = 0;
  while (entries <= SINGLE_FILES && tree.readSync() !== null) entries += 1;
  tree.closeSync();
  return entries > SINGLE_FILES;
}

/** syncfs(2), by way of coreutils' `sync -f`; false where there is none. */
function syncFileSystem(folder: string): boolean {
  return spawnSync('sync', ['-f', folder], { stdio: 'ignore' }).status === 0;
}
