import { isIP } from 'node:net';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.ts';
import { ApiError } from '../domain/errors.ts';
import {
  type Limiter,
  makeOutageGuard,
  memoryLimiter,
  type OutageGuard,
  redisStore,
} from './quota-stores.ts';

/** The quotas; each has its own budget per client. */
export type QuotaName =
  | 'product-stats'
  | 'merchant-stats'
  | 'catalog-records'
  | 'mcp-requests'
  | 'search-pages';

/** The rest of a budget, and its IETF RateLimit header fields. */
export type QuotaState = { remaining: number; headers: Record<string, string> };

/** The quotas of all clients. */
export type Quotas = {
  /** Takes points; throws RATE_LIMIT_EXCEEDED if too few are left. */
  consume(name: QuotaName, client: string, points?: number): Promise<QuotaState>;
  /** Returns the rest without taking any; throws RATE_LIMIT_EXCEEDED when nothing is left. */
  peek(name: QuotaName, client: string): Promise<QuotaState>;
  close(): Promise<void>;
};

/** Callbacks for metrics and the log. */
export type QuotaEvents = {
  rejected(name: QuotaName): void;
  /** The circuit breaker opened: each process counts locally. */
  storeLost(error: unknown): void;
  storeBack(): void;
};

type Budget = { points: number; seconds: number };

/** No refunds this close to the window's end: they could land in the next window. */
const LEAST_REFUND_MS = 2000;

/** Opens the quotas in the configured store: in memory or Redis. */
export async function openQuotas(config: Config, events: QuotaEvents): Promise<Quotas> {
  const budgets: Record<QuotaName, Budget> = {
    'product-stats': { points: config.quotas.productStatsPerHour, seconds: 3600 },
    'merchant-stats': { points: config.quotas.merchantStatsPerHour, seconds: 3600 },
    'catalog-records': { points: config.quotas.catalogRecordsPerMinute, seconds: 60 },
    'search-pages': { points: config.quotas.searchPagesPerMinute, seconds: 60 },
    'mcp-requests': { points: config.quotas.mcpPerMinute, seconds: 60 },
  };
  const { rateLimitStore } = config;
  const store = rateLimitStore === 'memory' ? null : await redisStore(rateLimitStore);
  const guard = makeOutageGuard({
    ...events,
    storeLost(error) {
      store?.reconnect();
      events.storeLost(error);
    },
  });
  const limiters = new Map<string, Limiter>();

  function limiterFor(name: QuotaName, client: string): { limiter: Limiter; budget: Budget } {
    const base = budgets[name];
    const multiplier = multiplierOf(config, client);
    const budget = { ...base, points: Math.max(1, Math.floor(base.points * multiplier)) };
    const key = `${name}:${budget.points}`;
    let limiter = limiters.get(key);
    if (limiter === undefined) {
      const options = { keyPrefix: name, points: budget.points, duration: budget.seconds };
      limiter = store === null ? memoryLimiter(options) : insure(store.make(options), options);
      limiters.set(key, limiter);
    }
    return { limiter, budget };
  }

  function insure(shared: Limiter, options: Parameters<typeof memoryLimiter>[0]): Limiter {
    const own = memoryLimiter(options);
    return insuredLimiter(shared, own, guard);
  }

  function refuse(name: QuotaName, budget: Budget, rejection: unknown): ApiError {
    if (rejection instanceof RateLimiterRes) events.rejected(name);
    return refusal(name, budget, rejection);
  }

  return {
    async consume(name, client, points = 1) {
      const { limiter, budget } = limiterFor(name, client);
      try {
        const result = await limiter.consume(client, points);
        return stateOf(name, budget, result.remainingPoints, result);
      } catch (rejection) {
        // The limiter counts rejected requests too; records that were not delivered are refunded.
        const wait = rejection instanceof RateLimiterRes ? rejection.msBeforeNext : 0;
        if (name === 'catalog-records' && wait > LEAST_REFUND_MS)
          await limiter.reward(client, points);
        throw refuse(name, budget, rejection);
      }
    },
    async peek(name, client) {
      const { limiter, budget } = limiterFor(name, client);
      const result = unexpired(await limiter.get(client));
      const remaining = result === null ? budget.points : Math.max(0, result.remainingPoints);
      if (result !== null && remaining === 0) throw refuse(name, budget, result);
      return stateOf(name, budget, remaining, result);
    },
    close: async () => store?.close(),
  };
}

/** Wraps a shared limiter with a local fallback for outages. */
function insuredLimiter(shared: Limiter, own: Limiter, guard: OutageGuard): Limiter {
  return {
    consume: (key, points) =>
      guard(
        () => shared.consume(key, points),
        () => own.consume(key, points),
      ),
    get: (key) =>
      guard(
        () => shared.get(key),
        () => own.get(key),
      ),
    reward: (key, points) =>
      guard(
        () => shared.reward(key, points),
        () => own.reward(key, points),
      ),
  };
}

/** Ignores an expired window, which may linger after a clock adjustment. */
function unexpired(result: RateLimiterRes | null): RateLimiterRes | null {
  return result === null || result.msBeforeNext <= 0 ? null : result;
}

function multiplierOf(config: Config, client: string): number {
  if (config.clientQuotas.length === 0) return 1;
  const address = client.replace('::/64', '::');
  const version = isIP(address);
  if (version === 0) return 1;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const quota = config.clientQuotas.find(
    (agreed) => agreed.family === family && agreed.network.check(address, family),
  );
  return quota?.multiplier ?? 1;
}

/** Maps a limiter's rejection to 429, and a store failure to 500. */
function refusal(name: QuotaName, budget: Budget, rejection: unknown): ApiError {
  if (!(rejection instanceof RateLimiterRes)) {
    return new ApiError('INTERNAL_ERROR', { retryAfterSeconds: 1, cause: rejection });
  }
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    retryAfterSeconds: secondsUntil(rejection, budget),
    headers: describe(name, budget, rejection),
  });
}

/** Near the window's end the library rounds the wait to 0; the spec's minimum is 1. */
function secondsUntil(result: RateLimiterRes, budget: Budget): number {
  return Math.min(budget.seconds, Math.max(1, Math.ceil(result.msBeforeNext / 1000)));
}

// Headers are built lazily: most answers are cacheable and carry no RateLimit fields.
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
