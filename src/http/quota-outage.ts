import { RateLimiterRes } from 'rate-limiter-flexible';
import { inTime } from '../domain/in-time.ts';

/** Does a thing in the shared store, or in this process while the store is away. */
export type OutageGuard = <T>(shared: () => Promise<T>, own: () => Promise<T>) => Promise<T>;

type Events = { storeLost(error: unknown): void; storeBack(): void };

/** How long a count in the shared store may take, in ms; a request waits for it only once. */
const STORE_DEADLINE_MS = 500;
const tooSlow = () => new Error('the quota store is too slow');
/** How often a store that is away is tried again, in ms. */
const TRY_AGAIN_MS = 500;

/**
 * Makes a guard in front of a shared store: at its first fault or delay this process counts for itself,
 * says so, and tries the store again from time to time with one request.
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
      // The store answered: the quota is used up.
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
