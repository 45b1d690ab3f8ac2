import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../http/call.ts';

/** Sends a reply; HEAD gets its header fields alone. A body that nobody read ends the connection. */
export function sendReply(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const { status, headers, body } = reply;
  const length = body === null ? 0 : Buffer.byteLength(body);
  const withoutLength = status === 204 || status === 304;
  const unread = !request.complete && hasBody(request);
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

function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return (
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  );
}
