import { z } from 'zod';
import { MAX_ID } from './ids.ts';
import { MAX_BODY_BYTES } from './surface.ts';

/** One row of the error table: the fixed parts of an error answer. */
type ErrorRow = { status: number; message: string; resolution: string };

/** The only table of error codes. The first six are the spec's; the others are HTTP-level faults. */
export const ERRORS = {
  INVALID_PRODUCT_ID: {
    status: 400,
    message: 'Product ID must be a positive integer',
    resolution: `Give a valid product ID (1 to ${MAX_ID}) in the URL path`,
  },
  INVALID_MERCHANT_ID: {
    status: 400,
    message: 'Merchant ID must be a positive integer',
    resolution: `Give a positive integer merchant ID (1 to ${MAX_ID}) in the URL path`,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'Method not allowed',
    resolution: 'Call the endpoint with GET or OPTIONS',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Rate limit exceeded',
    resolution: 'Wait for the Retry-After interval, then retry',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Internal server error',
    resolution: 'Retry later, or contact the operator if the problem persists',
  },
  API_ROUTE_NOT_FOUND: {
    status: 404,
    message: 'API route not found',
    resolution: 'Check the path against the API description at /openapi.json',
  },
  BAD_REQUEST: {
    status: 400,
    message: 'Bad request',
    resolution: 'Send a well-formed HTTP request',
  },
  HOST_NOT_ALLOWED: {
    status: 403,
    message: 'Host not allowed',
    resolution: 'Call the service by its public host name',
  },
  NOT_FOUND: {
    status: 404,
    message: 'Not found',
    resolution: 'Check the address; /llms.txt and /sitemap.xml list what exists',
  },
  GONE: {
    status: 410,
    message: 'This page was withdrawn',
    resolution: 'Remove the address; search again at /mcp for current products and offers',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'Request body too large',
    resolution: `Send a body of at most ${MAX_BODY_BYTES} bytes`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Unsupported media type',
    resolution: 'Send the body as Content-Type: application/json',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    message: 'Range not satisfiable',
    resolution: 'Ask for a range within the length of the resource',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: 'Request header fields too large',
    resolution: 'Send fewer or shorter header fields',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'Request timeout',
    resolution: 'Send the whole request without delay',
  },
} as const satisfies Record<string, ErrorRow>;

/** A code of the error table. */
export type ErrorCode = keyof typeof ERRORS;

/** The body of every error answer; `error` repeats `message` for older clients. */
export const errorSchema = z
  .strictObject({
    error: z.string().describe('Human-readable message, kept for older clients'),
    code: z
      .enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]])
      .describe('Stable machine-readable code'),
    message: z.string().describe('Human-readable explanation'),
    resolution: z.string().describe('Guidance for correcting or retrying'),
  })
  .meta({ id: 'Error' });

/** The four fields of an error body. */
export type ErrorBody = z.infer<typeof errorSchema>;

type Options = {
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  /** Overrides the resolution of the table. */
  resolution?: string;
  cause?: unknown;
};

/** An error to report to the caller; any other thrown error is a bug and becomes a 500. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly resolution: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: Options = {}) {
    super(ERRORS[code].message, { cause: options.cause });
    this.code = code;
    this.status = ERRORS[code].status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.resolution = options.resolution ?? ERRORS[code].resolution;
  }
}

/** Returns the four-field error body; repeats Retry-After in words for clients that show only the body. */
export function errorBody(error: ApiError): ErrorBody {
  const { message } = ERRORS[error.code];
  const seconds = error.retryAfterSeconds;
  const wait = seconds === undefined ? '' : ` (${seconds} ${seconds === 1 ? 'second' : 'seconds'})`;
  return { error: message, code: error.code, message, resolution: error.resolution + wait };
}
