import { ApiError, ERRORS, type ErrorCode, errorBody } from '../domain/errors.ts';

export type Json = { [key: string]: unknown };

/** JSON content with its schema and an example. */
export function jsonContent(schema: Json, example?: unknown): Json {
  return {
    'application/json': { schema, ...(example === undefined ? {} : { example }) },
  };
}

/** The documented answer of an error code. */
export function errorResponse(code: ErrorCode): Json {
  const retryAfter = {
    'Retry-After': {
      description: 'Seconds until another request may be tried, at least 1',
      schema: { type: 'integer', minimum: 1 },
    },
  };
  const error = new ApiError(code, code === 'RATE_LIMIT_EXCEEDED' ? { retryAfterSeconds: 30 } : {});
  return {
    description: ERRORS[code].message,
    ...(code === 'RATE_LIMIT_EXCEEDED' ? { headers: retryAfter } : {}),
    content: jsonContent({ $ref: '#/components/schemas/Error' }, errorBody(error)),
  };
}
