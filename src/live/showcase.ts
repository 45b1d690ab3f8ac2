import { SHOWCASE_PERIOD_SECONDS, SHOWCASE_SIZE } from '../domain/surface.ts';
import { USAGE } from '../domain/usage.ts';
import { jsonReply, methodNotAllowed, optionsReply } from '../http/call.ts';
import type { LiveHandler } from './live.ts';
import { listText } from './records/list-text.ts';
import { productItem } from './records/text.ts';
import { showcaseProduct } from './records/wire.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

/**
 * GET /gpt/products.json: a selection from the published export that rotates each period and is the same for all
 * callers, cut to the rest of the caller's record quota.
 */
export const showcaseHandler: LiveHandler = async (call, live) => {
  if (call.method === 'OPTIONS') return optionsReply(ALLOW, 'Accept');
  if (call.method !== 'GET' && call.method !== 'HEAD') return methodNotAllowed(ALLOW);
  const { info, links, quotas } = live;
  const limit = readLimit(call.query().get('limit'));
  const { remaining, headers: peeked } = await quotas.peek('catalog-records', call.client);
  const now = live.clock();
  const periodMs = SHOWCASE_PERIOD_SECONDS * 1000;
  const period = Math.floor(now.getTime() / periodMs);
  const selection = rotate(live.published.showcase(), period).slice(0, SHOWCASE_SIZE);
  const products = selection
    .slice(0, Math.min(limit, remaining))
    .map(({ store, ...product }) => showcaseProduct(product, store, links));
  // HEAD returns no records: nothing is charged.
  const { headers } =
    products.length === 0 || call.method === 'HEAD'
      ? { headers: peeked }
      : await quotas.consume('catalog-records', call.client, products.length);
  const body = {
    service: info.name,
    generated_at: now.toISOString(),
    rotation: {
      period_seconds: SHOWCASE_PERIOD_SECONDS,
      next_at: new Date((period + 1) * periodMs).toISOString(),
    },
    limit,
    result_count: products.length,
    paginated: false,
    products,
    answer_markdown: listText(info.name, products.map(productItem)),
    usage_policy: USAGE,
  };
  return jsonReply(200, body, headers);
};

/** Parses the limit: 20 if absent or not an integer, else clamped to 1..20. */
function readLimit(text: string | null): number {
  if (text === null || !/^-?\d+$/.test(text.trim())) return SHOWCASE_SIZE;
  return Math.min(SHOWCASE_SIZE, Math.max(1, Number(text)));
}

/** Rotates the pool by one selection per period, so that each product gets its turn. */
function rotate<T>(pool: T[], period: number): T[] {
  if (pool.length === 0) return [];
  const start = (period * SHOWCASE_SIZE) % pool.length;
  return [...pool.slice(start), ...pool.slice(0, start)];
}
