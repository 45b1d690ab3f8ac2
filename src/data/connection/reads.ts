import { DEADLINE_MS, wasRefused } from './bulkhead.ts';
import type { Sql } from './client.ts';
import type { Replicas } from './replicas.ts';
import type { ServingDatabase } from './serving.ts';

/**
 * The freshness that a read needs. `statistics`: all but the last seconds. `catalog`: as recent as cached pages.
 * `newest`: the current state of the primary.
 */
export type Need = 'statistics' | 'catalog' | 'newest';

/** The server that answered a read, for the metrics. */
export type ReadFrom = 'primary' | 'replica';

/** Routes reads of the serving half by the freshness they need. */
export type Reads = {
  /** Runs a read within the deadline; throws INTERNAL_ERROR like ServingDatabase. */
  run<T>(need: Need, read: (sql: Sql) => PromiseLike<T>): Promise<T>;
  /** The same, with the maximum staleness of the result in ms. */
  timed<T>(need: Need, read: (sql: Sql) => PromiseLike<T>): Promise<{ value: T; lagMs: number }>;
  /** The lag of each reachable replica by name, in seconds. */
  lagSeconds(): Map<string, number>;
  close(): Promise<void>;
};

/**
 * Counts towards the 30 s that a statistics answer may age; nginx caches for that much less
 * (scripts/deploy/nginx.conf).
 */
const STATISTICS_LAG_MS = 3000;
/** Within this lag a catalog is no older than cached pages. */
const CATALOG_LAG_MS = 60_000;
/** The first server gets half of the deadline, so that a second one can still answer. */
const FIRST_ATTEMPT_MS = DEADLINE_MS / 2;

type Server = { database: ServingDatabase; from: ReadFrom; lagMs(): number };

/**
 * Opens the read router: replicas that are fresh enough, round robin, else the primary. A failed read is retried
 * once on another server. A read rejected by a full bulkhead is not, so that a rush on the replicas does not spill
 * over to the primary and its writers.
 */
export function openReads(
  primary: ServingDatabase,
  replicas: Replicas,
  onRead: (from: ReadFrom) => void = () => {},
): Reads {
  const main: Server = { database: primary, from: 'primary', lagMs: () => 0 };
  const copies = replicas.all.map((replica) => ({ ...replica, from: 'replica' as const }));
  let turn = 0;

  /** Lists the servers that may answer, preferred first. */
  function candidates(need: Need): Server[] {
    if (copies.length === 0) return [main];
    turn = (turn + 1) % copies.length;
    const answering = [...copies.slice(turn), ...copies.slice(0, turn)].filter((copy) =>
      copy.answers(),
    );
    const within = (limitMs: number) => answering.filter((copy) => copy.lagMs() <= limitMs);
    if (need === 'statistics') return [...within(STATISTICS_LAG_MS), main];
    // A stale catalog beats none: while the primary is down, replicas serve at any lag.
    if (!replicas.primaryAnswers()) return [...answering, main];
    return need === 'newest'
      ? [main, ...answering]
      : [...within(CATALOG_LAG_MS), main, ...answering];
  }

  async function ask<T>(
    server: Server,
    read: (sql: Sql) => PromiseLike<T>,
    deadlineMs: number,
  ): Promise<{ value: T; lagMs: number }> {
    // Read before the query, so that it bounds the result's staleness.
    const lagMs = server.lagMs();
    const value = await server.database.run(read, deadlineMs);
    onRead(server.from);
    return { value, lagMs };
  }

  async function timed<T>(
    need: Need,
    read: (sql: Sql) => PromiseLike<T>,
  ): Promise<{ value: T; lagMs: number }> {
    const [first = main, ...others] = candidates(need);
    const second =
      first !== main && replicas.primaryAnswers() ? main : others.find((other) => other !== first);
    if (second === undefined) return ask(first, read, DEADLINE_MS);
    const started = performance.now();
    try {
      return await ask(first, read, FIRST_ATTEMPT_MS);
    } catch (error) {
      // Busy but making progress: no retry.
      if (wasRefused(error) && first.database.oldestMs() < FIRST_ATTEMPT_MS) throw error;
      return ask(second, read, DEADLINE_MS - (performance.now() - started));
    }
  }

  return {
    timed,
    run: async (need, read) => (await timed(need, read)).value,
    lagSeconds: () =>
      new Map(
        copies
          .filter((copy) => copy.answers() && Number.isFinite(copy.lagMs()))
          .map((copy) => [copy.name, copy.lagMs() / 1000]),
      ),
    close: replicas.close,
  };
}
