import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changedPaths } from '../../src/publish/purge.ts';
import { baseName, openDraft, prune, switchTo } from '../../src/publish/release.ts';
import { entryLine, goneLine, indexBytes, ReleaseIndex } from '../../src/publish/release-index.ts';
import { syncReleases } from '../../src/publish/sync.ts';

let folder: string;
let root: string;
let target: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-sync-'));
  root = join(folder, 'here');
  target = join(folder, 'there');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

type Pages = Record<string, [content: string, second: number]>;
let day = 0;
let base = '';

/** Publishes a release of hand-written pages; with a base of its own, or on the one before. */
function publish(pages: Pages, ownBase: Pages | null = null): string {
  day += 1;
  const draft = openDraft(root, new Date(Date.UTC(2026, 0, day)), ownBase !== null);
  const write = (into: string, files: Pages) => {
    for (const [name, [content, second]] of Object.entries(files)) {
      const file = join(into, name);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, content);
      utimesSync(file, second, second);
    }
  };
  write(join(draft.folder, 'site'), pages);
  if (ownBase !== null) write(draft.baseFolder ?? '', ownBase);
  base = baseName(draft) ?? base;
  const manifest = {
    id: draft.id,
    publishedAt: '2026-01-01T00:00:00.000Z',
    catalogUpdatedAt: null,
    nextBoundary: null,
    template: '',
    sample: false,
    base,
    pages: 0,
    overlaid: 0,
  };
  switchTo(root, draft, manifest, [], []);
  prune(root);
  return draft.id;
}

/** What a reader of the target finds: own pages first, then those of the base. */
function read(name: string): string | null {
  const current = join(target, 'current');
  const file = [join(current, 'site', name), join(current, 'base', name)].find(existsSync);
  return file === undefined ? null : readFileSync(file, 'utf8');
}

const inode = (...path: string[]) => statSync(join(...path)).ino;

/** A remote shell that runs its command on this machine. */
function stubRemoteShell(): void {
  const shell = join(folder, 'shell');
  writeFileSync(shell, '#!/bin/sh\nshift\nexec sh -c "$*"\n');
  chmodSync(shell, 0o755);
  vi.stubEnv('RSYNC_RSH', shell);
}

describe.each([
  ['a folder', () => target, true],
  ['another machine, by rsync', () => `there:${target}`, existsSync('/usr/bin/rsync')],
])('a sync to %s', (_, to, runs) => {
  it.runIf(runs)('brings the current release whole, with the times of its files', () => {
    stubRemoteShell();
    expect(() => syncReleases(root, to())).not.toThrow();
    expect(syncReleases(root, to())).toBeNull();
    const id = publish({ 'index.html': ['home', 100] }, { 'products/1.html': ['one', 101] });
    expect(syncReleases(root, to())).toBe(id);
    expect([read('index.html'), read('products/1.html')]).toEqual(['home', 'one']);
    expect(statSync(join(target, 'current/base/products/1.html')).mtimeMs).toBe(101_000);
    expect(readlinkSync(join(target, 'current'))).toBe(id);
    expect(readdirSync(target).filter((name) => name.includes('building'))).toEqual([]);
  });

  it.runIf(runs)('brings what changed, links what did not, and keeps two old releases', () => {
    stubRemoteShell();
    const pages: Pages = { 'products/1.html': ['one', 101], 'products/2.html': ['two', 101] };
    publish({ 'index.html': ['home 1', 100] }, pages);
    syncReleases(root, to());
    const first = inode(target, base, 'products/1.html');

    publish({ 'index.html': ['home 2', 102], 'products/2.html': ['TWO', 102] });
    syncReleases(root, to());
    expect([read('index.html'), read('products/1.html'), read('products/2.html')]).toEqual([
      'home 2',
      'one',
      'TWO',
    ]);

    // A new base, mostly of what the target has.
    publish({ 'index.html': ['home 3', 103] }, { ...pages, 'products/2.html': ['TWO', 102] });
    syncReleases(root, to());
    expect(inode(target, base, 'products/1.html')).toBe(first);
    expect(read('products/2.html')).toBe('TWO');

    for (const second of [104, 105, 106]) {
      publish({ 'index.html': [`home ${second}`, second] });
      syncReleases(root, to());
    }
    const names = readdirSync(target).filter((name) => /^[rb]-/.test(name));
    expect(names.filter((name) => name.startsWith('r-'))).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('b-'))).toEqual([base]);
    expect(read('index.html')).toBe('home 106');
  });

  it.runIf(runs)('that fails leaves the release before in place, and the next one mends it', () => {
    stubRemoteShell();
    publish({ 'index.html': ['home 1', 100] }, {});
    syncReleases(root, to());
    publish({ 'index.html': ['home 2', 102] }, { 'products/1.html': ['one', 102] });
    const hidden = join(folder, 'hidden');
    renameSync(join(root, base), hidden);
    expect(() => syncReleases(root, to())).toThrow();
    expect(read('index.html')).toBe('home 1');
    renameSync(hidden, join(root, base));
    syncReleases(root, to());
    expect([read('index.html'), read('products/1.html')]).toEqual(['home 2', 'one']);
  });
});

describe('the purge list', () => {
  const line = (path: string, hash: string, layer: 'site' | 'base' = 'base') =>
    entryLine(path, {
      layer,
      type: 'text/html; charset=utf-8',
      size: 1,
      encodings: {},
      hash,
      source: null,
      modified: 1,
    });
  const index = (...lines: string[]) => new ReleaseIndex(indexBytes(lines));

  it('names what changed and what is withdrawn, and nothing else', () => {
    const before = index(
      line('/', 'a'),
      line('/offers/1', 'b'),
      line('/offers/1.md', 'c'),
      line('/offers/10', 'd'),
      line('/offers/2', 'e'),
      goneLine('/offers/3'),
      line('/sitemaps/offers/2', 'f'),
    );
    const after = [
      line('/sitemaps/offers/1', 'g'),
      line('/offers/2', 'e', 'site'),
      goneLine('/offers/3'),
      line('/offers/10', 'changed'),
      line('/offers/1.md', 'c'),
      goneLine('/offers/1'),
      line('/offers/4', 'new'),
      line('/', 'a'),
    ];
    expect(changedPaths(before, after.sort())).toEqual([
      '/offers/1',
      '/offers/10',
      '/sitemaps/offers/2',
    ]);
  });

  it('is empty at the first publish and when nothing changed', () => {
    expect(changedPaths(null, [line('/', 'a')])).toEqual([]);
    expect(changedPaths(index(line('/', 'a')), [line('/', 'a')])).toEqual([]);
  });
});
