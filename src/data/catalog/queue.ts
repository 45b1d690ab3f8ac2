import type { FeedKind, RecordKey } from '../../domain/catalog.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';

/** A change in the shape of `submit_catalog`; the contents of records and patches are not validated yet. */
export type CatalogChange =
  | { op: 'upsert'; record: RecordKey & Record<string, unknown> }
  | ({ op: 'patch'; set: Record<string, unknown> } & RecordKey)
  | ({ op: 'delete' } & RecordKey);

/** A queued call of `submit_catalog`; its changes are numbered from 1. */
export type ChangeBatch = { seq: number; key: string | null; changes: CatalogChange[] };

/** A change that could not be applied, and why. */
export type ChangeFault = RecordKey & {
  seq: number;
  key: string | null;
  position: number;
  field: string;
  reason: string;
};

/** Queues changes through `submit_catalog`, idempotent by key; returns how many. */
export async function submitCatalog(
  sql: Sql,
  changes: CatalogChange[],
  key: string | null = null,
): Promise<number> {
  const [row] = await sql<{ queued: number }[]>`
    select submit_catalog(${JSON.stringify(changes)}::text::jsonb, ${key}) as queued`;
  return row?.queued ?? 0;
}

const MOST_BATCHES = 500;

/** Reads the oldest queued batches, up to the one that contains the `most`-th change. */
export async function readQueue(sql: Sql, most: number): Promise<ChangeBatch[]> {
  return sql<ChangeBatch[]>`
    with waiting as (
      select seq, size from catalog_batch
      where changes is not null order by seq limit ${MOST_BATCHES}
    )
    select seq, batch.key, changes from (
      select seq, sum(size) over (order by seq) - size as before from waiting
    ) counted join catalog_batch batch using (seq)
    where before < ${most}::int order by seq`;
}

/** Returns the number of queued changes and the age of the oldest. */
export async function readQueueState(sql: Sql): Promise<{ changes: number; since: Date | null }> {
  const [row] = await sql<{ changes: number; since: Date | null }[]>`
    select coalesce(sum(size), 0)::int as changes, min(submitted_at) as since
    from catalog_batch where changes is not null`;
  return row ?? { changes: 0, since: null };
}

/** Returns the planner's estimate of records by kind, without counting. */
export async function estimateRecords(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql<{ kind: string; records: number }[]>`
    select relname as kind, greatest(reltuples, 0)::float8 as records from pg_class
    where oid = any('{category,merchant,store,product,offer}'::text[]::regclass[])`;
  return new Map(rows.map(({ kind, records }) => [kind, records]));
}

/** Marks batches as applied and stores their faults. */
export async function finishBatches(
  sql: Sql,
  batches: readonly ChangeBatch[],
  faults: readonly ChangeFault[],
): Promise<void> {
  await sql`
    insert into catalog_fault (seq, batch_key, position, kind, id, field, reason)
    select seq, key, position, kind, id, field, reason
    from jsonb_to_recordset(${JSON.stringify(faults)}::text::jsonb) as fault
      (seq bigint, key text, position int, kind text, id bigint, field text, reason text)`;
  await sql`
    update catalog_batch set changes = null, applied_at = now()
    where seq = any(${arrayText(batches.map(({ seq }) => seq))}::text::bigint[])`;
}

/** Deletes the keys of batches applied over 30 days ago, and faults older than 90. */
export async function forgetOldChanges(sql: Sql): Promise<void> {
  await sql`
    delete from catalog_batch
    where changes is null and coalesce(applied_at, submitted_at) < now() - interval '30 days'`;
  await sql`delete from catalog_fault where at < now() - interval '90 days'`;
}

const NAMING: Partial<Record<FeedKind, [table: FeedKind, column: string][]>> = {
  category: [
    ['category', 'parent_id'],
    ['product', 'category_id'],
  ],
  merchant: [
    ['store', 'merchant_id'],
    ['product', 'merchant_id'],
    ['offer', 'merchant_id'],
  ],
  product: [['offer', 'product_id']],
};

/** A record and another that references it through a field. */
export type Naming = { named: RecordKey; by: RecordKey; field: string };

/** For each record, finds one that references it and is not among `besides`, if any. */
export async function findNaming(
  sql: Sql,
  records: readonly RecordKey[],
  besides: readonly RecordKey[],
): Promise<Naming[]> {
  const found: Naming[] = [];
  for (const [kind, same] of Map.groupBy(records, (record) => record.kind)) {
    const ids = arrayText(same.map(({ id }) => id));
    for (const [table, column] of NAMING[kind] ?? []) {
      const others = arrayText(besides.flatMap((one) => (one.kind === table ? one.id : [])));
      const rows = await sql<{ id: number; by: number }[]>`
        select named.id, naming.id as by
        from unnest(${ids}::text::bigint[]) named (id)
        cross join lateral (
          select t.id from ${sql(table)} t
          where t.${sql(column)} = named.id
            and not exists (select from unnest(${others}::text::bigint[]) u (id) where u.id = t.id)
          limit 1
        ) naming`;
      found.push(
        ...rows.map(({ id, by }) => ({
          named: { kind, id },
          by: { kind: table, id: by },
          field: column,
        })),
      );
    }
  }
  return found;
}

/** Reads the parent of each category that has one. */
export async function readParents(sql: Sql): Promise<Map<number, number>> {
  const rows = await sql<{ id: number; parent: number }[]>`
    select id, parent_id as parent from category where parent_id is not null`;
  return new Map(rows.map(({ id, parent }) => [id, parent]));
}
