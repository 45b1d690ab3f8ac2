import { isIP } from 'node:net';
import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Config } from '../config.ts';
import { ApiError } from '../domain/errors.ts';

/** What is limited, each by its own budget per client. */
export type QuotaName = 'product-stats' | 'merchant-stats' | 'catalog-records' | 'mcp-requests';

/** What is left of a budget, and how to tell it to the client (IETF RateLimit header fields). */
export type QuotaState = { remaining: number; headers: Record<string, string> };

export type Quotas = {
  /** Takes points; throws RATE_LIMIT_EXCEEDED, with nothing taken in vain, when too few are left. */
  consume(name: QuotaName, client: string, points?: number): Promise<QuotaState>;
  /** What is left, without taking any; throws RATE_LIMIT_EXCEEDED when that is nothing. */
  peek(name: QuotaName, client: string): Promise<QuotaState>;
  close(): Promise<void>;
};

/** The part of a postgres.js pool that the Postgres store needs. */
export type QuotaDatabase = { unsafe(query: string, values?: never[]): PromiseLike<unknown> };

type Budget = { points: number; seconds: number };

/** Opens the quotas in the store of the configuration: this process, Postgres or Redis. */
export async function openQuotas(config: Config, database: QuotaDatabase): Promise<Quotas> {
  const budgets: Record<QuotaName, Budget> = {
    'product-stats': { points: config.quotas.productStatsPerHour, seconds: 3600 },
    'merchant-stats': { points: config.quotas.merchantStatsPerHour, seconds: 3600 },
    'catalog-records': { points: config.quotas.catalogRecordsPerMinute, seconds: 60 },
    'mcp-requests': { points: config.quotas.mcpPerMinute, seconds: 60 },
  };
  const store = await openStore(config.rateLimitStore, database);
  const limiters = new Map<string, RateLimiterAbstract>();

  function limiterFor(
    name: QuotaName,
    client: string,
  ): { limiter: RateLimiterAbstract; budget: Budget } {
    const base = budgets[name];
    const multiplier = multiplierOf(config, client);
    const budget = { ...base, points: Math.max(1, Math.floor(base.points * multiplier)) };
    const key = `${name}:${budget.points}`;
    let limiter = limiters.get(key);
    if (limiter === undefined) {
      limiter = store.make({ keyPrefix: name, points: budget.points, duration: budget.seconds });
      limiters.set(key, limiter);
    }
    return { limiter, budget };
  }

  return {
    async consume(name, client, points = 1) {
      const { limiter, budget } = limiterFor(name, client);
      try {
        const result = await limiter.consume(client, points);
        return stateOf(name, budget, result.remainingPoints, result);
      } catch (rejection) {
        throw refusal(name, budget, rejection);
      }
    },
    async peek(name, client) {
      const { limiter, budget } = limiterFor(name, client);
      const result = await limiter.get(client);
      const remaining = result === null ? budget.points : Math.max(0, result.remainingPoints);
      if (result !== null && remaining === 0) throw refusal(name, budget, result);
      return stateOf(name, budget, remaining, result);
    },
    close: store.close,
  };
}

function multiplierOf(config: Config, client: string): number {
  if (config.clientQuotas.length === 0) return 1;
  const address = client.replace('::/64', '::');
  const version = isIP(address);
  if (version === 0) return 1;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const quota = config.clientQuotas.find(({ network }) => network.check(address, family));
  return quota?.multiplier ?? 1;
}

type Store = {
  make(options: { keyPrefix: string; points: number; duration: number }): RateLimiterAbstract;
  close(): Promise<void>;
};

async function openStore(name: string, database: QuotaDatabase): Promise<Store> {
  if (name === 'memory') {
    return { make: (options) => new RateLimiterMemory(options), close: async () => {} };
  }
  return name === 'postgres' ? postgresStore(database) : redisStore(name);
}

async function redisStore(url: string): Promise<Store> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: 1000,
    maxRetriesPerRequest: 1,
  });
  // Without a listener an unreachable Redis would end the process; the insurance limiter takes over.
  redis.on('error', () => {});
  // Counting starts in Redis at once when it is there, not only after the first requests.
  await redis.connect().catch(() => {});
  return {
    make: (options) =>
      new RateLimiterRedis({
        ...options,
        storeClient: redis,
        keyPrefix: `vitrine:${options.keyPrefix}`,
        insuranceLimiter: new RateLimiterMemory(options),
      }),
    close: async () => redis.disconnect(),
  };
}

function postgresStore(database: QuotaDatabase): Store {
  const client = {
    query: async ({ text, values = [] }: { text: string; values?: unknown[] }) => {
      const result = (await database.unsafe(text, values as never[])) as {
        count?: number;
      } & Record<string, unknown>[];
      return { rows: [...result], rowCount: result.count ?? 0 };
    },
  };
  return {
    make: (options) =>
      new RateLimiterPostgres({
        ...options,
        storeClient: client,
        storeType: 'client',
        tableName: 'rate_limit',
        tableCreated: true,
        clearExpiredByTimeout: false,
        insuranceLimiter: new RateLimiterMemory(options),
      }),
    close: async () => {},
  };
}

/** A rejection by the limiter becomes 429; a fault of the store is told as a 500. */
function refusal(name: QuotaName, budget: Budget, rejection: unknown): ApiError {
  if (!(rejection instanceof RateLimiterRes)) {
    return new ApiError('INTERNAL_ERROR', { retryAfterSeconds: 1, cause: rejection });
  }
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    retryAfterSeconds: secondsUntil(rejection, budget),
    headers: describe(name, budget, rejection),
  });
}

/** Near the window's end the library's wait rounds to 0; the spec's minimum is 1. */
function secondsUntil(result: RateLimiterRes, budget: Budget): number {
  return Math.min(budget.seconds, Math.max(1, Math.ceil(result.msBeforeNext / 1000)));
}

// Most answers may be cached and carry no RateLimit fields: they are written when asked for.
function stateOf(
  name: QuotaName,
  budget: Budget,
  remaining: number,
  result: RateLimiterRes | null,
): QuotaState {
  return {
    remaining,
    get headers() {
      return describe(name, budget, result);
    },
  };
}

function describe(name: QuotaName, budget: Budget, result: RateLimiterRes | null) {
  const remaining = result === null ? budget.points : Math.max(0, result.remainingPoints);
  const reset = result === null ? budget.seconds : secondsUntil(result, budget);
  return {
    'ratelimit-policy': `"${name}";q=${budget.points};w=${budget.seconds}`,
    ratelimit: `"${name}";r=${remaining};t=${reset}`,
  };
}
