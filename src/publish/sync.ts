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
import { removeSetAside, setAside } from './prune.ts';
import { layersOf, type Manifest, pointTo, readCurrentManifest } from './release.ts';

/** Brings the current release of a folder to a target; returns its id, null before the first publish. */
export async function syncReleases(root: string, target: string): Promise<string | null> {
  if (target.includes('://')) {
    throw new Error(`${target} is a URL: TARGET is a folder, or host:path for rsync`);
  }
  const current = readCurrentManifest(root);
  if (current === null) return null;
  // The order is what keeps every answer of the target whole: nothing refers to what is not there yet.
  if (isRemote(target)) sendRelease(root, current, target);
  else await copyRelease(root, current, target);
  return current.id;
}

/** host:path, as rsync and scp write it. */
function isRemote(target: string): boolean {
  return /^[^/]+:/.test(target);
}

async function copyRelease(root: string, current: Manifest, target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  const before = readCurrentManifest(target);
  if (before?.id === current.id) return;
  const known = before === null ? [] : foldersOf(before).map((name) => join(target, name));
  for (const name of foldersOf(current)) copyFolder(join(root, name), join(target, name), known);
  pointTo(target, current.id);
  setAside(target);
  await removeSetAside(target);
}

/** The folders that a release consists of, those first that the last one refers to. */
const foldersOf = (manifest: Manifest) => [...layersOf(manifest), manifest.id];

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
      const isPart = name.startsWith('site/');
      const same = known.map((folder) => join(folder, name)).find((path) => isSame(path, stat));
      if (isPart && same !== undefined) linkSync(same, copy);
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

function sendRelease(root: string, current: Manifest, target: string): void {
  const folders = readdirSync(root).filter((name) => /^[rb]-/.test(name));
  for (const name of foldersOf(current)) {
    const others = folders.filter((other) => other !== name);
    const links = others.map((other) => `--link-dest=../../${other}/site`);
    rsync([...links, `${root}/${name}/site/`, `${target}/${name}/site/`]);
    // Its index and manifest: of these the same size and second do not mean the same content.
    rsync([`${root}/${name}/`, `${target}/${name}/`]);
  }
  rsync([`${root}/current`, `${target}/`]);
  // Nothing is sent any more: what this side has pruned goes there too.
  const prunes = [
    '--delete',
    '--existing',
    '--ignore-existing',
    '--exclude=*.building',
    '--exclude=*.old',
  ];
  rsync([...prunes, '--exclude=.key', '--exclude=.compared', `${root}/`, `${target}/`]);
}

/** A machine of which nothing is heard for so long is given up; one that asks for a password is never waited for. */
const SILENT_SECONDS = 60;

function rsync(args: string[]): void {
  // --mkpath: the target's folder is made at the first time. --fsync: what the link points to is on disk.
  const env = { RSYNC_RSH: 'ssh -oBatchMode=yes -oConnectTimeout=10', ...process.env };
  const all = ['-a', '--mkpath', '--fsync', `--timeout=${SILENT_SECONDS}`, ...args];
  const { status, stderr, error } = spawnSync('rsync', all, {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (error) throw new Error(`rsync is needed for another machine (${error.message})`);
  if (status !== 0) throw new Error(`rsync failed: ${stderr.trim()}`);
}
