import type { Sql } from './connection/client.ts';

/** A client's count in the current window, and how long the window still lasts, in ms. */
export type QuotaCount = { points: number; msBeforeNext: number };

/** More than any quota: a count that is refused for an hour must not overflow its column. */
const MOST_POINTS = 2_000_000_000;

/**
 * Adds points to a key's count, in a new window when the old one is over. The clock is the database's, so
 * that servers agree; a window that ends later than it can was made before the clock was set back.
 */
export async function addQuotaPoints(
  sql: Sql,
  key: string,
  points: number,
  windowMs: number,
): Promise<QuotaCount> {
  const [row] = await sql<QuotaCount[]>`
    insert into rate_limit as counted (key, points, expire)
    values (${key}, ${points}::int, (extract(epoch from clock_timestamp()) * 1000)::bigint + ${windowMs}::int)
    on conflict (key) do update set
      points = case when counted.expire > excluded.expire - ${windowMs}::int
          and counted.expire <= excluded.expire
        then least(counted.points::bigint + excluded.points, ${MOST_POINTS}::bigint)::int
        else excluded.points end,
      expire = case when counted.expire > excluded.expire - ${windowMs}::int
          and counted.expire <= excluded.expire
        then counted.expire else excluded.expire end
    returning points,
      (expire - (extract(epoch from clock_timestamp()) * 1000)::bigint)::int as "msBeforeNext"`;
  return row ?? { points, msBeforeNext: windowMs };
}

/** A key's count; null when it has no window now. */
export async function readQuotaPoints(
  sql: Sql,
  key: string,
  windowMs: number,
): Promise<QuotaCount | null> {
  const [row] = await sql<QuotaCount[]>`
    select points, "msBeforeNext" from (
      select points, expire - (extract(epoch from clock_timestamp()) * 1000)::bigint as "msBeforeNext"
      from rate_limit where key = ${key}
    ) counted
    where "msBeforeNext" between 1 and ${windowMs}::int`;
  return row ?? null;
}

/** Deletes the shared quotas whose window is over; returns how many. */
export async function purgeExpiredQuotas(sql: Sql): Promise<number> {
  const result = await sql`
    delete from rate_limit where expire < extract(epoch from now()) * 1000`;
  return result.count;
}
