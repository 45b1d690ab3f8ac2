import type { Sql } from './client.ts';
import { DEADLINE_MS, wasRefused } from './gate.ts';
import type { Replicas } from './replicas.ts';
import type { ServingDatabase } from './serving.ts';

/**
 * What a read has to show. `statistics`: everything but the last moments. `catalog`: what was published
 * lately, as pages show it. `newest`: what stands on the primary now.
 */
export type Need = 'statistics' | 'catalog' | 'newest';

/** Where a read was answered, for those who count. */
export type ReadFrom = 'primary' | 'replica';

/** Where the serving half reads, by what a read has to show. */
export type Reads = {
  /** Runs a read where it belongs, within the deadline; throws INTERNAL_ERROR as ServingDatabase does. */
  run<T>(need: Need, read: (sql: Sql) => PromiseLike<T>): Promise<T>;
  /** The same, with how far behind the present the answer may be, in ms. */
  timed<T>(need: Need, read: (sql: Sql) => PromiseLike<T>): Promise<{ value: T; lagMs: number }>;
  /** How far behind each replica is, in seconds, by its name; those that are away are missing. */
  lagSeconds(): Map<string, number>;
  close(): Promise<void>;
};

/**
 * Statistics count these seconds into their age, so that nothing older than 30 s is shown; nginx keeps
 * them for so much less (scripts/deploy/nginx.conf).
 */
const STATISTICS_LAG_MS = 3000;
/** A catalog this old is younger than the pages in caches. */
const CATALOG_LAG_MS = 60_000;
/** The first server asked gets half of the deadline, so that a second one can still answer. */
const FIRST_ATTEMPT_MS = DEADLINE_MS / 2;

type Server = { database: ServingDatabase; from: ReadFrom; lagMs(): number };

/**
 * Opens the reads of the serving half: from replicas, in turn, where there are any that show enough, else
 * from the primary. A read that fails is tried once more elsewhere; one that is refused because too much
 * is under way is not, so that a rush on the replicas never takes the primary from those who write.
 */
export function openReads(
  primary: ServingDatabase,
  replicas: Replicas,
  onRead: (from: ReadFrom) => void = () => {},
): Reads {
  const main: Server = { database: primary, from: 'primary', lagMs: () => 0 };
  const copies = replicas.all.map((replica) => ({ ...replica, from: 'replica' as const }));
  let turn = 0;

  /** Those that may answer, the one to ask first in front. */
  function candidates(need: Need): Server[] {
    if (copies.length === 0) return [main];
    turn = (turn + 1) % copies.length;
    const answering = [...copies.slice(turn), ...copies.slice(0, turn)].filter((copy) =>
      copy.answers(),
    );
    const within = (limitMs: number) => answering.filter((copy) => copy.lagMs() <= limitMs);
    if (need === 'statistics') return [...within(STATISTICS_LAG_MS), main];
    // An old catalog is better than none: without its primary a replica shows it whatever its age.
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
    // Before the question: what it sees is no older than this.
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
      // Busy, and not stuck: what it does goes on.
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
