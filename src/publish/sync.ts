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

/** Copies the current release of a folder to a target; returns its id, null before the first publish. */
export async function syncReleases(root: string, target: string): Promise<string | null> {
  if (target.includes('://')) {
    throw new Error(`${target} is a URL: TARGET is a folder, or host:path for rsync`);
  }
  const current = readCurrentManifest(root);
  if (current === null) return null;
  // Referenced folders go first and the link last, so that the target is complete at any time.
  if (isRemote(target)) sendRelease(root, current, target);
  else await copyRelease(root, current, target);
  return current.id;
}

/** host:path, as in rsync and scp. */
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

/** Returns the folders of a release, shared layers first. */
const foldersOf = (manifest: Manifest) => [...layersOf(manifest), manifest.id];

/**
 * Copies a folder atomically. Files that the target already has are linked: publish guarantees that equal size and
 * mtime second mean equal content.
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
    // Index and manifest separately, without links: for these, equal size and second do not mean equal content.
    rsync([`${root}/${name}/`, `${target}/${name}/`]);
  }
  rsync([`${root}/current`, `${target}/`]);
  // Sends nothing more: only deletes from the target what was pruned here.
  const prunes = [
    '--delete',
    '--existing',
    '--ignore-existing',
    '--exclude=*.building',
    '--exclude=*.old',
  ];
  rsync([...prunes, '--exclude=.key', '--exclude=.compared', `${root}/`, `${target}/`]);
}

/** The timeout of a silent connection. Password prompts are disabled (BatchMode). */
const SILENT_SECONDS = 60;

function rsync(args: string[]): void {
  // --mkpath creates the target's folder the first time; --fsync: what the link points to must be on disk.
  const env = { RSYNC_RSH: 'ssh -oBatchMode=yes -oConnectTimeout=10', ...process.env };
  const all = ['-a', '--mkpath', '--fsync', `--timeout=${SILENT_SECONDS}`, ...args];
  const { status, stderr, error } = spawnSync('rsync', all, {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (error) throw new Error(`a remote target needs rsync (${error.message})`);
  if (status !== 0) throw new Error(`rsync failed: ${stderr.trim()}`);
}
