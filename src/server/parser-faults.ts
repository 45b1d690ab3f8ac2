import type { Duplex } from 'node:stream';
import { ApiError, ERRORS, type ErrorCode, errorBody } from '../domain/errors.ts';
import { errorReply } from '../http/call.ts';

const PARSER_FAULTS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/**
 * Answers what the HTTP parser refuses, in the documented shape, and closes the connection; returns the
 * status, or null when nobody can be answered.
 */
export function answerParserFault(error: NodeJS.ErrnoException, socket: Duplex): number | null {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return null;
  }
  const fault = new ApiError(PARSER_FAULTS[error.code ?? ''] ?? 'BAD_REQUEST');
  endWithFault(socket, fault);
  return fault.status;
}

/** Writes an error answer on a socket that no longer speaks HTTP with us, and ends it. */
export function endWithFault(socket: Duplex, fault: ApiError): void {
  const body = JSON.stringify(errorBody(fault));
  const lines = Object.entries(errorReply(fault).headers).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const { status, message } = ERRORS[fault.code];
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\n${lines.join('\r\n')}\r\nx-content-type-options: nosniff\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    // A peer that does not close its side would keep the socket.
    () => socket.destroy(),
  );
}
