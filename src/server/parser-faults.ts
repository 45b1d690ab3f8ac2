import { METHODS, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../domain/errors.ts';
import { type Call, faultReply, methodNotAllowed, type Reply } from '../http/call.ts';
import type { Live } from '../live/live.ts';
import { answer, findLiveRoute } from '../live/routes.ts';
import type { Metrics } from '../metrics.ts';
import { readTarget } from './request.ts';
import { STATIC_METHODS } from './static.ts';

const PARSER_FAULTS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Answers what the HTTP parser refuses, on the socket itself. */
export function parserFaultHandler(live: Live, nextId: () => string, metrics: Metrics) {
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
    return answer(found, call, live);
  }

  return async (error: ParserError, socket: Duplex): Promise<void> => {
    const unknown = readUnknownMethod(error);
    const reply = unknown === null ? parserFaultReply(error) : await refuseMethod(unknown);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    endWithReply(socket, reply);
    metrics.requests.inc({ route: 'none', status: reply.status });
  };
}

/** What the parser says of bytes that are no request; the newest are in `rawPacket`. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** A request that is well-formed but for a method of which the parser has never heard. */
type UnknownMethod = { method: string; url: string; host: string | undefined };

/** Finds the request in what the parser refused for its method; null when there is none. */
function readUnknownMethod({ code, rawPacket }: ParserError): UnknownMethod | null {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return null;
  const text = rawPacket.toString('latin1');
  const line = /^([\w!#$%&'*+.^`|~-]+) (\S+) HTTP\/1\.[01]\r\n/.exec(text);
  const [, method = '', url = ''] = line ?? [];
  // A method that is known begins a request before: which one was refused is not certain then.
  if (line === null || METHODS.includes(method)) return null;
  return { method, url, host: /\r\nhost:[ \t]*([^\r\n]*)/i.exec(text)?.[1]?.trimEnd() };
}

/** The answer in the documented shape. */
function parserFaultReply(error: ParserError): Reply {
  return faultReply(PARSER_FAULTS[error.code ?? ''] ?? 'BAD_REQUEST');
}

/** Writes an answer on a socket that no longer speaks HTTP with us, and ends it. */
export function endWithReply(socket: Duplex, { status, headers, body }: Reply): void {
  // Node takes its own listener off the socket of a CONNECT: a reset would end the process.
  socket.on('error', () => socket.destroy());
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n` +
      `date: ${new Date().toUTCString()}\r\nx-content-type-options: nosniff\r\n` +
      `content-length: ${Buffer.byteLength(body ?? '')}\r\nconnection: close\r\n\r\n${body ?? ''}`,
    // A peer that does not close its side would keep the socket.
    () => socket.destroy(),
  );
}
