import type { Sql } from './client.ts';

/** Deletes the shared quotas whose window is over; returns how many. */
export async function purgeExpiredQuotas(sql: Sql): Promise<number> {
  const result = await sql`
    delete from rate_limit where expire < extract(epoch from now()) * 1000`;
  return result.count;
}
