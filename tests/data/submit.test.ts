import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { submitCatalog } from '../../src/data/catalog/queue.ts';
import { openDatabase } from '../../src/data/connection/client.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { applyQueue } from '../../src/feed/changes.ts';
import { importFeed } from '../../src/feed/import.ts';
import { merchant, offer, product } from '../support/feed-records.ts';
import { newDatabase } from '../support/service.ts';

const analyser = openAnalyser();
let sql = openDatabase(await newDatabase('empty'), { max: 3 });
beforeEach(async () => {
  await sql.end();
  sql = openDatabase(await newDatabase('empty'), { max: 3 });
  const lines = [merchant(1), product(1), product(2), offer(1, { product_id: 1 })];
  await importFeed(
    sql,
    lines.map((line) => JSON.stringify(line)),
    { replace: true, skipInvalid: false, analyser },
  );
});
afterAll(() => sql.end());

const submit = async (changes: unknown, key: string | null = null): Promise<number> => {
  const [row] =
    await sql`select submit_catalog(${JSON.stringify(changes)}::text::jsonb, ${key}) as n`;
  return row?.n;
};
const upsert = (record: object) => ({ op: 'upsert', record });
const patch = (kind: string, id: number, set: object) => ({ op: 'patch', kind, id, set });
const remove = (kind: string, id: number) => ({ op: 'delete', kind, id });
const apply = () => applyQueue(sql, analyser);
const faults = () =>
  sql`select batch_key, position, kind, id, field, reason from catalog_change_fault order by batch_key, position`;
const productIds = async () => (await sql`select id from product order by id`).map(({ id }) => id);
const stateOfCatalog = () => sql`select updated_at from catalog_state`;

