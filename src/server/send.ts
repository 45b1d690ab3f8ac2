import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_BODY_BYTES } from '../domain/surface.ts';
import type { Reply } from '../http/call.ts';

/** Sends a reply; HEAD gets its header fields alone. A body that nobody read ends the connection. */
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
  // A text goes out in one write with its header fields; bytes would take a second one.
  if (body === null || request.method === 'HEAD') response.end();
  else response.end(body);
}

/** How long a sender gets to read its answer before the connection is cut, in ms. */
const LAST_WORDS_MS = 1000;

/**
 * Lets the answer reach somebody who still sends. To close a socket with unread data resets it, and the
 * sender would see a broken pipe instead; so its other half stays open for a moment, unread.
 */
export function closeGently(request: IncomingMessage): void {
  const { socket } = request;
  // Marks the body as taken, so that Node does not read it to its end to throw it away.
  request.read(0);
  request.pause();
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  };
}

/** True when a request announces a body that is not worth reading just to keep its connection. */
export function hasLargeBody(request: IncomingMessage): boolean {
  const length = Number(request.headers['content-length'] ?? 0);
  return request.headers['transfer-encoding'] !== undefined || length > MAX_BODY_BYTES;
}
