import { RateLimiterRes } from 'rate-limiter-flexible';
import { inTime } from '../domain/in-time.ts';

/** Runs an operation on the shared store, or on this process's own counts during an outage. */
export type OutageGuard = <T>(shared: () => Promise<T>, own: () => Promise<T>) => Promise<T>;

type Events = { storeLost(error: unknown): void; storeBack(): void };

/** The deadline of a store operation, in ms; only the request that detects the outage waits for it. */
const STORE_DEADLINE_MS = 500;
const tooSlow = () => new Error('the quota store is too slow');
/** The interval between retries during an outage, in ms. */
const TRY_AGAIN_MS = 500;

/**
 * Makes a circuit breaker for the shared store: the first failure or timeout opens it, this process counts locally,
 * and one request per interval probes the store.
 */
export function makeOutageGuard(
  { storeLost, storeBack }: Events,
  now: () => number = () => performance.now(),
): OutageGuard {
  let away = false;
  let tryAgainAt = Number.NEGATIVE_INFINITY;

  return async (shared, own) => {
    if (away && now() < tryAgainAt) return own();
    tryAgainAt = now() + TRY_AGAIN_MS;
    try {
      const result = await inTime(shared(), STORE_DEADLINE_MS, tooSlow);
      if (away) storeBack();
      away = false;
      return result;
    } catch (error) {
      // The store answered: the quota is exhausted.
      if (error instanceof RateLimiterRes) {
        if (away) storeBack();
        away = false;
        throw error;
      }
      tryAgainAt = now() + TRY_AGAIN_MS;
      if (!away) storeLost(error);
      away = true;
      return own();
    }
  };
}
