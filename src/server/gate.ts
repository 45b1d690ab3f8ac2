import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, ERRORS, type ErrorCode, errorBody } from '../domain/errors.ts';
import { type Call, errorReply, faultReply } from '../http/call.ts';
import { clientKey } from '../http/client-address.ts';
import type { Live } from '../live/live.ts';
import { answer, findLiveHandler } from '../live/routes.ts';
import { sendReply } from './send.ts';
import type { StaticSite } from './static.ts';

export type GateOptions = {
  live: Live;
  site: StaticSite;
  clientAddress: (request: IncomingMessage) => string;
};

/** The HTTP server in front of both halves: limits of the connection, raw paths, JSON faults. */
export function createGate({ live, site, clientAddress }: GateOptions): Server {
  const server = createServer(
    {
      maxHeaderSize: 8192,
      headersTimeout: 5000,
      requestTimeout: 10_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1000,
    },
    async (request, response) => {
      try {
        const target = readTarget(request.url ?? '');
        if (target === null) return sendReply(request, response, faultReply('BAD_REQUEST'));
        const handler = findLiveHandler(target.path);
        if (handler === null) return await site.serve(target.path, request, response);
        const call = toCall(request, target, clientKey(clientAddress(request)));
        sendReply(request, response, await answer(handler, call, live));
      } catch (error) {
        if (response.headersSent || response.destroyed) response.destroy();
        else sendReply(request, response, faultReply('INTERNAL_ERROR'));
        if (!isDisconnect(error)) live.logFailure(error);
      }
    },
  );
  server.on('clientError', answerParserFault);
  return server;
}

type Target = { path: string; query: string };

/** Splits a request target; the absolute form (RFC 9112, 3.2.2) is allowed, its host plays no part. */
function readTarget(url: string): Target | null {
  const origin = url.startsWith('/')
    ? url
    : (/^https?:\/\/[^/?#]+(\/.*)?$/i.exec(url)?.[1] ?? null);
  if (origin === null) return null;
  const mark = origin.indexOf('?');
  return mark < 0
    ? { path: origin, query: '' }
    : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

function toCall(request: IncomingMessage, target: Target, client: string): Call {
  return {
    method: request.method ?? 'GET',
    path: target.path,
    query: () => new URLSearchParams(target.query),
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    client,
    readBody: (limitBytes) => readBody(request, limitBytes),
  };
}

async function readBody(request: IncomingMessage, limitBytes: number): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
    throw new ApiError('PAYLOAD_TOO_LARGE');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > limitBytes) throw new ApiError('PAYLOAD_TOO_LARGE');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

const PARSER_FAULTS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Answers what the HTTP parser refuses, in the documented shape, and closes the connection. */
function answerParserFault(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = PARSER_FAULTS[error.code ?? ''] ?? 'BAD_REQUEST';
  const { headers } = errorReply(new ApiError(code));
  const body = JSON.stringify(errorBody(new ApiError(code)));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const { status, message } = ERRORS[code];
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\n${lines.join('\r\n')}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function isDisconnect(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
