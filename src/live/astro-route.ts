import type { APIRoute } from 'astro';
import { ApiError } from '../domain/errors.ts';
import type { Call, Reply } from '../http/call.ts';
import { clientKey } from '../http/client-address.ts';
import type { FaultTeller, LiveHandler } from './live.ts';
import { answer } from './routes.ts';

/** Wraps a live handler as an Astro API route; answers are byte for byte those of our own server. */
export function liveRoute(handler: LiveHandler, tellFault?: FaultTeller): APIRoute {
  const route = { handler, ...(tellFault && { tellFault }) };
  return async ({ request, locals, clientAddress }) => {
    return toResponse(await answer(route, toCall(request, clientAddress), locals.live));
  };
}

function toCall(request: Request, clientAddress: string): Call {
  const url = new URL(request.url);
  return {
    id: 'astro',
    method: request.method,
    path: url.pathname,
    query: () => url.searchParams,
    header: (name) => request.headers.get(name) ?? undefined,
    client: clientKey(clientAddress),
    readBody: async (limitBytes) => {
      const body = new Uint8Array(await request.arrayBuffer());
      if (body.byteLength > limitBytes) throw new ApiError('PAYLOAD_TOO_LARGE');
      return body;
    },
  };
}

function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body as BodyInit | null, { status, headers });
}
