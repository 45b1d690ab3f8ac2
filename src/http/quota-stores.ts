import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { inTime } from '../domain/in-time.ts';

/** The budget of a limiter: points per window in seconds, and its key prefix in the store. */
export type LimiterOptions = { keyPrefix: string; points: number; duration: number };

/** Counts points per client; rejects with a RateLimiterRes beyond the budget. */
export type Limiter = Pick<RateLimiterAbstract, 'consume' | 'get' | 'reward'>;

/** The counts that processes share. */
export type QuotaStore = {
  make(options: LimiterOptions): Limiter;
  /** Drops a connection that does not answer and opens another. */
  reconnect(): void;
  close(): Promise<void>;
};

/** Clients per in-memory limiter, about 20 MB: a bound against clients that rotate addresses. */
const MAX_CLIENTS = 50_000;

/** Makes an in-memory limiter; beyond `maxClients` it evicts the client with the oldest window. */
export function memoryLimiter(options: LimiterOptions, maxClients = MAX_CLIENTS): Limiter {
  const limiter = new RateLimiterMemory(options);
  // Ordered by the start of their windows.
  const clients = new Set<string>();

  function note(client: string): void {
    clients.delete(client);
    clients.add(client);
    if (clients.size <= maxClients) return;
    const [oldest = ''] = clients;
    clients.delete(oldest);
    void limiter.delete(oldest);
  }

  return {
    async consume(key, points) {
      const client = String(key);
      const result = await limiter.consume(client, points).catch((rejection) => rejection);
      if (result.isFirstInDuration) note(client);
      if (result.consumedPoints > options.points) throw result;
      return result;
    },
    get: (key) => limiter.get(key),
    reward: (key, points) => limiter.reward(key, points),
  };
}

/** Opens the store in Redis or Valkey, whose clock counts. */
export async function redisStore(url: string): Promise<QuotaStore> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: 1000,
    commandTimeout: 1000,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1000),
  });
  // An unhandled error event would end the process; each command reports its own failure.
  redis.on('error', () => {});
  // Connects eagerly, so that the first requests already count in Redis.
  await redis.connect().catch(() => {});
  return {
    make: (options) =>
      new RateLimiterRedis({
        ...options,
        storeClient: redis,
        keyPrefix: `vitrine:${options.keyPrefix}`,
      }),
    reconnect: () => {
      if (redis.status === 'ready') redis.disconnect(true);
    },
    close: async () => redis.disconnect(),
  };
}

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
