import type { Sql } from './client.ts';

const SNAPSHOT_LOCK = 726_114_003;

export type SnapshotOutcome =
  | { outcome: 'taken'; merchants: number }
  | { outcome: 'already-taken' }
  | { outcome: 'refused'; reason: string };

/**
 * Takes the daily snapshot of every merchant's 24 hours before `at`, once: a second call, or a second
 * instance at the same time, finds it taken.
 */
export async function takeSnapshot(sql: Sql, at: Date): Promise<SnapshotOutcome> {
  const instant = at.toISOString();
  return sql.begin<SnapshotOutcome>(async (tx) => {
    await tx`select pg_advisory_xact_lock(${SNAPSHOT_LOCK}::bigint)`;
    const [state] = await tx<{ taken: boolean; future: boolean; purged: boolean }[]>`
      select exists (select from snapshot_run where taken_at = ${instant}::text::timestamptz) as taken,
        ${instant}::text::timestamptz > now() as future,
        ${instant}::text::timestamptz - interval '24 hours' < now() - interval '72 hours' as purged`;
    if (state?.taken) return { outcome: 'already-taken' };
    if (state?.future) return { outcome: 'refused', reason: `${instant} lies in the future` };
    if (state?.purged) {
      return {
        outcome: 'refused',
        reason: `the views before ${instant} are no longer kept in full`,
      };
    }
    await tx`insert into snapshot_run (taken_at, merchants) values (${instant}::text::timestamptz, 0)`;
    const { count } = await tx`
      insert into merchant_snapshot (taken_at, merchant_id, product_user, product_agent, offer_user)
      select ${instant}::text::timestamptz, merchant_id,
        count(*) filter (where metric = 1),
        count(*) filter (where metric = 2),
        count(*) filter (where metric = 3)
      from view_event
      where merchant_id is not null
        and at >= ${instant}::text::timestamptz - interval '24 hours'
        and at < ${instant}::text::timestamptz
      group by merchant_id`;
    await tx`
      update snapshot_run set merchants = ${count}, finished_at = clock_timestamp()
      where taken_at = ${instant}::text::timestamptz`;
    return { outcome: 'taken', merchants: count };
  });
}
