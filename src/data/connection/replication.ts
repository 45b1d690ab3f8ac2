import type { Sql } from './client.ts';

/** Reads the primary's WAL position in bytes; everything it has acknowledged lies below. */
export async function readWrittenPosition(sql: Sql): Promise<number> {
  const [row] = await sql<{ position: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as position`;
  return row?.position ?? 0;
}

/** Reads a replica's replay position in bytes; for a promoted one its own WAL position. */
export async function readShownPosition(sql: Sql): Promise<number> {
  const [row] = await sql<{ position: number | null }[]>`
    select pg_wal_lsn_diff(
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
      '0/0')::bigint as position`;
  return row?.position ?? 0;
}
