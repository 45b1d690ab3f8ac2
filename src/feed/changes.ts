import { existingIds, noteOwners, upsertRecords } from '../data/catalog/import.ts';
import {
  type ChangeBatch,
  type ChangeFault,
  findNaming,
  finishBatches,
  readParents,
  readQueue,
} from '../data/catalog/queue.ts';
import { forgetRemovals, removeRecords } from '../data/catalog/removal.ts';
import { readFeedRecords } from '../data/catalog/rows.ts';
import type { Sql } from '../data/connection/client.ts';
import { inSavepoint } from '../data/connection/transaction.ts';
import type { Analyser } from '../data/index/reader.ts';
import { indexRecords, lockCatalog } from '../data/index/rebuild.ts';
import { FEED_KINDS, type FeedKind, type FeedRecord, type RecordKey } from '../domain/catalog.ts';
import { nameOf } from '../domain/references.ts';
import { keyOf } from './read.ts';
import { type CatalogAround, namedBy, resolveBatch, subjectOf } from './resolve.ts';

/** The most changes in one transaction, exceeded by at most one batch. */
const MOST_CHANGES = 5000;

/** What was taken off the queue: the number of changes, and how many of them could not be applied. */
export type Applied = { changes: number; faults: number };

/** A run of consecutive changes of a batch; `first` is the position of its first change. */
type Slice = ChangeBatch & { first: number };

/**
 * Applies the oldest queued changes in one transaction: readers see all or none of them, and a crash leaves them
 * queued. Call it until it returns 0 changes.
 */
export async function applyQueue(sql: Sql, analyser: Analyser): Promise<Applied> {
  return sql.begin(async (tx) => {
    await lockCatalog(tx);
    const batches = await readQueue(tx, MOST_CHANGES);
    if (batches.length === 0) return { changes: 0, faults: 0 };
    const slices = batches.map((batch): Slice => ({ ...batch, first: 1 }));
    const faults = await applySlices(tx, analyser, slices);
    await finishBatches(tx, batches, faults);
    return { changes: sizeOf(slices), faults: faults.length };
  });
}

const sizeOf = (slices: readonly Slice[]) =>
  slices.reduce((sum, { changes }) => sum + changes.length, 0);

/** Applies changes; when the database rejects some, bisects them so that only the bad ones fail. */
async function applySlices(tx: Sql, analyser: Analyser, slices: Slice[]): Promise<ChangeFault[]> {
  try {
    return await inSavepoint(tx, () => write(tx, analyser, slices));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [first, second] = halve(slices);
    if (second.length > 0) {
      return [
        ...(await applySlices(tx, analyser, first)),
        ...(await applySlices(tx, analyser, second)),
      ];
    }
    return slices.flatMap(({ seq, key, changes, first: position }) =>
      changes.map((change) => {
        const { kind, id } = subjectOf(change);
        const reason = `is refused by the database: ${(error as Error).message}`;
        return { seq, key, position, kind, id, field: '(record)', reason };
      }),
    );
  }
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
const isRefusal = (error: unknown) => /^2[23]/.test(String((error as { code?: unknown }).code));

function halve(slices: Slice[]): [Slice[], Slice[]] {
  const [only, other] = slices;
  if (only === undefined || other !== undefined) {
    const middle = Math.ceil(slices.length / 2);
    return [slices.slice(0, middle), slices.slice(middle)];
  }
  const middle = Math.ceil(only.changes.length / 2);
  const second = { ...only, changes: only.changes.slice(middle), first: only.first + middle };
  return [
    [{ ...only, changes: only.changes.slice(0, middle) }],
    second.changes.length > 0 ? [second] : [],
  ];
}

async function write(sql: Sql, analyser: Analyser, slices: Slice[]): Promise<ChangeFault[]> {
  const around = await readAround(sql, slices);
  const before = new Map(around.records);
  const faults = slices.flatMap((slice) => resolveBatch(slice, around, slice.first));
  const changed = [...around.records].filter(([name, record]) => record !== before.get(name));
  const upserted = Map.groupBy(
    changed.flatMap(([, record]) => record ?? []),
    ({ kind }) => kind,
  );
  const removed = Map.groupBy(
    changed.flatMap(([name, record]) => {
      const gone = record === null ? before.get(name) : null;
      return gone ? keyOf(gone) : [];
    }),
    ({ kind }) => kind,
  );
  await writeRecords(sql, analyser, upserted, removed);
  return faults;
}

async function writeRecords(
  sql: Sql,
  analyser: Analyser,
  upserted: ReadonlyMap<FeedKind, FeedRecord[]>,
  removed: ReadonlyMap<FeedKind, RecordKey[]>,
): Promise<void> {
  const idsOf = (keys: readonly RecordKey[] = []) => keys.map(({ id }) => id);
  let rows = 0;
  for (const kind of FEED_KINDS) {
    const { added, changed } = await upsertRecords(sql, kind, upserted.get(kind) ?? []);
    rows += added.length + changed.length;
  }
  for (const kind of FEED_KINDS.toReversed()) {
    const ids = idsOf(removed.get(kind));
    if (ids.length > 0) rows += (await removeRecords(sql, kind, ids)).count;
  }
  if (rows === 0) return;
  const product = idsOf(upserted.get('product'));
  const offer = idsOf(upserted.get('offer'));
  await forgetRemovals(sql, { product, offer });
  // Checks deferred foreign keys here, where the fault can be attributed, not at commit.
  await sql`set constraints all immediate`;
  const products = [...product, ...idsOf(removed.get('product'))];
  const offers = [...offer, ...idsOf(removed.get('offer'))];
  await noteOwners(sql, { product: products, offer: offers });
  const has = (kind: FeedKind) => upserted.has(kind) || removed.has(kind);
  const stores = has('store') || has('merchant');
  await indexRecords(sql, analyser, {
    ...{ products, offers, removed: false, stores },
    categories: has('category'),
  });
}

/** Reads the records that the changes concern and those that their validation needs. */
async function readAround(sql: Sql, slices: readonly Slice[]): Promise<CatalogAround> {
  const changes = slices.flatMap((slice) => slice.changes);
  const subjects = distinct(changes.map(subjectOf));
  const records = new Map<string, FeedRecord | null>(
    [...subjects.keys()].map((name) => [name, null]),
  );
  for (const record of await readFeedRecords(sql, [...subjects.values()])) {
    records.set(nameOf(record), record);
  }
  const others = distinct(changes.flatMap(namedBy));
  const known = new Set<string>();
  for (const [kind, keys] of Map.groupBy(others.values(), (key) => key.kind)) {
    const ids = keys.filter((key) => !records.has(nameOf(key))).map(({ id }) => id);
    for (const id of await existingIds(sql, kind, ids)) known.add(nameOf({ kind, id }));
  }
  const deleted = distinct(changes.filter(({ op }) => op === 'delete').map(subjectOf));
  const naming = await findNaming(sql, [...deleted.values()], [...subjects.values()]);
  const isAboutCategories = changes.some((change) => subjectOf(change).kind === 'category');
  return {
    records,
    known,
    named: new Map(naming.map((one) => [nameOf(one.named), one])),
    parents: isAboutCategories ? await readParents(sql) : new Map(),
  };
}

const distinct = (keys: readonly RecordKey[]): Map<string, RecordKey> =>
  new Map(keys.map((key) => [nameOf(key), key]));
