import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { countUnexplained } from '../../src/data/catalog/touched.ts';
import { openDatabase } from '../../src/data/connection/client.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { FeedLossError } from '../../src/feed/loss.ts';
import { merchant, offer, product } from '../support/feed-records.ts';
import { newDatabase } from '../support/service.ts';

const analyser = openAnalyser();
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const mall = (products: number, offers: number) => [
  merchant(1),
  ...range(products).map((id) => product(id)),
  ...range(offers).map((id) => offer(id)),
];

let sql = openDatabase(await newDatabase('empty'), { max: 3 });
beforeEach(async () => {
  await sql.end();
  sql = openDatabase(await newDatabase('empty'), { max: 3 });
});
afterAll(() => sql.end());

const replace = (records: (object | string)[], flags = {}) =>
  importFeed(
    sql,
    records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))),
    { replace: true, skipInvalid: false, analyser, ...flags },
  );
const idsOf = async (kind: string) => {
  const rows = await sql<{ id: number }[]>`select id from ${sql(kind)} order by id`;
  return rows.map(({ id }) => id);
};
/** Everything that readers can see of the catalog. */
const everything = async () => [
  await sql`select * from product order by id`,
  await sql`select * from offer order by id`,
  await sql`select kind, id, number from search_record order by kind, id`,
  await sql`select updated_at, sample from catalog_state`,
  await sql`select kind, id from catalog_removal order by kind, id`,
];

describe('a feed that lacks more than half of the products or of the offers', () => {
  it.each([
    ['an empty one', [], '40 of 40 products and 40 of 40 offers'],
    ['a truncated one', mall(19, 40), '21 of 40 products'],
    ['one without most offers', mall(40, 19), '21 of 40 offers'],
  ])('is refused with --replace, and changes nothing: %s', async (_, feed, words) => {
    await replace(mall(40, 40));
    const before = await everything();
    const heard: string[] = [];
    const listener = await sql.listen('catalog_changed', () => heard.push('changed'));
    const refused = await replace(feed).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FeedLossError);
    expect((refused as Error).message).toContain(`lacks ${words}`);
    expect(await everything()).toEqual(before);
    await sql.notify('catalog_changed', '');
    await expect.poll(() => heard).toEqual(['changed']);
    await listener.unlisten();
  });

  it('is applied when it lacks half of them, when it is forced, and without --replace', async () => {
    await replace(mall(40, 40));
    expect((await replace(mall(20, 40))).removed.count).toBe(20);
    expect((await replace([merchant(1)], { replace: false })).removed.count).toBe(0);
    expect((await replace([merchant(1)], { force: true })).removed.count).toBe(60);
    expect(await idsOf('product')).toEqual([]);
  });

  it('is refused of a small catalog as well', async () => {
    await replace(mall(4, 1));
    await expect(replace(mall(1, 1))).rejects.toThrow('3 of 4 products');
    await expect(replace(mall(4, 0))).rejects.toThrow('1 of 1 offers');
  });

  it('is applied in place of the sample when it is another catalog, not when a part of it', async () => {
    await replace(mall(40, 10));
    await sql`update catalog_state set sample = true`;
    for (const part of [[], [merchant(1)], mall(15, 10)]) {
      await expect(replace(part)).rejects.toThrow('of 40 products');
    }
    const own = [merchant(1), ...range(3).map((id) => product(100 + id)), offer(1)];
    expect((await replace(own)).removed.count).toBe(49);
    expect(await sql`select sample from catalog_state`).toEqual([{ sample: false }]);
  });

  it('does not count offers whose time is over', async () => {
    const over = { valid_until: '2026-01-01T00:00:00Z' };
    await replace([...mall(40, 20), ...range(60).map((id) => offer(100 + id, over))]);
    expect((await replace(mall(40, 10))).removed.count).toBe(70);
    await replace(mall(40, 20));
    await expect(replace(mall(40, 9))).rejects.toThrow('11 of 20 offers');
  });
});

describe('an import after one that was rolled back', () => {
  it('is not slow for what autovacuum made of the dead rows', async () => {
    const itsOwnParent = { kind: 'category', id: 1, name: 'Casa', parent_id: 1 };
    await expect(replace([...mall(1500, 1500), itsOwnParent])).rejects.toThrow('own ancestor');
    await sql`analyze`;
    const [uncounted] = await sql`select reltuples from pg_class where relname = 'product'`;
    expect(uncounted).toEqual({ reltuples: 0 });
    // With stale planner statistics this took minutes.
    await replace(mall(1500, 1500));
    expect(await idsOf('offer')).toHaveLength(1500);
  });
});

describe('what imports removed', () => {
  const lost = (products: number[], offers: number[]) =>
    countUnexplained(sql, { product: products, offer: offers });

  it('is remembered, over several imports, until it comes back', async () => {
    await replace(mall(40, 40));
    await replace(mall(30, 40));
    await replace(mall(20, 30));
    expect(await lost([21, 30, 31, 40], [31, 40])).toBe(0);
    await replace([product(40)], { replace: false });
    await sql`delete from product where id in (40, 20)`;
    expect(await lost([20, 21, 40], [])).toBe(2);
  });

  it('is forgotten after 90 days', async () => {
    await replace(mall(40, 0));
    await replace(mall(30, 0));
    await sql`update catalog_removal set removed_at = now() - interval '91 days' where id > 35`;
    await replace([merchant(1)], { replace: false });
    expect(await lost([31, 35, 36, 40], [])).toBe(2);
  });

  it('is told from what went by hand or was never here; a hidden offer is not lost', async () => {
    await replace(mall(40, 40));
    await sql`delete from offer where id <= 10`;
    await replace([offer(11, { status: 'hidden' })], { replace: false });
    expect(await lost([], [1, 10, 11, 9999])).toBe(3);
  });
});
