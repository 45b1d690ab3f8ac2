import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncTree } from './durable.ts';
import { pointTo, prune, readCurrentManifest } from './release.ts';

/** Brings the current release of a folder to a target; returns its id, null before the first publish. */
export function syncReleases(root: string, target: string): string | null {
  const current = readCurrentManifest(root);
  if (current === null) return null;
  // The order is what keeps every answer of the target whole: nothing refers to what is not there yet.
  if (isRemote(target)) sendRelease(root, current, target);
  else copyRelease(root, current, target);
  return current.id;
}

/** host:path, as rsync and scp write it. */
function isRemote(target: string): boolean {
  return /^[^/]+:/.test(target);
}

type Named = { id: string; base: string };

function copyRelease(root: string, { id, base }: Named, target: string): void {
  mkdirSync(target, { recursive: true });
  const before = readCurrentManifest(target);
  if (before?.id === id) return;
  const known = before === null ? [] : [join(target, before.base), join(target, before.id, 'site')];
  copyFolder(join(root, base), join(target, base), known);
  copyFolder(join(root, id), join(target, id), known);
  pointTo(target, id);
  prune(target);
}

/**
 * Copies a folder, whole or not at all. What the target has already is linked: a file of the same size and
 * second has the same content (publish sees to that).
 */
function copyFolder(from: string, to: string, known: string[]): void {
  if (existsSync(to)) return;
  const draft = `${to}.${process.pid}.building`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const source = join(from, name);
    const copy = join(draft, name);
    const stat = lstatSync(source);
    if (stat.isDirectory()) mkdirSync(copy, { recursive: true });
    else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(source), copy);
    else {
      mkdirSync(dirname(copy), { recursive: true });
      const page = name.replace(/^site\//, '');
      const same = known.map((folder) => join(folder, page)).find((path) => isSame(path, stat));
      if (same !== undefined) linkSync(same, copy);
      else {
        copyFileSync(source, copy);
        utimesSync(copy, stat.atime, stat.mtime);
      }
    }
  }
  syncTree(draft);
  renameSync(draft, to);
}

function isSame(path: string, { size, mtimeMs }: { size: number; mtimeMs: number }): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  const second = (ms: number) => Math.floor(ms / 1000);
  return stat?.isFile() === true && stat.size === size && second(stat.mtimeMs) === second(mtimeMs);
}

function sendRelease(root: string, { id, base }: Named, target: string): void {
  const others = readdirSync(root).filter((name) => name.startsWith('b-') && name !== base);
  const links = others.map((name) => `--link-dest=../${name}`);
  rsync([...links, `${root}/${base}/`, `${target}/${base}/`]);
  rsync([`${root}/${id}/`, `${target}/${id}/`]);
  rsync([`${root}/current`, `${target}/`]);
  // Nothing is sent any more: what this side has pruned goes there too.
  const prunes = ['--delete', '--existing', '--ignore-existing', '--exclude=*.building'];
  rsync([...prunes, '--exclude=.key', `${root}/`, `${target}/`]);
}

function rsync(args: string[]): void {
  // --mkpath: the target's folder is made at the first time. --fsync: what the link points to is on disk.
  const { status, stderr, error } = spawnSync('rsync', ['-a', '--mkpath', '--fsync', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (error) throw new Error(`rsync is needed for another machine (${error.message})`);
  if (status !== 0) throw new Error(`rsync failed: ${stderr.trim()}`);
}
