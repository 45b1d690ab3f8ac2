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

/** Returns a handler that answers parser errors on the raw socket. */
export function parserFaultHandler(live: Live, nextId: () => string, metrics: Metrics) {
  /** Answers a method unknown to the parser like any other that the route does not allow. */
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

/** An error of the parser; `rawPacket` holds the latest bytes. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** A well-formed request with a method unknown to the parser. */
type UnknownMethod = { method: string; url: string; host: string | undefined };

/** Extracts the request that was refused for its method; null if there is none. */
function readUnknownMethod({ code, rawPacket }: ParserError): UnknownMethod | null {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return null;
  const text = rawPacket.toString('latin1');
  const line = /^([\w!#$%&'*+.^`|~-]+) (\S+) HTTP\/1\.[01]\r\n/.exec(text);
  const [, method = '', url = ''] = line ?? [];
  // With a known method, a later (pipelined) request of the packet was refused.
  if (line === null || METHODS.includes(method)) return null;
  return { method, url, host: /\r\nhost:[ \t]*([^\r\n]*)/i.exec(text)?.[1]?.trimEnd() };
}

function parserFaultReply(error: ParserError): Reply {
  return faultReply(PARSER_FAULTS[error.code ?? ''] ?? 'BAD_REQUEST');
}

/** Writes a reply to a raw socket and closes it. */
export function endWithReply(socket: Duplex, { status, headers, body }: Reply): void {
  // Node removes its own error listener on CONNECT: a reset would crash the process.
  socket.on('error', () => socket.destroy());
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n` +
      `date: ${new Date().toUTCString()}\r\nx-content-type-options: nosniff\r\n` +
      `content-length: ${Buffer.byteLength(body ?? '')}\r\nconnection: close\r\n\r\n${body ?? ''}`,
    // A peer that does not close its side must not keep the socket.
    () => socket.destroy(),
  );
}
