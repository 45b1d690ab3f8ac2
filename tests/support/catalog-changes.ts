import fc from 'fast-check';
import { upsertRecords } from '../../src/data/catalog/import.ts';
import { removeRecords } from '../../src/data/catalog/removal.ts';
import type { Sql } from '../../src/data/connection/client.ts';
import {
  FEED_KINDS,
  type FeedKind,
  type FeedRecord,
  feedRecordSchema,
} from '../../src/domain/catalog.ts';

const feedRecord = (record: unknown) => feedRecordSchema.parse(record);
const merchants = fc.integer({ min: 1, max: 3 });
const categories = fc.integer({ min: 1, max: 3 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const names = fc.constantFrom('Pão', 'Café', 'Bolo', 'Vinho');
const price = maybe(
  fc.record({ amount: fc.integer({ min: 1, max: 5 }), currency: fc.constant('BRL') }),
);
const past = '2026-01-01T00:00:00.000Z';
const records: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('category'), id: categories, name: names },
    parent_id: maybe(fc.constant(4)),
  }),
  fc.record({ kind: fc.constant('merchant'), id: merchants, name: names }),
  fc.record({
    ...{ kind: fc.constant('store'), id: fc.integer({ min: 1, max: 40 }), merchant_id: merchants },
    ...{ name: names, address: names, district: names, city: names },
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('product'), id: fc.integer({ min: 1, max: 30 }), name: names, price },
      ...{ merchant_id: merchants, category_id: maybe(categories) },
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        ...{ kind: fc.constant('offer'), id: fc.integer({ min: -3, max: 20 }).filter(Boolean) },
        ...{ title: names, price, merchant_id: merchants },
        product_id: maybe(fc.integer({ min: 1, max: 30 })),
        status: fc.constantFrom('active', 'active', 'hidden'),
        valid_until: maybe(fc.constantFrom(past, '2099-01-01T00:00:00.000Z')),
      })
      .map((offer) => (offer.id < 0 ? { ...offer, merchant_id: null } : offer)),
  },
);
/** Changes of a small catalog, which often concern the same records. */
export const changes = fc.oneof(
  { weight: 3, arbitrary: records.map((record) => ({ op: 'upsert' as const, record })) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('delete' as const),
      kind: fc.constantFrom<FeedKind>('offer', 'product', 'store'),
      id: fc.integer({ min: 1, max: 30 }),
    }),
  },
);
export type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never;

/** Applies changes in one transaction; offers forget a product that is not there. */
export const applyChanges = (sql: Sql, batch: readonly Change[]) =>
  sql.begin(async (tx) => {
    for (const change of batch) await applyOne(tx, change);
  });

async function applyOne(tx: Sql, change: Change): Promise<void> {
  if (change.op === 'delete') {
    if (change.kind === 'product')
      await tx`update offer set product_id = null where product_id = ${change.id}`;
    await removeRecords(tx, change.kind, [change.id]);
    return;
  }
  const record = feedRecord(change.record);
  if (record.kind === 'offer' && record.product_id) {
    const [known] = await tx`select from product where id = ${record.product_id}`;
    if (known === undefined) record.product_id = null;
  }
  await upsertRecords(tx, record.kind, [record]);
}

const foundation: FeedRecord[] = [1, 2, 3, 4].flatMap((id) => [
  feedRecord({ kind: 'category', id, name: `Categoria ${id}` }),
  feedRecord({ kind: 'merchant', id, name: `Loja ${id}` }),
]);

/** A product of one of two merchants, and an offer of it. */
export const productAndOffer = (id: number): Change[] => [
  {
    op: 'upsert',
    record: { kind: 'product', id, name: `Pão ${id}`, merchant_id: 1 + (id % 2), category_id: 1 },
  },
  {
    op: 'upsert',
    record: { kind: 'offer', id, title: 'Pão', merchant_id: 1 + (id % 2), product_id: id },
  },
];

/** Leaves nothing in the catalog but merchants and categories. */
export const layFoundation = (sql: Sql) =>
  sql.begin(async (tx) => {
    for (const kind of FEED_KINDS.toReversed()) await tx`delete from ${tx(kind)}`;
    for (const record of foundation) await upsertRecords(tx, record.kind, [record]);
  });
