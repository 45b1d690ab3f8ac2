import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, opendirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Up to this many files are synced one by one (0.2 ms each); beyond, the whole file system. */
const SINGLE_FILES = 1000;

/** Syncs a file to disk, or a folder's entries. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs a folder tree to disk; hard-linked files were synced under their other name. */
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

/** Calls syncfs(2) through coreutils' `sync -f`; false where that is missing. */
function syncFileSystem(folder: string): boolean {
  return spawnSync('sync', ['-f', folder], { stdio: 'ignore' }).status === 0;
}
