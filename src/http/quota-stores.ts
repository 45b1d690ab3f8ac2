import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
} from 'rate-limiter-flexible';

/** The budget of one limiter: points per window, and its name in the store. */
export type LimiterOptions = { keyPrefix: string; points: number; duration: number };

/** Counts points per client; rejects with a RateLimiterRes when they exceed the budget. */
export type Limiter = Pick<RateLimiterAbstract, 'consume' | 'get' | 'reward'>;

/** Where processes share their counts. */
export type QuotaStore = {
  make(options: LimiterOptions): Limiter;
  /** Leaves a connection that does not answer and makes another. */
  reconnect(): void;
  close(): Promise<void>;
};

/** Clients that one limiter keeps in memory, about 20 MB: who changes addresses must not fill it. */
const MAX_CLIENTS = 50_000;

/** Counts in this process; beyond `maxClients` the one whose window began first is forgotten. */
export function memoryLimiter(options: LimiterOptions, maxClients = MAX_CLIENTS): Limiter {
  const limiter = new RateLimiterMemory(options);
  // In the order in which their windows began.
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

/** Counts in Redis or Valkey, by its clock. */
export async function redisStore(url: string): Promise<QuotaStore> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: 1000,
    commandTimeout: 1000,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1000),
  });
  // Without a listener an unreachable Redis would end the process; every command tells its own fault.
  redis.on('error', () => {});
  // Counting starts in Redis at once when it is there, not only after the first requests.
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
