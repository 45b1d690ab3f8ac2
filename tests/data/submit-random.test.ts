import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { type CatalogChange, submitCatalog } from '../../src/data/catalog/queue.ts';
import { readFeedRecords } from '../../src/data/catalog/rows.ts';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { FEED_KINDS, type FeedRecord, feedRecordSchema } from '../../src/domain/catalog.ts';
import { nameOf, referencesOf } from '../../src/domain/references.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { applyQueue } from '../../src/feed/changes.ts';
import { importFeed } from '../../src/feed/import.ts';
import { LONG } from '../support/long.ts';
import { newDatabase } from '../support/service.ts';

const RUNS = LONG ? 200 : 25;
const TIMEOUT_MS = 600_000;
const DATED = { updated_at: '2026-10-01T00:00:00+00:00' };

const analyser = openAnalyser();
const sql = openDatabase(await newDatabase('empty'), { max: 2 });
const other = openDatabase(await newDatabase('empty'), { max: 2 });
afterAll(() => Promise.all([sql.end(), other.end()]));

const replace = (on: Sql, records: readonly FeedRecord[]) =>
  importFeed(
    on,
    records.map((record) => JSON.stringify(record)),
    { replace: true, force: true, skipInvalid: false, analyser },
  );

/** All records that a catalog holds, as a feed would bring them. */
async function holdings(on: Sql): Promise<FeedRecord[]> {
  const records: FeedRecord[] = [];
  for (const kind of FEED_KINDS) {
    const rows = await on<{ id: number }[]>`select id from ${on(kind)} order by id`;
    const keys = rows.map(({ id }) => ({ kind, id }));
    const read = await readFeedRecords(on, keys);
    records.push(...read.sort((a, b) => a.id - b.id));
  }
  return records;
}

/** What the index says of each record, and what its lists say that differs. */
const index = (on: Sql) => on`
  select kind, id, source,
    (select array_agg(token || '/' || (key & 7) order by token, key & 7)::text
      from unnest(keys) key join search_token token on token.id = key >> 3) as tokens,
    (select count(*) from unnest(keys) key
      where not exists (select from search_posting posting
        where posting.kind = record.kind and posting.key = key and record.number = any(posting.numbers)))
      as missing
  from search_record record order by kind, id`;
const listed = (on: Sql) => on`select sum(records) as records from search_posting`;

