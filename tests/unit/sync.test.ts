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
import { Layers } from '../../src/publish/layers.ts';
import { setAside } from '../../src/publish/prune.ts';
import { changedPaths } from '../../src/publish/purge.ts';
import { layerName, openDraft, switchTo } from '../../src/publish/release.ts';
import { entryLine, goneLine, ReleaseIndex } from '../../src/publish/release-index.ts';
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
let recent: string | null = null;

/** Publishes a release of hand-written pages, with layers of its own or those of the one before. */
function publish(pages: Pages, layers: { base?: Pages; recent?: Pages } = {}): string {
  day += 1;
  const layer = layers.base ?? layers.recent;
  const draft = openDraft(root, new Date(Date.UTC(2026, 0, day)), layer !== undefined);
  const write = (into: string, files: Pages) => {
    for (const [name, [content, second]] of Object.entries(files)) {
      const file = join(into, 'site', name);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, content);
      utimesSync(file, second, second);
    }
  };
  write(draft.folder, pages);
  if (layer !== undefined) write(draft.layerFolder ?? '', layer);
  if (layers.base !== undefined) [base, recent] = [layerName(draft), null];
  if (layers.recent !== undefined) recent = layerName(draft);
  const manifest = {
    publishedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
    ...{ version: day, catalogUpdatedAt: null, readAt: '', nextBoundary: null },
    ...{ template: '', sample: false, base, recent },
    ...{ pages: 0, ownPaths: 0, recentPaths: 0, sitemaps: { offers: [], products: [] } },
  };
  switchTo(root, draft, manifest, '[]');
  setAside(root);
  return draft.id;
}

/** What a reader of the target finds, layer by layer. */
function read(name: string): string | null {
  const files = ['site', 'recent', 'base'].map((layer) => join(target, 'current', layer, name));
  const file = files.find(existsSync);
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
  it.runIf(runs)('brings the current release whole, with the times of its files', async () => {
    stubRemoteShell();
    await syncReleases(root, to());
    expect(await syncReleases(root, to())).toBeNull();
    const id = publish(
      { 'index.html': ['home', 100] },
      { base: { 'products/1.html': ['one', 101] } },
    );
    expect(await syncReleases(root, to())).toBe(id);
    expect([read('index.html'), read('products/1.html')]).toEqual(['home', 'one']);
    expect(statSync(join(target, 'current/base/products/1.html')).mtimeMs).toBe(101_000);
    expect(readlinkSync(join(target, 'current'))).toBe(id);
    expect(readdirSync(target).filter((name) => name.includes('building'))).toEqual([]);
  });

  it.runIf(runs)(
    'brings what changed, links what did not, and keeps two old releases',
    async () => {
      stubRemoteShell();
      const pages: Pages = { 'products/1.html': ['one', 101], 'products/2.html': ['two', 101] };
      publish({ 'index.html': ['home 1', 100] }, { base: pages });
      await syncReleases(root, to());
      const first = inode(target, base, 'site/products/1.html');

      publish({ 'index.html': ['home 2', 102], 'products/2.html': ['TWO', 102] });
      await syncReleases(root, to());
      expect([read('index.html'), read('products/1.html'), read('products/2.html')]).toEqual([
        'home 2',
        'one',
        'TWO',
      ]);

      // The page moves to a recent layer, and then to a new base.
      const second = inode(target, 'current/site/products/2.html');
      publish({ 'index.html': ['home 3', 103] }, { recent: { 'products/2.html': ['TWO', 102] } });
      await syncReleases(root, to());
      expect(inode(target, 'current/recent/products/2.html')).toBe(second);
      expect(read('products/2.html')).toBe('TWO');
      const moved: Pages = { ...pages, 'products/2.html': ['TWO', 102] };
      publish({ 'index.html': ['home 3', 103] }, { base: moved });
      await syncReleases(root, to());
      expect(inode(target, base, 'site/products/1.html')).toBe(first);
      expect(inode(target, base, 'site/products/2.html')).toBe(second);

      for (const second of [104, 105, 106]) {
        publish({ 'index.html': [`home ${second}`, second] });
        await syncReleases(root, to());
      }
      const names = readdirSync(target).filter((name) => /^[rb]-/.test(name));
      expect(names.filter((name) => name.startsWith('r-'))).toHaveLength(3);
      expect(names.filter((name) => name.startsWith('b-'))).toEqual([base]);
      expect(read('index.html')).toBe('home 106');
    },
  );

  it.runIf(runs)(
    'that fails leaves the previous release in place, and the next one repairs it',
    async () => {
      stubRemoteShell();
      publish({ 'index.html': ['home 1', 100] }, { base: {} });
      await syncReleases(root, to());
      publish({ 'index.html': ['home 2', 102] }, { base: { 'products/1.html': ['one', 102] } });
      const hidden = join(folder, 'hidden');
      renameSync(join(root, base), hidden);
      await expect(syncReleases(root, to())).rejects.toThrow();
      expect(read('index.html')).toBe('home 1');
      renameSync(hidden, join(root, base));
      await syncReleases(root, to());
      expect([read('index.html'), read('products/1.html')]).toEqual(['home 2', 'one']);
    },
  );
});

describe('the purge list', () => {
  const line = (path: string, hash: string) =>
    entryLine(path, {
      type: 'text/html; charset=utf-8',
      size: 1,
      gzipSize: null,
      hash,
      source: null,
      modified: 1,
    });
  const index = (...lines: string[]) =>
    new ReleaseIndex(Buffer.from(lines.map((one) => `${one}\n`).join('')), '');

  it('names what changed and what is withdrawn, and nothing else', () => {
    const own = index(line('/', 'a'), line('/404', 'x'), line('/sitemaps/offers/2', 'f'));
    const shared = index(
      line('/offers/1', 'b'),
      line('/offers/1.md', 'c'),
      line('/offers/10', 'd'),
      line('/offers/2', 'e'),
      goneLine('/offers/3'),
    );
    const written = index(
      line('/', 'a'),
      line('/404', 'y'),
      goneLine('/offers/1'),
      line('/offers/1.md', 'c'),
      line('/offers/10', 'changed'),
      goneLine('/offers/3'),
      line('/offers/4', 'new'),
      line('/sitemaps/offers/1', 'g'),
    );
    expect([...changedPaths(new Layers([own, shared]), new Layers([written]))]).toEqual([
      '/offers/1',
      '/offers/10',
      '/sitemaps/offers/2',
    ]);
  });

  it('is empty at the first publish and when nothing changed', () => {
    const same = new Layers([index(line('/', 'a'))]);
    expect([...changedPaths(null, same)]).toEqual([]);
    expect([...changedPaths(same, same)]).toEqual([]);
  });
});
