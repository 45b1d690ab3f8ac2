import { ApiError } from '../domain/errors.ts';
import { type Call, ClientGone, errorReply, faultReply, type Reply } from '../http/call.ts';
import { encodeReply } from '../http/encoding.ts';
import type { FaultTeller, Live, LiveHandler } from './live.ts';
import { mcpHandler } from './mcp/endpoint.ts';
import { searchFaultPage, searchPageHandler } from './search-page/page.ts';
import { showcaseHandler } from './showcase.ts';
import { merchantStatsHandler, productStatsHandler } from './stats.ts';

/** Answers unknown paths under /api: 404 for any method. */
export const unknownApiRoute: LiveHandler = async () => faultReply('API_ROUTE_NOT_FOUND');

/** A pattern of paths and its handler. */
export type LiveRoute = {
  /** The name in metrics and logs. */
  name: string;
  path: RegExp;
  handler: LiveHandler;
  /** Renders faults, if not as the four-field JSON body. */
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

/** Finds the live route of a raw path; null if the path is static. */
export function findLiveRoute(path: string): LiveRoute | null {
  return ROUTES.find((route) => route.path.test(path)) ?? null;
}

/** A live handler, and how its faults are rendered. */
export type Answering = Pick<LiveRoute, 'handler' | 'tellFault'>;

/**
 * Runs a live handler; turns every error into the documented error answer and logs those of status 5xx. Throws only
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

/** Renders a fault at a route; falls back to the JSON body if that fails. */
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
