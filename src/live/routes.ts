import { ApiError } from '../domain/errors.ts';
import { type Call, ClientGone, errorReply, faultReply, type Reply } from '../http/call.ts';
import { encodeReply } from '../http/encoding.ts';
import type { FaultTeller, Live, LiveHandler } from './live.ts';
import { mcpHandler } from './mcp/endpoint.ts';
import { searchFaultPage, searchPageHandler } from './search-page/page.ts';
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
  /** How faults are told where not by the four-field body. */
  tellFault?: FaultTeller;
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
  {
    name: 'search-page',
    path: /^\/buscar$/,
    handler: searchPageHandler,
    tellFault: searchFaultPage,
  },
  { name: 'showcase', path: /^\/gpt\/products\.json$/, handler: showcaseHandler },
  { name: 'unknown-api', path: /^\/api(?!\/openapi\.yaml$)(\/|$)/, handler: unknownApiRoute },
];

/** The live route of a raw path; null when the static half answers it. */
export function findLiveRoute(path: string): LiveRoute | null {
  return ROUTES.find((route) => route.path.test(path)) ?? null;
}

/** A live handler, and how its faults are told. */
export type Answering = Pick<LiveRoute, 'handler' | 'tellFault'>;

/**
 * Runs a live handler; every fault becomes the documented error answer, and ours are logged. Throws only
 * ClientGone.
 */
export async function answer(route: Answering, call: Call, live: Live): Promise<Reply> {
  try {
    return encodeReply(call, await route.handler(call, live));
  } catch (error) {
    if (error instanceof ClientGone) throw error;
    const fault =
      error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR', { cause: error });
    if (fault.status >= 500) live.logFailure(fault.cause ?? fault, call);
    return encodeReply(call, await faultAnswer(route, fault, call, live));
  }
}

/** The answer to a fault at a route. */
export async function faultAnswer(
  { tellFault }: Pick<LiveRoute, 'tellFault'>,
  fault: ApiError,
  call: Pick<Call, 'query'>,
  live: Live,
): Promise<Reply> {
  try {
    return (await tellFault?.(fault, call, live)) ?? errorReply(fault);
  } catch (error) {
    live.logFailure(error);
    return errorReply(fault);
  }
}
