import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Catalog } from '../../src/data/catalog/export.ts';
import { removeSetAside } from '../../src/publish/prune.ts';
import { publish } from '../../src/publish/publish.ts';
import { DIST_FOLDER } from '../../src/server/publishing.ts';
import { serviceInfo, serviceLinks } from '../../src/service/info.ts';
import { LONG } from '../support/long.ts';
import { checkRelease, currentRelease } from '../support/release.ts';

/** Number of disk writes before the process dies, half-way through the next one. */
const life = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY, made: 0 }));

class Death extends Error {}

vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  type Change = (...args: never[]) => unknown;
  const mortal = (change: Change, byHalf: Change = () => {}) =>
    ((...args: never[]) => {
      if (life.left < 0) throw new Death();
      life.left -= 1;
      life.made += 1;
      if (life.left >= 0) return change(...args);
      byHalf(...args);
      throw new Death();
    }) as never;
  const changes = {
    closeSync: real.closeSync,
    mkdirSync: mortal(real.mkdirSync),
    openSync: mortal(real.openSync),
    futimesSync: mortal(real.futimesSync),
    linkSync: mortal(real.linkSync),
    symlinkSync: mortal(real.symlinkSync),
    renameSync: mortal(real.renameSync),
    writeSync: mortal(real.writeSync, (file: number, bytes: Buffer) =>
      real.writeSync(file, bytes.subarray(0, bytes.length / 2)),
    ),
    writeFileSync: mortal(real.writeFileSync, (path: string, content: string | Buffer) =>
      real.writeFileSync(path, content.slice(0, content.length / 2)),
    ),
    appendFileSync: mortal(real.appendFileSync),
    rmSync: mortal(real.rmSync),
  };
  return { ...real, ...changes, default: { ...real, ...changes } };
});

