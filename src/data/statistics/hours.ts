import type { Sql } from '../connection/client.ts';

/** Merchants with at least this many rows in the 23 full hours get window sums of their own. */
const WINDOW_LEAST_ROWS = 5000;
/** The delay before an hour is sealed, for events that arrive slightly late. */
const SEAL_AFTER = '2 minutes';

/**
 * Seals all unsealed full hours of the last two days, oldest first, each in its own transaction, and then selects
 * the merchants with minute-by-minute window sums. Returns the number sealed. Safe to run concurrently.
 */
export async function sealDueHours(sql: Sql): Promise<number> {
  const due = await sql<{ hour: string }[]>`
    select h::text as hour
    from generate_series(hour_of(now() - interval '48 hours'),
      hour_of(now() - ${SEAL_AFTER}::text::interval) - interval '1 hour', interval '1 hour') h
    where not exists (select from hour_seal s where s.hour = h)
    order by h`;
  let sealed = 0;
  for (const { hour } of due) {
    const [row] = await sql<{ sealed: boolean }[]>`
      select seal_hour(${hour}::text::timestamptz) as sealed`;
    if (row?.sealed) sealed += 1;
  }
  if (sealed > 0) await sql`select choose_window_merchants(${WINDOW_LEAST_ROWS}::bigint)`;
  return sealed;
}

/** Advances the window sums of large merchants to the last full minute; due every minute. */
export async function advanceWindow(sql: Sql): Promise<void> {
  await sql`select advance_window(now())`;
}

/** Creates the next day's partitions, well before an event needs one. */
export async function preparePartitions(sql: Sql): Promise<void> {
  await sql`select ensure_view_partitions(now())`;
}

// Raw events serve late arrivals (48 hours) and the edges of the window (25 hours).
const RAW_KEPT = '49 hours';
const HOURS_KEPT = '35 days';

/**
 * Drops expired data: sealed raw partitions past retention, sums after 35 days, batch keys after three. Returns the
 * number of partitions dropped; a busy one is left for the next run.
 */
export async function dropOldStatistics(sql: Sql): Promise<number> {
  // The planner may read the names of all relations for an hour: those without one have to give null, not a fault.
  const old = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where (i.inhparent = 'view_event'::regclass
        and to_timestamp(substring(c.relname from '[0-9]{10}$'), 'YYYYMMDDHH24')
          < now() - interval '1 hour' - ${RAW_KEPT}::text::interval
        and exists (select from hour_seal s
          where s.hour = to_timestamp(substring(c.relname from '[0-9]{10}$'), 'YYYYMMDDHH24')))
      or (i.inhparent = 'view_hour'::regclass
        and to_timestamp(substring(c.relname from '[0-9]{10}$'), 'YYYYMMDDHH24')
          < now() - interval '1 day' - ${HOURS_KEPT}::text::interval)
    order by 1`;
  let dropped = 0;
  for (const { name } of old) {
    dropped += await dropUnlessBusy(sql, name);
  }
  await sql`delete from merchant_hour where hour < now() - ${HOURS_KEPT}::text::interval`;
  await sql`delete from view_batch where recorded_at < now() - interval '3 days'`;
  return dropped;
}

/** Serialises drops: two sessions that drop the same table fail with a catalog conflict. */
const DROP_LOCK = 726_114_005;

async function dropUnlessBusy(sql: Sql, name: string): Promise<number> {
  try {
    return await sql.begin<number>(async (tx) => {
      const [state] = await tx<{ alone: boolean }[]>`
        select pg_try_advisory_xact_lock(${DROP_LOCK}::bigint) as alone`;
      const [table] = await tx<{ exists: boolean }[]>`
        select to_regclass(${name}) is not null as exists`;
      if (!state?.alone || !table?.exists) return 0;
      // Queries queue behind a waiting DROP, so it gives up early.
      await tx`set local lock_timeout = '200ms'`;
      await tx`select drop_view_partition(${name})`;
      return 1;
    });
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return 0;
    throw error;
  }
}
