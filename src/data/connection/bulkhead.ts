import { ApiError } from '../../domain/errors.ts';
import { inTime } from '../../domain/in-time.ts';

/** The deadline of a database call within a request, in ms. */
export const DEADLINE_MS = 1000;
/** The most calls in flight: enough for a short burst. */
const MAX_IN_FLIGHT = 256;
/** A standing queue: when the oldest call has waited this long, a quarter of the limit is the limit. */
const STANDING_MS = 250;

/** The outcome of a database call, for the metrics. */
export type WorkOutcome = 'answered' | 'failed' | 'late' | 'refused';

/** A bulkhead in front of the database: calls end within their deadline, or are rejected at once. */
export type Bulkhead = {
  /** Runs work within the deadline; throws INTERNAL_ERROR if it fails, is late or the bulkhead is full. */
  run<T>(work: () => PromiseLike<T>, deadlineMs?: number): Promise<T>;
  /** Runs and counts work without a deadline or a limit, for callers that can wait. */
  watch<T>(work: () => PromiseLike<T>): Promise<T>;
  /** The number of calls in flight. */
  inFlight(): number;
  /** The age of the oldest call in flight, in ms. */
  oldestMs(): number;
};

/** Too many calls in flight; the database itself is up. */
class RefusedError extends Error {}

/** Tells whether `run` rejected a call because the bulkhead was full. */
export function wasRefused(error: unknown): boolean {
  return error instanceof ApiError && error.cause instanceof RefusedError;
}

/** Opens a bulkhead, so that callers do not pile up behind a slow database. */
export function openBulkhead(
  maxInFlight = MAX_IN_FLIGHT,
  onOutcome: (outcome: WorkOutcome) => void = () => {},
): Bulkhead {
  // In insertion order, so the oldest comes first.
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
        return Promise.reject(unavailable(new RefusedError('too many database calls in flight')));
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

/** Waits for a database result until the deadline; every failure becomes INTERNAL_ERROR. */
export async function withinDeadline<T>(
  work: PromiseLike<T>,
  onLate: () => void = () => {},
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  try {
    return await inTime(work, deadlineMs, () => {
      onLate();
      return new Error('the database did not answer in time');
    });
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** Maps any database failure to INTERNAL_ERROR. */
function unavailable(cause: unknown): ApiError {
  return cause instanceof ApiError
    ? cause
    : new ApiError('INTERNAL_ERROR', { retryAfterSeconds: 1, cause });
}
