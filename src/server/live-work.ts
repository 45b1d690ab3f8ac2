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

/** An answer is given after so long, whatever it waits for; the time that a body takes does not count. */
const ANSWER_DEADLINE_MS = 1100;

const OVERLOADED = () => new ApiError('INTERNAL_ERROR', { retryAfterSeconds: 1 });

/** A request for a live route, and how it is answered; what is sent after an answer is dropped. */
export type LiveRequest = {
  id: string;
  trace: string | undefined;
  route: LiveRoute;
  target: Target;
  request: IncomingMessage;
  response: ServerResponse;
  send(reply: Reply): void;
};

/** What live work needs of the gate's surroundings. */
type Surroundings = {
  live: Live;
  clientAddress: (request: IncomingMessage) => string;
  metrics: Metrics;
};

/** Answers live requests by their handlers, as many at once as the process keeps up with, each in time. */
export function openLiveWork({ live, clientAddress, metrics }: Surroundings) {
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
        // A slow sender keeps neither the deadline running nor a place among the work under way.
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
 * Throws ClientGone when the client has reset its connection. What it sent before is read first, the reset a turn
 * of the loop later: a process that lags would work for thousands who have left, and keep the others waiting to
 * be accepted.
 */
async function stillThere({ socket }: IncomingMessage): Promise<void> {
  await setImmediate();
  await setImmediate();
  if (socket.destroyed) throw new ClientGone();
}

/** A place among the work under way, with a deadline: it can be left and taken again. */
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
