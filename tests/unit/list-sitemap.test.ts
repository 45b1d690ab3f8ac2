import { describe, expect, it } from 'vitest';
import { Layers } from '../../src/publish/layers.ts';
import { entryLine, ReleaseIndex } from '../../src/publish/release-index.ts';
import { ADDRESSES, lastChange, listSitemap } from '../../src/publish/sitemaps.ts';

/** Three parts and a half of merchants' lists, in path order. */
const paths = Array.from({ length: 3.5 * ADDRESSES }, (_, at) => `/lojas/${100_000 + 2 * at}`);
const lineOf = (path: string, modified: number) =>
  entryLine(path, {
    ...{ type: 'text/html; charset=utf-8', size: 1, gzipSize: null, hash: 'h', source: 's' },
    modified,
  });
const bytes = Buffer.from(paths.map((path) => `${lineOf(path, 1000)}\n`).join(''));
const before = new Layers([new ReleaseIndex(bytes, 'tree')]);
const second = paths[ADDRESSES] ?? '';

describe('the sitemap of the lists', () => {
  it('has all its parts in a first release, and one if there are no lists', () => {
    const lines = paths.map((path) => lineOf(path, 1000));
    expect(listSitemap({ before: null, lost: [], lines }).changed).toEqual([1, 2, 3, 4]);
    const empty = listSitemap({ before: null, lost: [], lines: [] });
    expect(empty).toEqual({ parts: [[]], changed: [1] });
    expect(lastChange([])).toBe(null);
  });

  it('changes in no part when no list did', () => {
    const { parts, changed } = listSitemap({ before, lost: [], lines: [] });
    expect(parts.flat().map(([path]) => path)).toEqual(paths);
    expect(changed).toEqual([]);
  });

  it('changes in the part of a list that was rendered', () => {
    const { parts, changed } = listSitemap({ before, lost: [], lines: [lineOf(second, 2000)] });
    expect(changed).toEqual([2]);
    expect(parts.map(lastChange)).toEqual([1000, 2000, 1000, 1000].map(isoOf));
  });

  it('changes from the first list on that came or went', () => {
    const after = `${second}x`;
    expect(listSitemap({ before, lost: [second], lines: [] }).changed).toEqual([2, 3, 4]);
    const { parts, changed } = listSitemap({ before, lost: [], lines: [lineOf(after, 2000)] });
    expect(changed).toEqual([2, 3, 4]);
    expect(parts.flat().map(([path]) => path)).toEqual([...paths, after].sort());
  });

  it('changes in its last part when the last list went', () => {
    const last = paths.at(-1) ?? '';
    expect(listSitemap({ before, lost: [last], lines: [] }).changed).toEqual([4]);
  });
});

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();
