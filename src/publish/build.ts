import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_KINDS, type ShowcaseProduct } from '../domain/catalog.ts';
import type { Links } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { linkEntry, markGone } from './entry-files.ts';
import { Layers } from './layers.ts';
import { readListTasks } from './lists.ts';
import { countOf, isPagePath, type PagePlan, pathCountOf, planned, readTasks } from './plan.ts';
import type { Planning } from './planning.ts';
import { type Draft, type Manifest, type Release, writeLayer } from './release.ts';
import { addDocuments } from './release-documents.ts';
import { goneLine, piecesOf, type ReleaseIndex } from './release-index.ts';
import { renderPages } from './render-pages.ts';
import { openSite } from './site.ts';
import { lastChange, listEntries, listSitemap, planSitemaps } from './sitemaps.ts';
import { verifyLayer } from './verify.ts';

/** What pages depend on besides the catalog and the templates. */
export type PageSettings = { info: ServiceInfo; links: Links };

/** A draft and its inputs. */
type Work = {
  settings: PageSettings;
  distFolder: string;
  planning: Planning;
  plan: PagePlan;
  draft: Draft;
  /** The release's instant; its second is the mtime of new content. */
  now: Date;
  onProgress?: (done: number, total: number) => void;
};

/** The layers that a release does not share with the previous one, and further fields of its manifest. */
export type Built = Pick<Manifest, 'sitemaps' | 'ownPaths'> & {
  own: ReleaseIndex;
  /** A new base, when all pages were rendered. */
  base: ReleaseIndex | null;
  showcase: ShowcaseProduct[];
};

/** Renders and links the contents of a draft, and verifies them. */
export async function build(work: Work): Promise<Built> {
  const { draft, plan, planning } = work;
  const { previous } = planning;
  const { layerFolder } = draft;
  const spoolFolder = join(draft.folder, 'lines');
  const rendered = await renderChanged(work, spoolFolder);
  const listLines = linesOf(rendered.slice(0, 1));
  const { lines: documents, sitemaps, showcase } = await makeDocuments(work, listLines);
  if (layerFolder !== null) {
    const base = writeLayer(layerFolder, piecesOf(rendered));
    rmSync(spoolFolder, { recursive: true });
    verifyLayer(base, pathCountOf(plan));
    const gone = withdrawnLines(previous, base);
    const own = writeLayer(draft.folder, [...documents, ...gone].sort());
    verifyLayer(own, 0);
    return { own, base, ownPaths: gone.length, sitemaps, showcase };
  }
  const carried =
    previous === null ? { lines: [], paths: 0 } : carryPages(siteOf(draft.folder), previous, plan);
  const pages = [...carried.lines, ...linesOf(rendered)];
  rmSync(spoolFolder, { recursive: true });
  const own = writeLayer(draft.folder, [...documents, ...pages].sort());
  verifyLayer(own, carried.paths + pathCountOf(plan), {
    since: secondOf(work.now),
  });
  return { own, base: null, ownPaths: pages.length, sitemaps, showcase };
}

const siteOf = (folder: string) => join(folder, 'site');

const secondOf = (now: Date) => Math.floor(now.getTime() / 1000);

const linesOf = (files: string[]): string[] =>
  files.flatMap((file) => readFileSync(file, 'latin1').split('\n').slice(0, -1));

/** Renders the pages of a plan, into the draft's shared layer if it has one; returns the files of their index lines. */
async function renderChanged(work: Work, spoolFolder: string): Promise<string[]> {
  const { settings, distFolder, planning, plan, draft, now, onProgress } = work;
  const { info, links } = settings;
  const { productUrlTemplate } = links;
  const output = { folder: siteOf(draft.layerFolder ?? draft.folder), now: secondOf(now) };
  const total = countOf(plan.changed) + plan.lists.changed.length;
  let done = 0;
  const records = PAGE_KINDS.map((kind) => readTasks(planning, kind, plan.changed[kind]));
  return renderPages(
    // In path order.
    [readListTasks(planning, plan.lists.changed), ...records],
    total,
    { distFolder, info, productUrlTemplate, output },
    {
      folder: spoolFolder,
      onRendered(pages) {
        done += pages;
        onProgress?.(done, total);
      },
    },
  );
}

async function makeDocuments(work: Work, listLines: string[]) {
  const { settings, distFolder, planning, plan, draft, now } = work;
  const { catalog, previous, productPages } = planning;
  const touched = plan.scope === 'touched' ? joined(plan) : null;
  const { links } = settings;
  const before = previous?.manifest.sitemaps ?? null;
  const planned = await planSitemaps(catalog, { links, productPages }, before, touched);
  const layers = plan.scope === 'render' ? null : (previous?.index ?? null);
  const lists = listSitemap({ before: layers, lost: plan.lists.lost, lines: listLines });
  const site = await openSite(catalog, settings, {
    sitemaps: { ...planned.sitemaps, lists: lists.parts.map(lastChange) },
    sitemap: async (kind, number) => {
      if (kind !== 'lists') return planned.sitemap(kind, number);
      const part = lists.parts[number - 1];
      return part === undefined ? null : listEntries(part, links);
    },
    // Lists are rendered from their plan, not read through the site.
    list: async () => null,
  });
  const lines = await addDocuments({
    ...{ site, distFolder, previous, reuse: draft.layerFolder === null },
    ...{ output: { folder: siteOf(draft.folder), now: secondOf(now) } },
    changedSitemaps: [
      ...planned.changed,
      ...lists.changed.map((number) => `/sitemaps/lists/${number}`),
    ],
  });
  return { lines, sitemaps: planned.parts, showcase: site.showcase };
}

const joined = ({ changed, lost }: PagePlan) => ({
  offer: [...changed.offer, ...lost.offer],
  product: [...changed.product, ...lost.product],
});

/** Index lines of pages that are not rendered, and the number of live pages among them. */
type OwnPages = { lines: string[]; paths: number };

/**
 * Carries over the pages of the previous release's own layer and withdraws lost ones: links or marks files in
 * `folder` and returns the index lines.
 */
function carryPages(folder: string, previous: Release, plan: PagePlan): OwnPages {
  const layersBelow = new Layers(previous.index.indexes.slice(1));
  const carried: OwnPages = { lines: [], paths: 0 };
  const withdraw = (path: string) => {
    if (layersBelow.isLive(path)) markGone(folder, path);
    carried.lines.push(goneLine(path));
  };
  const { changed, lost } = planned(plan);
  const settled = new Set([...lost, ...changed]);
  for (const [path, known] of previous.index.ownEntries()) {
    if (!isPagePath(path) || settled.has(path)) continue;
    if (known === 'gone') withdraw(path);
    else {
      carried.lines.push(linkEntry(folder, path, known));
      carried.paths += 1;
    }
  }
  for (const path of lost) withdraw(path);
  return carried;
}

/** Returns the index lines of all paths ever withdrawn that a new base lacks. */
function withdrawnLines(previous: Release | null, base: ReleaseIndex): string[] {
  const lines: string[] = [];
  for (const [path] of previous?.index.entries() ?? []) {
    if (isPagePath(path) && base.find(path) === null) lines.push(goneLine(path));
  }
  return lines;
}
