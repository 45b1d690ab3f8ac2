import { join } from 'node:path';
import { PAGE_KINDS, type ShowcaseProduct } from '../domain/catalog.ts';
import type { Links } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { carryPages, withdrawnLines } from './own-pages.ts';
import { countOf, type PagePlan, type Planning, readTasks } from './plan.ts';
import { type Draft, type Manifest, writeLayer } from './release.ts';
import { addDocuments } from './release-documents.ts';
import type { ReleaseIndex } from './release-index.ts';
import { renderPages } from './render-pages.ts';
import { openSite } from './site.ts';
import { planSitemaps } from './sitemaps.ts';
import { verifyLayer } from './verify.ts';

/** What pages depend on besides the catalog and the templates. */
export type PageSettings = { info: ServiceInfo; links: Links };

/** A draft, and what goes into it. */
type Work = {
  settings: PageSettings;
  distFolder: string;
  planning: Planning;
  plan: PagePlan;
  draft: Draft;
  /** The instant of the release: new content carries its second. */
  now: Date;
  onProgress?: (done: number, total: number) => void;
};

/** The layers that a release does not share with the one before, and what else it says of itself. */
export type Built = Pick<Manifest, 'sitemaps' | 'ownPaths'> & {
  own: ReleaseIndex;
  /** A base of its own, when every page was rendered. */
  base: ReleaseIndex | null;
  showcase: ShowcaseProduct[];
};

/** Renders and links what a draft holds, and verifies it. */
export async function build(work: Work): Promise<Built> {
  const { draft, plan, planning } = work;
  const { previous } = planning;
  const { layerFolder } = draft;
  const rendered = await renderChanged(work);
  const { lines: documents, sitemaps, showcase } = await makeDocuments(work);
  if (layerFolder !== null) {
    const base = writeLayer(layerFolder, rendered);
    verifyLayer(base, plan.pages);
    const gone = withdrawnLines(previous, base);
    const own = writeLayer(draft.folder, [...documents, ...gone].sort());
    verifyLayer(own, 0);
    return { own, base, ownPaths: gone.length, sitemaps, showcase };
  }
  const carried =
    previous === null ? { lines: [], pages: 0 } : carryPages(siteOf(draft.folder), previous, plan);
  const pages = [...carried.lines, ...linesOf(rendered)];
  const own = writeLayer(draft.folder, [...documents, ...pages].sort());
  verifyLayer(own, carried.pages + countOf(plan.changed));
  return { own, base: null, ownPaths: pages.length, sitemaps, showcase };
}

const siteOf = (folder: string) => join(folder, 'site');

const secondOf = (now: Date) => Math.floor(now.getTime() / 1000);

const linesOf = (pieces: Buffer[]): string[] =>
  pieces.flatMap((piece) => piece.toString('latin1').split('\n').slice(0, -1));

/** Renders the pages of a plan, into the shared layer of the draft if it makes one. */
async function renderChanged({
  settings,
  distFolder,
  planning,
  plan,
  draft,
  now,
  onProgress,
}: Work) {
  const { info, links } = settings;
  const { productUrlTemplate } = links;
  const shelf = { folder: siteOf(draft.layerFolder ?? draft.folder), now: secondOf(now) };
  const total = countOf(plan.changed);
  let done = 0;
  return renderPages(
    PAGE_KINDS.map((kind) => readTasks(planning, kind, plan.changed[kind])),
    total,
    { distFolder, info, productUrlTemplate, shelf },
    (pages) => {
      done += pages;
      onProgress?.(done, total);
    },
  );
}

async function makeDocuments({ settings, distFolder, planning, plan, draft, now }: Work) {
  const { catalog, previous, productPages } = planning;
  const touched = plan.scope === 'touched' ? joined(plan) : null;
  const before = previous?.manifest.sitemaps ?? null;
  const { links } = settings;
  const planned = await planSitemaps(catalog, { links, productPages }, before, touched);
  const site = await openSite(catalog, settings, planned);
  const lines = await addDocuments({
    ...{ site, distFolder, previous, reuse: draft.layerFolder === null },
    ...{ shelf: { folder: siteOf(draft.folder), now: secondOf(now) } },
    changedSitemaps: planned.changed,
  });
  return { lines, sitemaps: planned.parts, showcase: site.showcase };
}

const joined = ({ changed, lost }: PagePlan) => ({
  offer: [...changed.offer, ...lost.offer],
  product: [...changed.product, ...lost.product],
});
