import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../domain/errors.ts';
import { type Call, ClientGone, type Reply } from '../http/call.ts';
import { clientKey } from '../http/client-address.ts';
import type { Live } from '../live/live.ts';
import { answer, faultAnswer, type LiveRoute } from '../live/routes.ts';
import type { Metrics } from '../metrics.ts';
import { type WorkLimiter, watchOverload } from './overload.ts';
import { checkDeclaredLength, readBody, type Target } from './request.ts';

/** Deadline of an answer; reading the request body does not count. */
const ANSWER_DEADLINE_MS = 1100;

const OVERLOADED = () => new ApiError('INTERNAL_ERROR', { retryAfterSeconds: 1 });

/** A request for a live route; `send` ignores all replies but the first. */
export type LiveRequest = {
  id: string;
  trace: string | undefined;
  route: LiveRoute;
  target: Target;
  request: IncomingMessage;
  response: ServerResponse;
  send(reply: Reply): void;
};

type LiveWorkOptions = {
  live: Live;
  clientAddress: (request: IncomingMessage) => string;
  metrics: Metrics;
};

/** Returns the executor of live requests, with load shedding and deadlines. */
export function openLiveWork({ live, clientAddress, metrics }: LiveWorkOptions) {
  const overload = watchOverload();

  async function serve(given: LiveRequest): Promise<void> {
    const { id, trace, route, target, request, response, send } = given;
    const head = readHead(request, target);
    const refuse = async () => {
      const reply = await faultAnswer(route, OVERLOADED(), head, live);
      send({ ...reply, headers: { ...reply.headers, 'x-request-id': id } });
    };
    const work = route.name === 'mcp' ? overload.limiters.catalog : overload.limiters.other;
    const turn = openTurn(work, refuse);
    const begins = () => {
      const begun = turn.begin();
      if (!begun) metrics.shed.inc();
      return begun;
    };
    if (overload.lags()) await stillThere(request);
    if (!begins()) return refuse();
    const call: Call = {
      ...head,
      id,
      trace,
      client: clientKey(clientAddress(request)),
      async readBody(limitBytes) {
        checkDeclaredLength(request, limitBytes);
        // A slow sender must not hold a slot or use up the deadline.
        turn.end();
        if (request.headers.expect !== undefined) response.writeContinue();
        const body = await readBody(request, limitBytes);
        if (overload.lags()) await stillThere(request);
        if (!begins()) throw OVERLOADED();
        return body;
      },
    };
    try {
      const reply = await answer(route, call, live);
      if (reply.status >= 500) reply.headers['x-request-id'] = id;
      send(reply);
    } finally {
      turn.end();
    }
  }

  return { serve, close: overload.close };
}

/**
 * Throws ClientGone if the client has reset its connection; the reset is read a turn of the event loop after the
 * request. A lagging process would otherwise work for thousands of clients that have left, while others wait to be
 * accepted.
 */
async function stillThere({ socket }: IncomingMessage): Promise<void> {
  await setImmediate();
  await setImmediate();
  if (socket.destroyed) throw new ClientGone();
}

/** Opens a slot of the limiter with a deadline; it can be released and taken again. */
function openTurn(work: WorkLimiter, late: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let working = false;
  return {
    begin(): boolean {
      working = work.begin();
      if (working) timer = setTimeout(late, ANSWER_DEADLINE_MS);
      return working;
    },
    end() {
      clearTimeout(timer);
      if (working) work.finish();
      working = false;
    },
  };
}

function readHead(
  request: IncomingMessage,
  target: Target,
): Omit<Call, 'id' | 'trace' | 'client' | 'readBody'> {
  return {
    method: request.method ?? 'GET',
    path: target.path,
    query: () => new URLSearchParams(target.query),
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}
