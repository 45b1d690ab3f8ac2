import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { CatalogExport } from '../../src/data/catalog/export.ts';
import { publish } from '../../src/publish/publish.ts';
import { openCurrentRelease } from '../../src/publish/release.ts';
import { parseLine } from '../../src/publish/release-index.ts';
import { makeSite } from '../../src/publish/site.ts';
import { verifyRelease } from '../../src/publish/verify.ts';
import { DIST_FOLDER } from '../../src/server/publishing.ts';
import { serviceInfo, serviceLinks } from '../../src/service/info.ts';
import { LONG } from '../support/long.ts';

/** How many more changes to the disk the process lives to make; the next one it makes by half. */
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
    rmSync: mortal(real.rmSync, (path: string) => {
      const [first] = real.existsSync(path) ? real.readdirSync(path) : [];
      if (first !== undefined) real.rmSync(join(path, first), { recursive: true });
    }),
  };
  return { ...real, ...changes, default: { ...real, ...changes } };
});

const root = mkdtempSync(join(tmpdir(), 'vitrine-death-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const config = readConfig({ BASE_URL: 'https://v.example', DATA_DIR: root });

const PRODUCTS = 12;
const CHANGING = 3;

/** A catalog of which the first products carry a text. */
function catalogWith(text: string): CatalogExport {
  const products = Array.from({ length: PRODUCTS }, (_, at) => {
    const record = {
      ...{ id: at + 1, name: `Item ${at + 1}`, brand: null, category: null },
      ...{ description: at < CHANGING ? text : 'Sempre igual', merchant: { id: 1, name: 'Loja' } },
      ...{ price: null, listPrice: null, inStock: true, media: [] },
    };
    const card = { id: at + 1, title: record.name, price: null, note: null };
    return {
      ...{ id: at + 1, merchantId: 1, belongsTo: null, inStock: true },
      ...{ record: JSON.stringify(record), card: JSON.stringify(card) },
      updatedAt: '2026-11-01T12:00:00.000Z',
    };
  });
  const none = { offers: 0, merchants: 1, stores: 0, cities: 0, districts: 0, categories: 0 };
  return {
    counts: { products: PRODUCTS, products_in_stock: PRODUCTS, ...none },
    ...{ updatedAt: '2026-11-01T12:00:00.000Z', sample: false, nextBoundary: null },
    ...{ products, offers: [], stores: [] },
  };
}

const publishText = (text: string, full: boolean) =>
  publish({
    site: makeSite(catalogWith(text), serviceInfo(config), serviceLinks(config)),
    ...{ root, distFolder: DIST_FOLDER, full, force: false, countUnexplained: async () => 0 },
  });

/** The one text of the current release, every file of which is as its index says. */
function servedText(texts: string[]): string | undefined {
  const release = openCurrentRelease(root);
  if (release === null) throw new Error('there is no release');
  const { folder, index, manifest } = release;
  const lines = [...index.lines()];
  verifyRelease(lines, manifest.pages, (layer) => join(folder, layer), lines.length);
  const pages = Array.from({ length: CHANGING }, (_, at) => {
    const entry = parseLine(index.find(`/products/${at + 1}`) ?? '');
    return readFileSync(join(folder, entry?.layer ?? '', entry?.file ?? ''), 'utf8');
  });
  return texts.find((text) => pages.every((page) => page.includes(text)));
}

/** All that happens between a finished tree and a pruned folder, and samples of what comes before. */
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
  },
);
