import { METHODS, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../domain/errors.ts';
import { faultReply, type Reply } from '../http/call.ts';

const PARSER_FAULTS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** What the parser says of bytes that are no request; the newest are in `rawPacket`. */
export type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** A request that is well-formed but for a method of which the parser has never heard. */
export type UnknownMethod = { method: string; url: string; host: string | undefined };

/** Finds the request in what the parser refused for its method; null when there is none. */
export function readUnknownMethod({ code, rawPacket }: ParserError): UnknownMethod | null {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return null;
  const text = rawPacket.toString('latin1');
  const line = /^([\w!#$%&'*+.^`|~-]+) (\S+) HTTP\/1\.[01]\r\n/.exec(text);
  const [, method = '', url = ''] = line ?? [];
  // A method that is known begins a request before: which one was refused is not certain then.
  if (line === null || METHODS.includes(method)) return null;
  return { method, url, host: /\r\nhost:[ \t]*([^\r\n]*)/i.exec(text)?.[1]?.trimEnd() };
}

/** The answer to what the HTTP parser refuses, in the documented shape. */
export function parserFaultReply(error: ParserError): Reply {
  return faultReply(PARSER_FAULTS[error.code ?? ''] ?? 'BAD_REQUEST');
}

/** Writes an answer on a socket that no longer speaks HTTP with us, and ends it. */
export function endWithReply(socket: Duplex, { status, headers, body }: Reply): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n` +
      `date: ${new Date().toUTCString()}\r\nx-content-type-options: nosniff\r\n` +
      `content-length: ${Buffer.byteLength(body ?? '')}\r\nconnection: close\r\n\r\n${body ?? ''}`,
    // A peer that does not close its side would keep the socket.
    () => socket.destroy(),
  );
}
