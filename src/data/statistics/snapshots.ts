import type { Sql } from '../connection/client.ts';

const SNAPSHOT_LOCK = 726_114_003;

/** The outcome of taking a snapshot. */
export type SnapshotOutcome =
  | { outcome: 'taken'; merchants: number }
  | { outcome: 'already-taken' }
  | { outcome: 'refused'; reason: string };

/**
 * Takes the daily snapshot at `at` of every merchant's preceding 24 hours, from sealed hours. Idempotent, also with
 * concurrent callers.
 */
export async function takeSnapshot(sql: Sql, at: Date): Promise<SnapshotOutcome> {
  const instant = at.toISOString();
  return sql.begin<SnapshotOutcome>(async (tx) => {
    await tx`select pg_advisory_xact_lock(${SNAPSHOT_LOCK}::bigint)`;
    const [state] = await tx<{ taken: boolean; future: boolean; sealed: number }[]>`
      select exists (select from snapshot_run where taken_at = ${instant}::text::timestamptz) as taken,
        ${instant}::text::timestamptz > now() as future,
        (select count(*) from hour_seal
          where hour >= ${instant}::text::timestamptz - interval '24 hours'
            and hour < ${instant}::text::timestamptz) as sealed`;
    if (state?.taken) return { outcome: 'already-taken' };
    if (state?.future) return { outcome: 'refused', reason: `${instant} lies in the future` };
    if (state?.sealed !== 24) {
      const reason = `${state?.sealed ?? 0} of the 24 hours before ${instant} are sealed`;
      return { outcome: 'refused', reason };
    }
    await tx`insert into snapshot_run (taken_at, merchants) values (${instant}::text::timestamptz, 0)`;
    const { count } = await tx`
      insert into merchant_snapshot (taken_at, merchant_id, product_user, product_agent, offer_user)
      select ${instant}::text::timestamptz, merchant_id,
        sum(product_user), sum(product_agent), sum(offer_user)
      from merchant_hour
      where hour >= ${instant}::text::timestamptz - interval '24 hours'
        and hour < ${instant}::text::timestamptz
      group by merchant_id`;
    await tx`
      update snapshot_run set merchants = ${count}, finished_at = clock_timestamp()
      where taken_at = ${instant}::text::timestamptz`;
    return { outcome: 'taken', merchants: count };
  });
}

/** Tells whether views were counted before an instant; otherwise a snapshot would make a false baseline of zeros. */
export async function wasCountedBefore(sql: Sql, at: Date): Promise<boolean> {
  const instant = at.toISOString();
  const [row] = await sql<{ counted: boolean }[]>`
    select (select min(applied_at) from schema_migration) <= ${instant}::text::timestamptz
      or exists (select from merchant_hour where hour < ${instant}::text::timestamptz) as counted`;
  return row?.counted ?? false;
}

/** Returns the time of the latest snapshot; null before the first. */
export async function latestSnapshotAt(sql: Sql): Promise<Date | null> {
  const [row] = await sql<{ takenAt: Date | null }[]>`
    select max(taken_at) as "takenAt" from snapshot_run`;
  return row?.takenAt ?? null;
}
