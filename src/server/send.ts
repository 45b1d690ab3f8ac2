import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_BODY_BYTES } from '../domain/surface.ts';
import type { Reply } from '../http/call.ts';

/** Sends a reply, or its header fields for HEAD. Closes the connection if a large request body is unread. */
export function sendReply(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const { status, headers, body } = reply;
  const length = body === null ? 0 : Buffer.byteLength(body);
  const withoutLength = status === 204 || status === 304;
  const unread = !request.complete && hasLargeBody(request);
  if (unread) closeGently(request);
  response.writeHead(status, {
    ...headers,
    'x-content-type-options': 'nosniff',
    ...(withoutLength ? {} : { 'content-length': length }),
    ...(unread ? { connection: 'close' } : {}),
  });
  // A string goes out in one write with the header fields; a buffer takes a second one.
  if (body === null || request.method === 'HEAD') response.end();
  else response.end(body);
}

/** How long the client may take to read the answer. */
const LAST_WORDS_MS = 1000;

/**
 * Lingers on close: ends our side and waits. Closing a socket with unread data resets it: a client
 * still sending would see a broken pipe instead of the answer.
 */
export function closeGently(request: IncomingMessage): void {
  const { socket } = request;
  // Marks the body as consumed, so that Node does not drain it.
  request.read(0);
  request.pause();
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  };
}

/** True if the request announces a body too large, or of unknown length, to drain for keep-alive. */
export function hasLargeBody(request: IncomingMessage): boolean {
  const length = Number(request.headers['content-length'] ?? 0);
  return request.headers['transfer-encoding'] !== undefined || length > MAX_BODY_BYTES;
}
