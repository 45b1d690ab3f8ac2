import { expect, inject, it } from 'vitest';
import { isListPath } from '../../src/domain/lists.ts';
import { isShell } from '../../src/domain/resources.ts';
import { isPagePath } from '../../src/publish/plan.ts';
import { resourceOf } from '../../src/publish/release-index.ts';
import { currentRelease, pathsOf } from '../support/release.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');
const release = currentRelease(`${inject('sharedDataDir')}/releases`);
const pages = pathsOf(release).filter(
  (path) => resourceOf(release.index.find(path))?.type.startsWith('text/html') && !isShell(path),
);

/** The pages that a page links to, as somebody finds them who follows plain links. */
async function linksOf(path: string): Promise<string[]> {
  const html = await (await fetch(url + path)).text();
  const targets = [...html.matchAll(/<a [^>]*href="([^"#?]+)/g)].map((match) => match[1] ?? '');
  return targets.flatMap((target) =>
    target.startsWith(base) ? [target.slice(base.length) || '/'] : [],
  );
}

it('reaches every page from the home page in at most four clicks', async () => {
  const clicks = new Map([['/', 0]]);
  for (let at = 0, next = ['/']; at < 4; at += 1) {
    const found = await Promise.all(
      next.filter((path) => pages.includes(path)).map((path) => linksOf(path)),
    );
    next = [...new Set(found.flat())].filter((path) => !clicks.has(path));
    for (const path of next) clicks.set(path, at + 1);
  }
  expect(pages.filter((path) => !clicks.has(path))).toEqual([]);
  expect(pages.filter(isListPath).length).toBeGreaterThan(200);
});

it('finds every page of the catalog in the sitemap', async () => {
  const locations = async (path: string) =>
    [...(await (await fetch(url + path)).text()).matchAll(/<loc>([^<]+)</g)].map(
      (match) => match[1]?.slice(base.length) ?? '',
    );
  const parts = await locations('/sitemap.xml');
  const listed = (await Promise.all(parts.map(locations))).flat();
  expect(listed.toSorted()).toEqual(pages.filter(isPagePath).toSorted());
});
