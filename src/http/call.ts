import { ApiError, type ErrorCode, errorBody } from '../domain/errors.ts';

/** A request as the live handlers see it, whichever door it came through. */
export type Call = {
  /** Names the request in the log. */
  id: string;
  /** The trace that its sender has it in, for the log. */
  trace?: string | undefined;
  method: string;
  /** The raw path, percent-encoding untouched, without the query. */
  path: string;
  /** The parameters of the query string. */
  query(): URLSearchParams;
  header(name: string): string | undefined;
  /** The client's quota key: an IPv4 address or the /64 of an IPv6 address. */
  client: string;
  /** Reads the body; throws PAYLOAD_TOO_LARGE as soon as it exceeds the limit, ClientGone when it breaks off. */
  readBody(limitBytes: number): Promise<Uint8Array>;
};

/** An answer. Header names are lower case. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
};

/** The client left, or broke off what it sent: there is nobody to answer, and no fault of ours. */
export class ClientGone extends Error {}

/** On every answer of the public surface: anybody's page may read it, without credentials. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy, ETag',
};

/** A JSON answer that no cache stores. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Reply {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...CORS_HEADERS,
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** The documented error answer of an ApiError. */
export function errorReply(error: ApiError): Reply {
  const wait = error.retryAfterSeconds;
  return jsonReply(error.status, errorBody(error), {
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    ...error.headers,
  });
}

/** The error answer of a code that needs no more than its row in the table. */
export function faultReply(code: ErrorCode, headers: Record<string, string> = {}): Reply {
  return errorReply(new ApiError(code, { headers }));
}

/** 405 with the methods that are allowed, also in words: clients show only the body. */
export function methodNotAllowed(allow: string): Reply {
  const resolution = `Call the endpoint with ${allow.replace(/, (?=\w+$)/, ' or ')}`;
  return errorReply(new ApiError('METHOD_NOT_ALLOWED', { headers: { allow }, resolution }));
}

/** 204 for OPTIONS: the allowed methods, and what a browser asks before a cross-origin request. */
export function optionsReply(allow: string, requestHeaders: string): Reply {
  return {
    status: 204,
    headers: {
      allow,
      'cache-control': 'no-store',
      ...CORS_HEADERS,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': '86400',
    },
    body: null,
  };
}

/** 308 to another path of this service, which anybody may remember for so long; method and body are kept. */
export function redirectReply(location: string, seconds: number): Reply {
  const headers = { location, 'cache-control': `public, max-age=${seconds}`, ...CORS_HEADERS };
  return { status: 308, headers, body: null };
}
