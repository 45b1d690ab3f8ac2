import type { Sql } from './client.ts';

/** How far a primary has written, in bytes of its log: what it answered before lies below. */
export async function readWrittenPosition(sql: Sql): Promise<number> {
  const [row] = await sql<{ position: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as position`;
  return row?.position ?? 0;
}

/** How far a replica shows what its primary wrote. A server that was promoted shows what it writes. */
export async function readShownPosition(sql: Sql): Promise<number> {
  const [row] = await sql<{ position: number | null }[]>`
    select pg_wal_lsn_diff(
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
      '0/0')::bigint as position`;
  return row?.position ?? 0;
}
