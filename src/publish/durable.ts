import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, opendirSync, openSync, statSync } from 'node:fs';
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

/** Waits until a folder with all that is in it is on disk; files that have other names too are already. */
export function syncTree(folder: string): void {
  const folders = [folder];
  const fresh: string[] = [];
  const tree = opendirSync(folder, { recursive: true });
  try {
    for (let entry = tree.readSync(); entry !== null; entry = tree.readSync()) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && statSync(path).nlink === 1) fresh.push(path);
      if (fresh.length > SINGLE_FILES && syncFileSystem(folder)) return;
    }
  } finally {
    tree.closeSync();
  }
  for (const path of [...fresh, ...folders]) syncFile(path);
}

/** syncfs(2), by way of coreutils' `sync -f`; false where there is none. */
function syncFileSystem(folder: string): boolean {
  return spawnSync('sync', ['-f', folder], { stdio: 'ignore' }).status === 0;
}