describe('submit_catalog', () => {
  it('queues changes and returns how many, 0 for a key already seen', async () => {
    const changes = [patch('product', 1, { name: 'Novo' }), remove('offer', 1)];
    expect(await submit(changes, 'a')).toBe(2);
    expect(await submit(changes, 'a')).toBe(0);
    expect(await submit([], 'b')).toBe(0);
    expect(await submit(changes)).toBe(2);
    expect(await submit(changes)).toBe(2);
    expect(await sql`select count(*) as n from catalog_batch where changes is not null`).toEqual([
      { n: 3 },
    ]);
  });

  it('queues a key once when two calls come at once, and not at all when the caller rolls back', async () => {
    const change = [patch('product', 1, { name: 'Novo' })];
    const both = await Promise.all([submit(change, 'k'), submit(change, 'k')]);
    expect(both.sort()).toEqual([0, 1]);
    const failed = sql.begin(async (tx) => {
      await tx`select submit_catalog('[{"op":"delete","kind":"offer","id":1}]'::jsonb, 'z')`;
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await submit([remove('offer', 1)], 'z')).toBe(1);
  });

  it('takes up to 5,000 changes a call', async () => {
    const changes = Array.from({ length: 5001 }, (_, at) => remove('product', at + 100));
    await expect(submit(changes, 'many')).rejects.toThrow('up to 5000 changes a call, got 5001');
    expect(await submit(changes.slice(1), 'many')).toBe(5000);
  });

  it.each([
    [{}, 'takes a JSON array'],
    [null, 'takes a JSON array'],
    [[3], 'change 1: a change must be an object'],
    [[remove('offer', 1), {}], 'change 2: op must be'],
    [[{ op: 'replace', kind: 'product', id: 1 }], 'op must be'],
    [[{ op: 'upsert' }], 'record must be an object'],
    [[{ op: 'upsert', record: { kind: 'shop', id: 1 } }], 'kind must be'],
    [[{ op: 'upsert', record: { kind: 'product' } }], 'id must be a number'],
    [[{ op: 'upsert', record: product(1), id: 1 }], 'op and record only'],
    [[patch('product', 1, {})], 'at least one field'],
    [[{ op: 'patch', kind: 'product', id: 1 }], 'set must be an object'],
    [[{ ...patch('product', 1, { name: 'x' }), record: {} }], 'op, kind, id and set only'],
    [[{ op: 'delete', kind: 'product', id: '1' }], 'id must be a number'],
    [[{ op: 'delete', kind: 'product', id: -1 }], 'whole number'],
    [[{ op: 'delete', kind: 'product', id: 1.5 }], 'whole number'],
    [[{ op: 'delete', kind: 'product', id: 9007199254740992 }], 'whole number'],
    [[{ op: 'delete', kind: 'product', id: 1, set: {} }], 'op, kind and id only'],
  ])('refuses a malformed batch whole: %j', async (changes, words) => {
    await expect(submit(changes, 'bad')).rejects.toThrow(words);
    expect(await sql`select from catalog_batch`).toHaveLength(0);
  });
});

describe('the queue of catalog changes', () => {
  it('is applied in order', async () => {
    await submit([upsert(product(3, { name: 'Três' })), patch('product', 1, { name: 'Um' })], 'a');
    await submit([patch('product', 3, { brand: 'Marca' }), remove('product', 2)], 'b');
    await submit([patch('product', 1, { price: { amount: 990, currency: 'BRL' } })]);
    expect(await apply()).toEqual({ changes: 5, faults: 0 });
    expect(await apply()).toEqual({ changes: 0, faults: 0 });
    const rows = await sql`select id, name, brand, price_amount from product order by id`;
    expect([...rows]).toEqual([
      { id: 1, name: 'Um', brand: null, price_amount: 990 },
      { id: 3, name: 'Três', brand: 'Marca', price_amount: null },
    ]);
    expect(await faults()).toHaveLength(0);
    expect(await submit([remove('product', 1)], 'a')).toBe(0);
  });

  it('wakes the publishers when it changed something, and only then', async () => {
    const before = await stateOfCatalog();
    await submit([patch('product', 1, { name: 'Item 1' }), remove('product', 77)]);
    await apply();
    expect(await stateOfCatalog()).toEqual(before);
    await submit([patch('product', 1, { name: 'Outro' })]);
    await apply();
    expect(await stateOfCatalog()).not.toEqual(before);
  });

  it('lists what cannot be applied, without blocking the rest', async () => {
    await submit(
      [
        patch('product', 1, { name: 'Certo' }),
        patch('product', 99, { name: 'x' }),
        patch('product', 1, { preço: 3 }),
        upsert({ kind: 'product', id: 5, merchant_id: 1, name: '' }),
        patch('product', 2, { id: 3 }),
        patch('product', 2, { merchant_id: 9 }),
        remove('merchant', 1),
        patch('product', 2, { brand: 'Fica' }),
      ],
      'mixed',
    );
    expect(await apply()).toEqual({ changes: 8, faults: 6 });
    expect(
      (await faults()).map(({ position, kind, id, field, reason }) => [
        position,
        kind,
        id,
        field,
        reason,
      ]),
    ).toEqual([
      [2, 'product', 99, 'id', 'is not in the catalog'],
      [3, 'product', 1, 'preço', 'is not a field of this kind of record'],
      [4, 'product', 5, 'name', 'must not be empty'],
      [5, 'product', 2, 'id', 'cannot be changed'],
      [6, 'product', 2, 'merchant_id', 'names merchant 9, which is not in the catalog'],
      [
        7,
        'merchant',
        1,
        'id',
        expect.stringMatching(/^is named by (product|offer) \d+ \(merchant_id\)$/),
      ],
    ]);
    const rows = await sql`select name, brand from product order by id`;
    expect([...rows]).toEqual([
      { name: 'Certo', brand: null },
      { name: 'Item 2', brand: 'Fica' },
    ]);
  });

  it('takes the records of a batch in any order, and what names a deleted record with it', async () => {
    await submit([
      upsert(offer(9, { merchant_id: 2, product_id: 9 })),
      upsert(product(9, { merchant_id: 2, category_id: 5 })),
      upsert({ kind: 'category', id: 5, name: 'Cinco', parent_id: 4 }),
      upsert({ kind: 'category', id: 4, name: 'Quatro' }),
      upsert(merchant(2)),
      ...[remove('merchant', 1), remove('product', 1), remove('product', 2), remove('offer', 1)],
    ]);
    expect(await apply()).toEqual({ changes: 9, faults: 0 });
    expect(await productIds()).toEqual([9]);
    expect(await sql`select kind, id from catalog_removal order by kind, id`).toEqual([
      { kind: 'offer', id: 1 },
      { kind: 'product', id: 1 },
      { kind: 'product', id: 2 },
    ]);
  });

  it('keeps categories from being their own ancestors', async () => {
    const category = (id: number, parent: number | null) =>
      upsert({ kind: 'category', id, name: `C${id}`, parent_id: parent });
    await submit([category(1, 2), category(2, 3), category(3, 1)], 'round');
    await apply();
    expect((await faults()).map(({ field, reason }) => [field, reason])).toContainEqual([
      'parent_id',
      expect.stringMatching(/its own ancestor$/),
    ]);
    await submit([category(1, null), category(2, 1)]);
    await apply();
    await submit([patch('category', 1, { parent_id: 2 })], 'later');
    await apply();
    expect(await faults()).toContainEqual(
      expect.objectContaining({ batch_key: 'later', field: 'parent_id' }),
    );
  });

  it('narrows down what the database itself refuses', async () => {
    await sql`alter table product add check (name <> 'proibido')`;
    const changes = Array.from({ length: 40 }, (_, at) => upsert(product(at + 10)));
    await submit(
      [...changes, patch('product', 1, { name: 'proibido' }), remove('product', 2)],
      'x',
    );
    await submit([patch('product', 1, { brand: 'depois' })], 'y');
    expect(await apply()).toEqual({ changes: 43, faults: 1 });
    expect(await faults()).toEqual([
      expect.objectContaining({ batch_key: 'x', position: 41, kind: 'product', id: 1 }),
    ]);
    expect(await productIds()).toHaveLength(41);
    expect(await sql`select name, brand from product where id = 1`).toEqual([
      { name: 'Item 1', brand: 'depois' },
    ]);
  });

  it('is applied once by two that take it at the same time', async () => {
    for (let at = 0; at < 20; at += 1) await submit([patch('product', 1, { name: `v${at}` })]);
    const both = await Promise.all([apply(), apply()]);
    expect(both.map(({ changes }) => changes).sort()).toEqual([0, 20]);
    expect(await sql`select name from product where id = 1`).toEqual([{ name: 'v19' }]);
  });

  it('notes since when an item belongs to another merchant', async () => {
    await submit([upsert(merchant(2)), patch('product', 1, { merchant_id: 2 })]);
    await apply();
    await submitCatalog(sql, [{ op: 'delete', kind: 'product', id: 2 }]);
    await apply();
    const rows = await sql`
      select item_id, merchant_id from item_owner where kind = 'product' order by item_id, since`;
    expect([...rows]).toEqual([
      { item_id: 1, merchant_id: 1 },
      { item_id: 1, merchant_id: 2 },
      { item_id: 2, merchant_id: 1 },
      { item_id: 2, merchant_id: null },
    ]);
  });
});
