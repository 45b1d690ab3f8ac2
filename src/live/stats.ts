import { ApiError, type ErrorCode } from '../domain/errors.ts';
import { parsePositiveId } from '../domain/ids.ts';
import { STATS_CACHE_SECONDS, STATS_CDN_CACHE } from '../domain/surface.ts';
import { type Call, jsonReply, methodNotAllowed, optionsReply } from '../http/call.ts';
import { withEtag } from '../http/conditional.ts';
import type { QuotaName } from '../http/quotas.ts';
import type { Live, LiveHandler } from './live.ts';

const ALLOW = 'GET, OPTIONS';
const REQUEST_HEADERS = 'Accept, Content-Type, If-None-Match';

type Answer = { body: string; etag: string; ageMs: number };

type StatsEndpoint = {
  path: RegExp;
  invalidId: ErrorCode;
  quota: QuotaName;
  read(id: number, live: Live): Promise<Answer>;
};

/** GET /api/public/v1/products/{productId}/stats */
export const productStatsHandler = statsHandler({
  path: /^\/api\/public\/v1\/products\/([^/]*)\/stats$/,
  invalidId: 'INVALID_PRODUCT_ID',
  quota: 'product-stats',
  async read(id, live) {
    const { value: stats, ageMs } = await live.stats.product(id);
    // The counts determine the body, so no hash is needed.
    const etag = `"${id}-${stats.viewsCount}-${stats.likesCount}-${stats.dislikesCount}"`;
    return { body: JSON.stringify(stats), etag, ageMs };
  },
});

/** GET /api/public/v1/merchants/{merchantId}/stats */
export const merchantStatsHandler = statsHandler({
  path: /^\/api\/public\/v1\/merchants\/([^/]*)\/stats$/,
  invalidId: 'INVALID_MERCHANT_ID',
  quota: 'merchant-stats',
  async read(id, live) {
    const { value, ageMs } = await live.stats.merchant(id);
    return { ...value, ageMs };
  },
});

/** Makes a handler that checks in documented order: route, method, id, quota, data. */
function statsHandler(endpoint: StatsEndpoint): LiveHandler {
  return async (call: Call, live: Live) => {
    if (call.method === 'OPTIONS') return optionsReply(ALLOW, REQUEST_HEADERS);
    if (call.method !== 'GET') return methodNotAllowed(ALLOW);
    const id = parsePositiveId(endpoint.path.exec(call.path)?.[1] ?? '');
    if (id === null) throw new ApiError(endpoint.invalidId);
    await live.quotas.consume(endpoint.quota, call.client);
    const { body, etag, ageMs } = await endpoint.read(id, live);
    // Age counts towards max-age: nobody is shown counts older than 30 seconds.
    const age = Math.ceil(ageMs / 1000);
    const headers = {
      'cache-control': `public, max-age=${STATS_CACHE_SECONDS}`,
      'cdn-cache-control': STATS_CDN_CACHE,
      // Caches take the larger of Age and the time since Date (RFC 9111, 4.2.3): both must start at the same
      // instant.
      ...(age > 0
        ? { age: String(age), date: new Date(live.clock().getTime() - ageMs).toUTCString() }
        : {}),
    };
    return withEtag(call, { ...jsonReply(200, null, headers), body }, etag);
  };
}