const root = mkdtempSync(join(tmpdir(), 'vitrine-death-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const config = readConfig({ BASE_URL: 'https://v.example', DATA_DIR: root });

const PRODUCTS = 12;
const CHANGING = 3;

/** A catalog of which the first products carry a text. */
function catalogWith(text: string): Catalog {
  const ids = Array.from({ length: PRODUCTS }, (_, at) => at + 1);
  const pageOf = (id: number) => {
    const product = {
      ...{ id, name: `Item ${id}`, brand: null, category: null },
      ...{ description: id <= CHANGING ? text : 'Sempre igual', merchant: { id: 1, name: 'Loja' } },
      ...{ price: null, listPrice: null, inStock: true, media: [] },
    };
    return JSON.stringify({ product, stores: [], moreStores: 0, offers: [], related: [] });
  };
  const at = '2026-11-01T12:00:00.000Z';
  const none = { offers: 0, merchants: 1, stores: 0, cities: 0, districts: 0, categories: 0 };
  return {
    counts: { products: PRODUCTS, products_in_stock: PRODUCTS, ...none },
    ...{ updatedAt: at, readAt: at, version: 1, sample: false, nextBoundary: null },
    listPages: async (kind, among = null) =>
      kind === 'offer' ? [] : (among ?? ids).toSorted(inText),
    readPages: async (_, asked) => new Map(asked.map((id) => [id, pageOf(id)])),
    touchedPages: async () => ({ offer: [], product: ids.slice(0, CHANGING) }),
    pageDates: async (kind) =>
      kind === 'offer' ? [] : ids.map((id) => ({ id, updatedAt: at, picture: null })),
    pageSpan: async (kind) => ({ changed: kind === 'offer' ? null : at, beyond: null }),
    directions: async () => ({
      ...{ categories: [], cities: [] },
      spans: { categories: [], cities: [] },
    }),
    async *lists() {
      yield { path: '/ofertas', shown: null };
    },
    async *places() {},
    listEntries: async () => ({ offer: new Map(), product: new Map(), store: new Map() }),
    touchedLists: async () => ({
      ...{ merchants: [], renamed: [], categories: [], allCategories: false, allPlaces: false },
      entries: { offer: [], product: [], store: [] },
    }),
    countUnexplained: async () => 0,
    latestOffers: async () => [],
    changedOffers: async () => [],
    showcase: async () => [],
  };
}

const inText = (a: number, b: number) => (String(a) < String(b) ? -1 : 1);

const publishText = (text: string, full: boolean) =>
  publish({
    catalog: catalogWith(text),
    settings: { info: serviceInfo(config), links: serviceLinks(config) },
    ...{ root, distFolder: DIST_FOLDER, template: 'one', scope: full ? 'render' : 'touched' },
    ...{ upToDate: false, force: false },
  });

/** The one text of the current release, every file of which is as its index says. */
function servedText(texts: string[]): string | undefined {
  checkRelease(root);
  const { index } = currentRelease(root);
  const pages = Array.from({ length: CHANGING }, (_, at) => {
    const known = index.find(`/products/${at + 1}`);
    return known === null || known === 'gone'
      ? ''
      : readFileSync(join(known.tree, known.file), 'utf8');
  });
  return texts.find((text) => pages.every((page) => page.includes(text)));
}

/** Everything between a finished tree and a pruned folder, and samples of earlier writes. */
const LAST_CHANGES = 30;
const STRIDE = LONG ? 1 : 12;

it.each([
  ['a part of the pages', false],
  ['all pages', true],
])(
  'a publish of %s that dies between any two changes to the disk leaves a whole release',
  async (_, full) => {
    await publishText('Antes de tudo', full);
    life.made = 0;
    await publishText('Sem morte', full);
    const all = life.made;
    let served = 'Sem morte';
    let switched = 0;
    let died = true;
    for (let left = 0; died; left += left > all - LAST_CHANGES ? 1 : STRIDE) {
      const text = `Depois de ${left} passos`;
      life.left = left;
      died = await publishText(text, full).then(
        () => false,
        (error) => error instanceof Death || Promise.reject(error),
      );
      life.left = Number.POSITIVE_INFINITY;
      const now = servedText([served, text]);
      expect([left, now]).toEqual([left, died ? expect.any(String) : text]);
      if (died && now === text) switched += 1;
      served = now ?? '';
    }
    // Some deaths came between the switch and the end.
    expect(switched).toBeGreaterThan(0);
    expect(switched).toBeLessThan(LAST_CHANGES);
    await publishText('Com saúde', full);
    expect(servedText(['Com saúde'])).toBe('Com saúde');
    expect(readdirSync(root).filter((name) => name.endsWith('.building'))).toEqual([]);
    // Killed while it deleted: the next one deletes the rest.
    const [half = ''] = readdirSync(root).filter((name) => name.endsWith('.old'));
    rmSync(join(root, half, 'site'), { recursive: true });
    expect(await removeSetAside(root)).toEqual([]);
    expect(readdirSync(root).filter((name) => name.endsWith('.old'))).toEqual([]);
    expect(servedText(['Com saúde'])).toBe('Com saúde');
  },
);

it('folders of another user are left in place, and named', async () => {
  for (const text of ['Um', 'Dois', 'Três']) await publishText(text, true);
  await removeSetAside(root);
  await publishText('Quatro', true);
  // Root may delete everything: the system's `rm` is replaced by one that may not.
  const { PATH } = process.env;
  const programs = mkdtempSync(join(tmpdir(), 'vitrine-programs-'));
  writeFileSync(join(programs, 'rm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  process.env.PATH = programs;
  const left = await removeSetAside(root);
  process.env.PATH = PATH;
  expect(left).toEqual(readdirSync(root).filter((name) => name.endsWith('.old')));
  expect(left.map((name) => name.slice(0, 2)).sort()).toEqual(['b-', 'r-']);
  expect(servedText(['Quatro'])).toBe('Quatro');
  expect(await removeSetAside(root)).toEqual([]);
});
