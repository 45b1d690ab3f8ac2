import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { merchant, offer, product } from '../support/feed-records.ts';
import { newDatabase } from '../support/service.ts';

const analyser = openAnalyser();
const category = (id: number, parent_id: number | null = null) => ({
  kind: 'category',
  id,
  name: `Categoria ${id}`,
  parent_id,
});
const store = (id: number, merchant_id: number) => ({
  kind: 'store',
  id,
  merchant_id,
  name: 'Filial',
  address: 'Rua A, 1',
  district: 'Lapa',
  city: 'São Paulo',
});
const catalog = [
  ...[category(1), category(2, 1), category(3, 2), category(4)],
  ...[merchant(1), merchant(2), merchant(3)],
  ...[store(21, 2), store(31, 3)],
  ...[product(100), product(200, { merchant_id: 2, category_id: 3 }), product(300)],
  ...[offer(500), offer(600, { merchant_id: 2, product_id: 200 })],
];

let sql = openDatabase(await newDatabase('empty'), { max: 3 });
beforeEach(async () => {
  await sql.end();
  sql = openDatabase(await newDatabase('empty'), { max: 3 });
  await replace(catalog);
});
afterAll(() => sql.end());

const replace = (records: (object | string)[], flags = {}) =>
  importFeed(
    sql,
    records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))),
    { replace: true, skipInvalid: true, analyser, ...flags },
  );
const ids = async () => {
  const all: Record<string, number[]> = {};
  for (const kind of ['category', 'merchant', 'store', 'product', 'offer']) {
    const rows = await sql<{ id: number }[]>`select id from ${sql(kind)} order by id`;
    all[kind] = rows.map(({ id }) => id);
  }
  return all;
};

describe('with --replace and --skip-invalid', () => {
  it('a record whose line is bad keeps its previous version, with all that this one names', async () => {
    const before = await sql`select * from offer where id = 600`;
    const result = await replace([merchant(1), product(100), offer(600, { colour: 'red' })]);
    expect(result.skipped).toMatchObject([{ line: 3, about: { kind: 'offer', id: 600 } }]);
    expect(await sql`select * from offer where id = 600`).toEqual(before);
    expect(await ids()).toEqual({
      category: [1, 2, 3],
      merchant: [1, 2],
      store: [],
      product: [100, 200],
      offer: [600],
    });
    expect(result.removed.count).toBe(6);
  });

  it('so does one with dangling references, and a duplicate', async () => {
    const feed = [
      merchant(1),
      { ...store(31, 3), city: '' },
      product(300, { merchant_id: 99 }),
      product(100, { name: 'Novo' }),
      product(100),
    ];
    await replace(feed, { force: true });
    expect(await ids()).toMatchObject({ merchant: [1, 3], store: [31], product: [100, 300] });
    expect(await sql`select id, name, merchant_id from product order by id`).toMatchObject([
      { id: 100, name: 'Novo' },
      { id: 300, name: 'Item 300', merchant_id: 1 },
    ]);
  });

  it('a good line may name a record whose own line is bad, and takes effect', async () => {
    const feed = [
      merchant(1),
      { kind: 'merchant', id: 2 },
      product(200, { merchant_id: 2, name: 'Novo' }),
      product(999, { merchant_id: 3 }),
    ];
    const result = await replace(feed, { force: true });
    expect(result.skipped.map(({ line }) => line)).toEqual([2, 4]);
    expect(await ids()).toMatchObject({ merchant: [1, 2], product: [200] });
    expect(await sql`select name from product where id = 200`).toEqual([{ name: 'Novo' }]);
  });

  it.each([
    ['is no JSON', '{"kind":"product","id":200,'],
    ['tells no id', { kind: 'product', name: 'x' }],
    ['tells an unknown kind', { kind: 'produto', id: 200 }],
    ['tells no integer', { kind: 'product', id: '200' }],
  ])('nothing is removed beside a line that %s, unless it is forced', async (_, line) => {
    const before = await ids();
    const feed = [merchant(1, { name: 'Nova' }), product(100), line];
    expect(await replace(feed)).toMatchObject({ removed: { count: 0 }, withheld: true });
    expect(await ids()).toEqual(before);
    expect(await sql`select name from merchant where id = 1`).toEqual([{ name: 'Nova' }]);
    expect(await replace(feed, { force: true })).toMatchObject({ withheld: false });
    expect(await ids()).toMatchObject({ merchant: [1], product: [100], offer: [] });
  });

  it('the sample stays the sample while nothing of it is removed', async () => {
    await sql`update catalog_state set sample = true`;
    await replace([merchant(1), 'x']);
    expect(await sql`select sample from catalog_state`).toEqual([{ sample: true }]);
  });

  it('records that bad lines keep do not count as removed', async () => {
    const many = Array.from({ length: 40 }, (_, index) => product(1000 + index));
    await replace([merchant(1), ...many], { force: true });
    const bad = many.map((one, index) => (index < 30 ? { ...one, colour: 'red' } : one));
    expect((await replace([merchant(1), ...bad])).removed.count).toBe(0);
    await expect(replace([merchant(1), ...bad.slice(21)])).rejects.toThrow('21 of 40 products');
  });
});
