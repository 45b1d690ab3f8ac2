import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openCatalog, withCatalog } from '../../src/data/catalog/export.ts';
import { forgetOldVersions, type Known } from '../../src/data/catalog/touched.ts';
import { PAGE_KINDS } from '../../src/domain/catalog.ts';
import { publishCatalog, releasesFolder } from '../../src/server/publishing.ts';
import {
  applyChanges,
  type Change,
  changes,
  layFoundation,
  productAndOffer,
} from '../support/catalog-changes.ts';
import { testDatabase } from '../support/database.ts';
import { LONG } from '../support/long.ts';
import { checkRelease, currentRelease } from '../support/release.ts';

const sql = await testDatabase();
const MOST = 100_000;

/** The content of every page by path, and what a publisher knows after reading it. */
async function readAll(): Promise<{ pages: Map<string, string>; known: Known }> {
  return withCatalog(sql, async (catalog) => {
    const pages = new Map<string, string>();
    for (const kind of PAGE_KINDS) {
      const models = await catalog.readPages(kind, await catalog.listPages(kind));
      for (const [id, model] of models) pages.set(`/${kind}s/${id}`, model);
    }
    const { version, updatedAt, readAt } = catalog;
    return { pages, known: { version, updatedAt, readAt } };
  });
}

async function touchedSince(known: Known): Promise<Set<string> | null> {
  const touched = await (await openCatalog(sql)).touchedPages(known, MOST);
  if (touched === null) return null;
  return new Set(PAGE_KINDS.flatMap((kind) => touched[kind].map((id) => `/${kind}s/${id}`)));
}

/** Pages that changed, were added or removed. */
function differing(before: Map<string, string>, after: Map<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

const apply = (batch: readonly Change[]) => applyChanges(sql, batch);
const startAnew = () => layFoundation(sql);

describe('the record of what changed', () => {
  it('names every page that shows something else after a change', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(changes, { maxLength: 40 }),
        fc.array(fc.array(changes, { minLength: 1, maxLength: 6 }), { maxLength: 6 }),
        async (first, batches) => {
          await startAnew();
          await apply(first);
          let before = await readAll();
          for (const batch of batches) {
            await apply(batch);
            const after = await readAll();
            const touched = await touchedSince(before.known);
            const missed = differing(before.pages, after.pages).filter(
              (path) => !touched?.has(path),
            );
            expect(missed).toEqual([]);
            before = after;
          }
        },
      ),
      { numRuns: LONG ? 400 : 40 },
    );
  }, 600_000);

  it('names the pages of offers that begin and end by themselves, and those beside them', async () => {
    await startAnew();
    const soon = new Date(Date.now() + 700).toISOString();
    const offer = (id: number, more: object) =>
      ({
        op: 'upsert',
        record: { kind: 'offer', id, title: 'Bolo', merchant_id: 1, ...more },
      }) as const;
    await apply([
      offer(1, {}),
      offer(2, { valid_from: soon }),
      offer(3, {}),
      offer(4, { valid_until: soon }),
    ]);
    const before = await readAll();
    expect(await touchedSince(before.known)).toEqual(new Set());
    await new Promise((done) => setTimeout(done, 800));
    expect(await touchedSince(before.known)).toEqual(
      new Set([1, 2, 3, 4].map((id) => `/offers/${id}`)),
    );
    const changed = differing(before.pages, (await readAll()).pages);
    expect(changed.sort()).toEqual(['/offers/1', '/offers/2', '/offers/3', '/offers/4']);
  });

  it('takes the pages near a product, not its whole merchant', async () => {
    await startAnew();
    const product = (id: number, name: string) =>
      ({ op: 'upsert', record: { kind: 'product', id, name, merchant_id: 1 } }) as const;
    await apply(Array.from({ length: 50 }, (_, at) => product(at + 1, 'Pão')));
    const { known } = await readAll();
    await apply([product(20, 'Bolo')]);
    const near = [17, 18, 19, 20, 21, 22, 23].map((id) => `/products/${id}`);
    expect(await touchedSince(known)).toEqual(new Set(near));
  });

  it('is not used where it is incomplete: expired, another database, truncated, too much', async () => {
    await startAnew();
    const { known } = await readAll();
    expect(await touchedSince(known)).toEqual(new Set());
    expect(await touchedSince({ ...known, updatedAt: '2026-01-01T00:00:00.000Z' })).toBeNull();
    expect(await touchedSince({ ...known, version: known.version + 1 })).toBeNull();
    await apply([{ op: 'upsert', record: { kind: 'merchant', id: 1, name: 'Outra' } }]);
    expect(await (await openCatalog(sql)).touchedPages(known, 0)).toBeNull();
    await sql`update catalog_version set at = at - interval '8 days' where version = ${known.version}`;
    await forgetOldVersions(sql);
    expect(await touchedSince(known)).toBeNull();
    const { known: later } = await readAll();
    expect(await touchedSince(later)).toEqual(new Set());
    await sql`truncate offer cascade`;
    expect(await touchedSince(later)).toBeNull();
    expect((await readAll()).known.version).toBeGreaterThan(later.version);
  });
});

it('publishes what changed step by step as it would be published at once', async () => {
  await startAnew();
  // Enough for lists of several pages.
  await apply(Array.from({ length: 150 }, (_, at) => productAndOffer(at + 1)).flat());
  const folder = () => mkdtempSync(join(tmpdir(), 'vitrine-changes-'));
  const config = (dataDir: string) =>
    readConfig({ BASE_URL: 'https://v.example', DATA_DIR: dataDir });
  const [stepwise, afresh] = [config(folder()), config(folder())];
  const steps = fc.sample(fc.array(changes, { minLength: 1, maxLength: 12 }), {
    seed: 7,
    numRuns: 20,
  });
  for (const [at, step] of steps.entries()) {
    await apply(step);
    const result = await publishCatalog(sql, stepwise, { scope: 'touched', force: true });
    expect([at, result?.scope]).toEqual([
      at,
      at === 0 ? 'render' : expect.stringMatching('touched'),
    ]);
    checkRelease(releasesFolder(stepwise));
  }
  expect(await publishCatalog(sql, stepwise, { scope: 'compare', force: true })).toBeNull();
  await publishCatalog(sql, afresh, { scope: 'render', force: true });
  const contents = (dataDir: typeof stepwise) =>
    [...currentRelease(releasesFolder(dataDir)).index.entries()].flatMap(([path, known]) =>
      // The times of lists differ between the two.
      known === 'gone' || /^\/sitemap(\.xml|s\/lists\/)/.test(path)
        ? []
        : [`${path} ${known.hash}`],
    );
  expect(contents(stepwise)).toEqual(contents(afresh));

  // A comparison finds changes that were not recorded.
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update merchant set name = 'Loja rebatizada' where id = 1`;
  });
  expect(await publishCatalog(sql, stepwise, { scope: 'touched', force: true })).toBeNull();
  const found = await publishCatalog(sql, stepwise, { scope: 'compare', force: true });
  expect(found).toMatchObject({ scope: 'compare', withdrawn: 0 });
  expect(found?.rendered).toBeGreaterThan(0);
}, 120_000);
