import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../domain/errors.ts';
import { type Call, errorReply, faultReply, methodNotAllowed, type Reply } from '../http/call.ts';
import { clientKey } from '../http/client-address.ts';
import type { Live } from '../live/live.ts';
import { answer, findLiveRoute, type LiveRoute } from '../live/routes.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { watchOverload } from './overload.ts';
import {
  endWithReply,
  type ParserError,
  parserFaultReply,
  readUnknownMethod,
  type UnknownMethod,
} from './parser-faults.ts';
import { checkDeclaredLength, hasValidHost, readBody, readTarget, type Target } from './request.ts';
import { closeGently, hasLargeBody, sendReply } from './send.ts';
import { STATIC_METHODS, type StaticSite } from './static.ts';

/** Both halves and what watches over them. */
export type GateOptions = {
  live: Live;
  site: StaticSite;
  clientAddress: (request: IncomingMessage) => string;
  log: Logger;
  metrics: Metrics;
};

const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
  // Checked in the gate, because the parser's own refusal has no body.
  requireHostHeader: false,
};
/** About 10 KB each; beyond it idle connections are closed and new ones dropped. */
const MAX_CONNECTIONS = 8192;
/** An answer is given after so long, whatever it waits for; the time that a body takes does not count. */
const ANSWER_DEADLINE_MS = 1100;

const ALL_METHODS = 'GET, HEAD, POST, OPTIONS';

const OVERLOADED = () => new ApiError('INTERNAL_ERROR', { retryAfterSeconds: 1 });

/** The HTTP server in front of both halves: limits of the connection, raw paths, JSON faults. */
export function createGate({ live, site, clientAddress, log, metrics }: GateOptions): Server {
  const overload = watchOverload();
  const nextId = requestIds();
  // Not the server's own limit: it counts the connections of one listening socket, and there are several.
  let connections = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const id = nextId();
    let route = 'none';
    closeWhenDraining(response);
    response.once('close', () => {
      const seconds = (performance.now() - started) / 1000;
      const status = response.headersSent ? response.statusCode : 'none';
      metrics.requests.inc({ route, status });
      metrics.requestSeconds.observe({ route }, seconds);
      log.debug({ request: id, route, method: request.method, status, seconds }, 'request');
    });
    try {
      const target = hasValidHost(request) ? readTarget(request.url ?? '') : null;
      if (target === null) {
        // Whoever confuses us about where a request goes does not get to send another.
        const reply = faultReply('BAD_REQUEST', { connection: 'close' });
        return sendReply(request, response, reply);
      }
      if (request.method !== 'POST' && hasLargeBody(request)) {
        response.setHeader('connection', 'close');
        closeGently(request);
      }
      const found = findLiveRoute(target.path);
      route = found?.name ?? 'static';
      if (found === null) await site.serve(target.path, request, response);
      else await serveLive(found, id, target, request, response);
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy();
      else sendReply(request, response, faultReply('INTERNAL_ERROR'));
      if (!isDisconnect(error)) live.logFailure(error, id);
    }
  }

  /** At shutdown nobody shall send another request on a connection that is about to end. */
  function closeWhenDraining(response: ServerResponse): void {
    if (!server.listening && !response.headersSent) response.setHeader('connection', 'close');
  }

  /** Answers by a live handler, unless the process is overloaded or the deadline passes before. */
  async function serveLive(
    { name, handler }: LiveRoute,
    id: string,
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const refuse = () => {
      const reply = errorReply(OVERLOADED());
      sendReply(request, response, { ...reply, headers: { ...reply.headers, 'x-request-id': id } });
    };
    const work = name === 'mcp' ? overload.limiters.catalog : overload.limiters.other;
    if (!work.begin()) {
      metrics.shed.inc();
      return refuse();
    }
    let timer = setTimeout(refuse, ANSWER_DEADLINE_MS);
    let working = true;
    const call: Call = {
      ...readHead(request, target),
      id,
      client: clientKey(clientAddress(request)),
      async readBody(limitBytes) {
        checkDeclaredLength(request, limitBytes);
        // A slow sender keeps neither the deadline running nor a place among the work under way.
        clearTimeout(timer);
        work.finish();
        working = false;
        if (request.headers.expect !== undefined) response.writeContinue();
        const body = await readBody(request, limitBytes);
        working = work.begin();
        if (!working) {
          metrics.shed.inc();
          throw OVERLOADED();
        }
        timer = setTimeout(refuse, ANSWER_DEADLINE_MS);
        return body;
      },
    };
    try {
      const reply = await answer(handler, call, live);
      if (reply.status >= 500) reply.headers['x-request-id'] = id;
      closeWhenDraining(response);
      sendReply(request, response, reply);
    } finally {
      clearTimeout(timer);
      if (working) work.finish();
    }
  }

  /** A method that the parser does not know is refused where it is sent, like any other. */
  async function refuseMethod({ method, url, host }: UnknownMethod): Promise<Reply> {
    const target = readTarget(url);
    if (target === null) return faultReply('BAD_REQUEST');
    const found = findLiveRoute(target.path);
    if (found === null) return methodNotAllowed(STATIC_METHODS);
    const call: Call = {
      ...{ id: nextId(), method, path: target.path, client: '' },
      query: () => new URLSearchParams(target.query),
      header: (name) => (name === 'host' ? host : undefined),
      readBody: async () => new Uint8Array(),
    };
    return answer(found.handler, call, live);
  }

  async function answerParserFault(error: ParserError, socket: Duplex): Promise<void> {
    const unknown = readUnknownMethod(error);
    const reply = unknown === null ? parserFaultReply(error) : await refuseMethod(unknown);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    endWithReply(socket, reply);
    metrics.requests.inc({ route: 'none', status: reply.status });
  }

  const server = createServer(LIMITS, handle);
  // Expectations are not enforced: a body is asked for when somebody wants to read it.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('connect', (_, socket) => endWithReply(socket, methodNotAllowed(ALL_METHODS)));
  server.on('clientError', answerParserFault);
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => {
      connections -= 1;
    });
    if (connections <= MAX_CONNECTIONS) return;
    metrics.connectionsRefused.inc();
    socket.destroy();
    server.closeIdleConnections();
  });
  server.on('close', overload.close);
  return server;
}

function readHead(
  request: IncomingMessage,
  target: Target,
): Omit<Call, 'id' | 'client' | 'readBody'> {
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

/** Ids that tell requests apart in the logs of all processes: a random beginning and a number. */
function requestIds(): () => string {
  const process = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}

function isDisconnect(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