// Few ids, so that changes collide.
const ids = fc.integer({ min: 1, max: 4 });
const maybe = (one: fc.Arbitrary<number>) => fc.option(one, { nil: null });
const names = fc.constantFrom('Tênis de corrida', 'Café torrado', 'Bola', 'Vinho tinto');
const records: fc.Arbitrary<FeedRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('category' as const),
    id: ids,
    name: names,
    parent_id: maybe(ids),
  }),
  fc.record({ kind: fc.constant('merchant' as const), id: ids, name: names }),
  fc
    .record({ kind: fc.constant('store' as const), id: ids, merchant_id: ids, district: names })
    .map((store) => ({ ...store, name: 'Loja', address: 'Rua Um', city: 'São Paulo' })),
  fc
    .record({
      ...{ kind: fc.constant('product' as const), id: ids, merchant_id: ids, name: names },
      ...{ category_id: maybe(ids), in_stock: fc.boolean() },
    })
    .map((product) => ({ ...product, ...DATED })),
  fc
    .record({
      ...{ kind: fc.constant('offer' as const), id: ids, merchant_id: ids, title: names },
      ...{ product_id: maybe(ids), quality_score: fc.constantFrom(0.2, 0.9) },
    })
    .map((offer) => ({ ...offer, ...DATED })),
);
const sets = fc.oneof(
  names.map((name) => ({ name })),
  ids.map((merchant_id) => ({ merchant_id })),
  maybe(ids).map((category_id) => ({ category_id })),
  fc.constantFrom({ title: 'Oferta do dia' }, { in_stock: false }, { id: 3 }, { colour: 'blue' }),
  maybe(fc.constant(990)).map((amount) => ({
    price: amount === null ? null : { amount, currency: 'BRL' },
  })),
);
const kinds = fc.constantFrom(...FEED_KINDS);
const changes: fc.Arbitrary<CatalogChange> = fc.oneof(
  { weight: 5, arbitrary: records.map((record) => ({ op: 'upsert' as const, record })) },
  {
    weight: 3,
    arbitrary: fc
      .record({ kind: kinds, id: ids, set: sets })
      .map((patch) => ({ op: 'patch' as const, ...patch, set: { ...patch.set } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ kind: kinds, id: ids })
      .map((key) => ({ op: 'delete' as const, ...key })),
  },
);

/** The expected catalog after changes applied one by one, by the contract. */
class Model {
  readonly records = new Map<string, FeedRecord>();
  faults = 0;

  apply(change: CatalogChange): void {
    const next = new Map(this.records);
    const name = nameOf(change.op === 'upsert' ? change.record : change);
    const before = this.records.get(name);
    if (change.op === 'delete') next.delete(name);
    else {
      const patched = change.op === 'patch' && { ...before, ...change.set };
      const isMove = change.op === 'patch' && 'id' in change.set;
      const parsed = feedRecordSchema.safeParse(patched || (change as { record: object }).record);
      const isPossible = change.op === 'upsert' || (before !== undefined && !isMove);
      if (!parsed.success || !isPossible) {
        this.faults += 1;
        return;
      }
      next.set(name, parsed.data);
    }
    if (isWhole(next)) {
      this.records.clear();
      for (const [key, record] of next) this.records.set(key, record);
    } else this.faults += 1;
  }
}

function isWhole(catalog: ReadonlyMap<string, FeedRecord>): boolean {
  const all = [...catalog.values()];
  return all.every((record) => {
    if (referencesOf(record).some((reference) => !catalog.has(nameOf(reference)))) return false;
    let above: FeedRecord | undefined = record;
    for (let step = 0; above?.kind === 'category' && above.parent_id != null; step += 1) {
      if (step > all.length) return false;
      above = catalog.get(`category ${above.parent_id}`);
    }
    return true;
  });
}

const plain = (records: Iterable<FeedRecord>) =>
  [...records]
    .map((record) => {
      const told = Object.entries(record).filter(
        ([field, value]) => value != null && field !== 'updated_at',
      );
      return Object.fromEntries(told);
    })
    .map((record) => ({
      ...(record.kind === 'product' && { in_stock: true, media: [] }),
      ...(record.kind === 'offer' && {
        ...{ media: [], status: 'active', app_only_top: false, quality_score: 0 },
      }),
      ...record,
    }))
    .sort((a, b) => nameOf(a as FeedRecord).localeCompare(nameOf(b as FeedRecord)));

async function startAnew(): Promise<void> {
  await replace(sql, []);
  await sql`delete from catalog_batch`;
  await sql`delete from catalog_fault`;
}

it(
  'changes one by one leave the catalog that the contract describes, and as many faults',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 5, maxLength: 60 }), async (list) => {
        await startAnew();
        const model = new Model();
        for (const change of list) {
          model.apply(change);
          await submitCatalog(sql, [change]);
        }
        const { faults } = await applyQueue(sql, analyser);
        expect(plain(await holdings(sql))).toEqual(plain(model.records.values()));
        expect(faults).toBe(model.faults);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

it(
  'changes in batches and feeds leave the index that one import of the final catalog makes',
  async () => {
    const batches = fc.array(fc.array(changes, { minLength: 1, maxLength: 30 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, fc.boolean(), async (list, between) => {
        await startAnew();
        for (const batch of list) {
          await submitCatalog(sql, batch);
          if (between) await applyQueue(sql, analyser);
        }
        await applyQueue(sql, analyser);
        const final = await holdings(sql);
        await replace(other, []);
        await replace(other, final);
        expect(await holdings(other)).toEqual(final);
        expect([...(await index(sql))]).toEqual([...(await index(other))]);
        expect(await listed(sql)).toEqual(await listed(other));
        expect((await index(sql)).every(({ missing }) => missing === 0)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);
