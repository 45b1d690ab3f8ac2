import { ApiError } from '../domain/errors.ts';
import { type Call, ClientGone, errorReply, faultReply, type Reply } from '../http/call.ts';
import { encodeReply } from '../http/encoding.ts';
import type { Live, LiveHandler } from './live.ts';
import { mcpHandler } from './mcp/endpoint.ts';
import { searchPageHandler } from './search-page/page.ts';
import { showcaseHandler } from './showcase.ts';
import { merchantStatsHandler, productStatsHandler } from './stats.ts';

/** Any path under /api that is nothing else: 404 whatever the method. */
export const unknownApiRoute: LiveHandler = async () => faultReply('API_ROUTE_NOT_FOUND');

/** A path, or a form of paths, that a handler answers. */
export type LiveRoute = {
  /** How metrics and log call it. */
  name: string;
  path: RegExp;
  handler: LiveHandler;
};

const ROUTES: LiveRoute[] = [
  {
    name: 'product-stats',
    path: /^\/api\/public\/v1\/products\/[^/]*\/stats$/,
    handler: productStatsHandler,
  },
  {
    name: 'merchant-stats',
    path: /^\/api\/public\/v1\/merchants\/[^/]*\/stats$/,
    handler: merchantStatsHandler,
  },
  { name: 'mcp', path: /^\/mcp\/?$/, handler: mcpHandler },
  { name: 'search-page', path: /^\/buscar$/, handler: searchPageHandler },
  { name: 'showcase', path: /^\/gpt\/products\.json$/, handler: showcaseHandler },
  { name: 'unknown-api', path: /^\/api(?!\/openapi\.yaml$)(\/|$)/, handler: unknownApiRoute },
];

/** The live route of a raw path; null when the static half answers it. */
export function findLiveRoute(path: string): LiveRoute | null {
  return ROUTES.find((route) => route.path.test(path)) ?? null;
}

/**
 * Runs a live handler; every fault becomes the documented error answer, and ours are logged. Throws only
 * ClientGone.
 */
export async function answer(handler: LiveHandler, call: Call, live: Live): Promise<Reply> {
  try {
    return encodeReply(call, await handler(call, live));
  } catch (error) {
    if (error instanceof ClientGone) throw error;
    if (error instanceof ApiError) {
      if (error.status >= 500) live.logFailure(error.cause ?? error, call);
      return errorReply(error);
    }
    live.logFailure(error, call);
    return faultReply('INTERNAL_ERROR');
  }
}
