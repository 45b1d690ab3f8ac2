import { inTime } from '../../domain/in-time.ts';
import { describeAddress, readAddress } from './address.ts';
import type { Sql } from './client.ts';
import { openServingDatabase, type ServingDatabase } from './serving.ts';

/** A read-only streaming replica. */
export type Replica = {
  /** Host and port, for the operator. */
  name: string;
  database: ServingDatabase;
  /** Whether it answered the last probe. */
  answers(): boolean;
  /** The maximum staleness in ms; infinite while unknown. */
  lagMs(): number;
};

/** The replicas of a primary, and the primary's health. */
export type Replicas = {
  all: Replica[];
  /** Whether the primary answered the last probe; always true without replicas, when it is not probed. */
  primaryAnswers(): boolean;
  close(): Promise<void>;
};

/** The probe interval and the deadline of one probe, in ms. */
const LOOK_EVERY_MS = 300;
const LOOK_DEADLINE_MS = 1000;
/** The most pending positions per replica; older ones are dropped, which leaves the lag unknown. */
const MOST_POSITIONS = 200;

/**
 * Opens the replicas and measures their lag: the primary's WAL position is read, and once a replica has replayed up
 * to it, it shows everything from before that read. Unlike the age of the last replayed transaction, this also
 * works when nothing is written and when a replica has lost its stream.
 */
export function openReplicas(
  primary: ServingDatabase,
  urls: readonly string[],
  connections: number,
): Replicas {
  const watched = urls.map((url) => watchReplica(url, connections));
  let primaryAnswers = true;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function look(): Promise<void> {
    const at = performance.now();
    const written = await readPosition(primary, readWrittenPosition);
    primaryAnswers = written !== null;
    await Promise.all(watched.map((replica) => replica.look(at, written)));
    if (!closed) timer = setTimeout(look, LOOK_EVERY_MS).unref();
  }
  if (urls.length > 0) void look();

  return {
    all: watched,
    primaryAnswers: () => primaryAnswers,
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(watched.map(({ database }) => database.close()));
    },
  };
}

function watchReplica(url: string, connections: number) {
  const database = openServingDatabase(url, { max: connections });
  let positions: { at: number; written: number }[] = [];
  let answers = false;
  let shownUpTo = Number.NEGATIVE_INFINITY;
  return {
    name: describeAddress(readAddress(url)),
    database,
    answers: () => answers,
    lagMs: () => performance.now() - shownUpTo,
    async look(at: number, written: number | null): Promise<void> {
      if (written !== null) positions.push({ at, written });
      const shown = await readPosition(database, readShownPosition);
      answers = shown !== null;
      if (shown === null) return;
      for (const position of positions) if (position.written <= shown) shownUpTo = position.at;
      positions = positions.filter((position) => position.written > shown).slice(-MOST_POSITIONS);
    },
  };
}

/** Reads a position; null when the server is down. Bypasses the limit, since a busy server is not down. */
async function readPosition(
  database: ServingDatabase,
  read: Parameters<typeof database.watch<number>>[0],
): Promise<number | null> {
  const late = () => new Error('no position in time');
  return inTime(database.watch(read), LOOK_DEADLINE_MS, late).catch(() => null);
}

/** Reads the primary's WAL position in bytes; everything it has acknowledged lies below. */
async function readWrittenPosition(sql: Sql): Promise<number> {
  const [row] = await sql<{ position: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as position`;
  return row?.position ?? 0;
}

/** Reads a replica's replay position in bytes; for a promoted one its own WAL position. */
async function readShownPosition(sql: Sql): Promise<number> {
  const [row] = await sql<{ position: number | null }[]>`
    select pg_wal_lsn_diff(
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
      '0/0')::bigint as position`;
  return row?.position ?? 0;
}
