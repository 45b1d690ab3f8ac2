import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ClientGone, faultReply, methodNotAllowed, type Reply } from '../http/call.ts';
import { readTrace, traceResponse } from '../http/trace.ts';
import type { Live } from '../live/live.ts';
import { findLiveRoute } from '../live/routes.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { openLiveWork } from './live-work.ts';
import { endWithReply, parserFaultHandler } from './parser-faults.ts';
import { hasValidHost, readTarget } from './request.ts';
import { openRequestLog } from './request-log.ts';
import { closeGently, hasLargeBody, sendReply } from './send.ts';
import type { StaticSite } from './static.ts';

/** Dependencies of the gate. */
export type GateOptions = {
  live: Live;
  site: StaticSite;
  clientAddress: (request: IncomingMessage) => string;
  log: Logger;
  accessLog: boolean;
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
/** About 10 KB each. At the cap, new connections are dropped and idle ones closed. */
const MAX_CONNECTIONS = 8192;
const ALL_METHODS = 'GET, HEAD, POST, OPTIONS';

/** Creates the HTTP server: connection limits, routing by raw path to the live or static half, JSON faults. */
export function createGate(options: GateOptions): Server {
  const { live, site, clientAddress, log, metrics } = options;
  const work = openLiveWork({ live, clientAddress, metrics });
  const nextId = requestIds();
  const logRequest = openRequestLog(log, options.accessLog);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const id = nextId();
    const trace = readTrace(request.headers.traceparent);
    const sentBefore = logRequest === null ? 0 : request.socket.bytesWritten;
    let route = 'none';
    closeWhenDraining(response);
    response.once('close', () => {
      const seconds = (performance.now() - started) / 1000;
      const status = response.headersSent ? response.statusCode : 'none';
      metrics.requests.inc({ route, status });
      metrics.requestSeconds.observe({ route }, seconds);
      if (logRequest === null) return;
      const bytes = request.socket.bytesWritten - sentBefore;
      logRequest({ id, trace, route, status, seconds, bytes, request });
    });
    const send = (reply: Reply) => {
      closeWhenDraining(response);
      // Not on cacheable answers: a cache would send the trace to other clients.
      const isOurs = reply.headers['cache-control'] === 'no-store' && !response.headersSent;
      if (trace !== null && isOurs) {
        response.setHeader('traceresponse', traceResponse(trace));
      }
      sendReply(request, response, reply);
    };
    try {
      const target = hasValidHost(request) ? readTarget(request.url ?? '') : null;
      if (target === null) {
        // Ambiguous target or Host (request smuggling): 400 and close.
        return send(faultReply('BAD_REQUEST', { connection: 'close' }));
      }
      if (request.method !== 'POST' && hasLargeBody(request)) {
        response.setHeader('connection', 'close');
        closeGently(request);
      }
      const found = findLiveRoute(target.path);
      route = found?.name ?? 'static';
      if (found === null) await site.serve(target, request, response);
      else
        await work.serve({ id, trace: trace?.id, route: found, target, request, response, send });
    } catch (error) {
      if (isDisconnect(error, response)) {
        log.debug({ request: id, route }, 'client left');
        response.destroy();
        return;
      }
      if (response.headersSent || response.destroyed) response.destroy();
      else send(faultReply('INTERNAL_ERROR'));
      live.logFailure(error, { id, trace: trace?.id });
    }
  }

  /** Ends keep-alive during graceful shutdown, so that no request is sent on a closing connection. */
  function closeWhenDraining(response: ServerResponse): void {
    if (!server.listening && !response.headersSent) response.setHeader('connection', 'close');
  }

  const server = createServer(LIMITS, handle);
  // Expectations are not enforced: 100 Continue is sent when a handler reads the body.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('connect', (_, socket) => endWithReply(socket, methodNotAllowed(ALL_METHODS)));
  server.on('clientError', parserFaultHandler(live, nextId, metrics));
  server.on('close', work.close);
  limitConnections(server, metrics);
  return server;
}

/** Caps open connections. `server.maxConnections` counts those of one listening socket, and there are several. */
function limitConnections(server: Server, metrics: Metrics): void {
  let connections = 0;
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
}

/** Returns a generator of request ids, unique across processes: a random prefix and a counter. */
function requestIds(): () => string {
  const process = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}

/** Error codes of a stream whose client has disconnected. */
const STREAM_CUT = [
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
];

/** True if the client has disconnected; the same codes on an open response are failures of ours. */
function isDisconnect(error: unknown, response: ServerResponse): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return error instanceof ClientGone || (response.destroyed && STREAM_CUT.includes(code));
}
