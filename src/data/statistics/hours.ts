import type { Sql } from '../connection/client.ts';

/** Merchants with this many rows in the 23 full hours get a sum of their own over them. */
const WINDOW_LEAST_ROWS = 5000;
/** How long after its end an hour is sealed: events of a busy caller may come a little late. */
const SEAL_AFTER = '2 minutes';

/**
 * Seals every full hour of the last two days that is not sealed yet, oldest first, each in a
 * transaction of its own; then chooses the merchants whose window is summed up by the minute. Safe on
 * several instances at once.
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

/** Moves the window sums of large merchants on to the last full minute; due every minute. */
export async function advanceWindow(sql: Sql): Promise<void> {
  await sql`select advance_window(now())`;
}

/** Makes the partitions of the coming day, long before an event needs one. */
export async function preparePartitions(sql: Sql): Promise<void> {
  await sql`select ensure_view_partitions(now())`;
}

// Raw events serve late arrivals (48 hours) and the edges of the window (25 hours).
const RAW_KEPT = '49 hours';
const HOURS_KEPT = '35 days';

/**
 * Drops what no answer needs any more: raw hours that are sealed and past their time, sums after 35
 * days, keys of batches after three. A partition that is busy stays until the next time.
 */
export async function dropOldStatistics(sql: Sql): Promise<number> {
  const old = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where (i.inhparent = 'view_event'::regclass
        and to_timestamp(right(c.relname, 10), 'YYYYMMDDHH24')
          < now() - interval '1 hour' - ${RAW_KEPT}::text::interval
        and exists (select from hour_seal s
          where s.hour = to_timestamp(right(c.relname, 10), 'YYYYMMDDHH24')))
      or (i.inhparent = 'view_hour'::regclass
        and to_timestamp(right(c.relname, 10), 'YYYYMMDDHH24')
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

/** Two instances that drop the same table at once trip over each other in the catalog of Postgres. */
const DROP_LOCK = 726_114_005;

async function dropUnlessBusy(sql: Sql, name: string): Promise<number> {
  try {
    return await sql.begin<number>(async (tx) => {
      const [state] = await tx<{ alone: boolean }[]>`
        select pg_try_advisory_xact_lock(${DROP_LOCK}::bigint) as alone`;
      const [table] = await tx<{ exists: boolean }[]>`
        select to_regclass(${name}) is not null as exists`;
      if (!state?.alone || !table?.exists) return 0;
      // Readers that wait behind a waiting drop would be held up: give up soon instead.
      await tx`set local lock_timeout = '200ms'`;
      await tx`select drop_view_partition(${name})`;
      return 1;
    });
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return 0;
    throw error;
  }
}
