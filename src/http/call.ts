import { ApiError, type ErrorCode, errorBody } from '../domain/errors.ts';

/** A request as the live handlers see it, independent of the server it came through. */
export type Call = {
  /** The request id in the log. */
  id: string;
  /** The sender's trace, for the log. */
  trace?: string | undefined;
  method: string;
  /** The raw path, percent-encoding untouched, without the query. */
  path: string;
  /** The parameters of the query string. */
  query(): URLSearchParams;
  header(name: string): string | undefined;
  /** The client's quota key: an IPv4 address or an IPv6 /64. */
  client: string;
  /** Reads the body; throws PAYLOAD_TOO_LARGE once it exceeds the limit, ClientGone when the client aborts. */
  readBody(limitBytes: number): Promise<Uint8Array>;
};

/** An answer. Header names are lower case. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
};

/** The client disconnected mid-request: nobody to answer, and not a server error. */
export class ClientGone extends Error {}

/** On every public answer: any page may read it, without credentials. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy, ETag',
};

/** Returns a JSON answer with `Cache-Control: no-store`. */
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

/** Returns the documented error answer of an ApiError. */
export function errorReply(error: ApiError): Reply {
  const wait = error.retryAfterSeconds;
  return jsonReply(error.status, errorBody(error), {
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    ...error.headers,
  });
}

/** Returns the standard error answer of a code. */
export function faultReply(code: ErrorCode, headers: Record<string, string> = {}): Reply {
  return errorReply(new ApiError(code, { headers }));
}

/** Returns 405; repeats Allow in words for clients that show only the body. */
export function methodNotAllowed(allow: string): Reply {
  const resolution = `Call the endpoint with ${allow.replace(/, (?=\w+$)/, ' or ')}`;
  return errorReply(new ApiError('METHOD_NOT_ALLOWED', { headers: { allow }, resolution }));
}

/** Returns 204 for OPTIONS, with the allowed methods and the CORS preflight fields. */
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

/** Returns 308 to another path of this service, cacheable for `seconds`. */
export function redirectReply(location: string, seconds: number): Reply {
  const headers = { location, 'cache-control': `public, max-age=${seconds}`, ...CORS_HEADERS };
  return { status: 308, headers, body: null };
}
