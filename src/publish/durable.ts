import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
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
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  if (entries.length > SINGLE_FILES && syncFileSystem(folder)) return;
  for (const entry of entries) {
    if (entry.isFile() || entry.isDirectory()) syncFile(join(entry.parentPath, entry.name));
  }
  syncFile(folder);
}

/** syncfs(2), by way of coreutils' `sync -f`; false where there is none. */
function syncFileSystem(folder: string): boolean {
  return spawnSync('sync', ['-f', folder], { stdio: 'ignore' }).status === 0;
}
