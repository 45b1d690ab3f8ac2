import { ApiError } from '../../domain/errors.ts';
import { inTime } from '../../domain/in-time.ts';

/** How long an answer waits for the database, in ms. */
export const DEADLINE_MS = 1000;
/** The pieces of work that may be under way: as many as a burst of a moment brings. */
const MAX_IN_FLIGHT = 256;
/** A quarter of them is too much when the oldest has waited so long: the database does not keep up. */
const STANDING_MS = 250;

/** What became of a piece of work, for those who count. */
export type WorkOutcome = 'answered' | 'failed' | 'late' | 'refused';

/** A gate in front of the database: work on it ends within the deadline, or is refused at once. */
export type Gate = {
  /** Runs work within the deadline; throws INTERNAL_ERROR when it fails, is late or too much is under way. */
  run<T>(work: () => PromiseLike<T>, deadlineMs?: number): Promise<T>;
  /** Runs work that somebody can wait for longer. */
  watch<T>(work: () => PromiseLike<T>): Promise<T>;
  /** Pieces of work under way. */
  inFlight(): number;
  /** How long the oldest of them has been under way, in ms. */
  oldestMs(): number;
};

/** The gate let no more work through: the database is there, and has enough to do. */
class RefusedError extends Error {}

/** True for what `run` throws when too much was under way. */
export function wasRefused(error: unknown): boolean {
  return error instanceof ApiError && error.cause instanceof RefusedError;
}

/** Opens a gate; a slow database piles up no callers behind it. */
export function openGate(
  maxInFlight = MAX_IN_FLIGHT,
  onOutcome: (outcome: WorkOutcome) => void = () => {},
): Gate {
  // In the order of their start: the oldest comes first.
  const underWay = new Map<symbol, number>();

  async function watch<T>(work: () => PromiseLike<T>): Promise<T> {
    const key = Symbol();
    underWay.set(key, performance.now());
    try {
      return await work();
    } finally {
      underWay.delete(key);
    }
  }

  function oldestMs(): number {
    const [oldest] = underWay.values();
    return oldest === undefined ? 0 : performance.now() - oldest;
  }

  const isFull = () =>
    underWay.size >= maxInFlight || (underWay.size >= maxInFlight / 4 && oldestMs() >= STANDING_MS);

  return {
    watch,
    run(work, deadlineMs) {
      if (isFull()) {
        onOutcome('refused');
        return Promise.reject(unavailable(new RefusedError('too much is under way')));
      }
      const running = watch(work);
      running.then(
        () => onOutcome('answered'),
        () => onOutcome('failed'),
      );
      return withinDeadline(running, () => onOutcome('late'), deadlineMs);
    },
    inFlight: () => underWay.size,
    oldestMs,
  };
}

/** Waits for a result of the database no longer than the deadline; every failure becomes INTERNAL_ERROR. */
export async function withinDeadline<T>(
  work: PromiseLike<T>,
  onLate: () => void = () => {},
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  try {
    return await inTime(work, deadlineMs, () => {
      onLate();
      return new Error('the database is too slow');
    });
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** What every failure of the database is for a caller. */
function unavailable(cause: unknown): ApiError {
  return cause instanceof ApiError
    ? cause
    : new ApiError('INTERNAL_ERROR', { retryAfterSeconds: 1, cause });
}
