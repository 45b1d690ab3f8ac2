import { ApiError, ERRORS, type ErrorCode, errorBody } from '../domain/errors.ts';
import { STATS_CDN_CACHE } from '../domain/surface.ts';

/** A part of the description: JSON of any shape. */
export type Json = { [key: string]: unknown };

/** A reference to a component. */
export function ref(kind: 'schemas' | 'headers' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The header fields of an answer: those of these names, and those that every answer has. */
export function headers(...names: (keyof typeof HEADERS)[]): Json {
  return Object.fromEntries(
    [...ON_EVERY_ANSWER, ...names].map((name) => [name, ref('headers', name)]),
  );
}

/** JSON content with its schema and an example. */
export function jsonContent(schema: Json, example?: unknown, type = 'application/json'): Json {
  return { [type]: { schema, ...(example === undefined ? {} : { example }) } };
}

/** The documented answers of error codes, by status. */
export function errorResponses(...codes: ErrorCode[]): Json {
  return Object.fromEntries(codes.map((code) => [ERRORS[code].status, ref('responses', code)]));
}

/** A parameter in the path, described and with an example. */
export function pathParameter(
  name: string,
  description: string,
  schema: Json,
  example: number,
): Json {
  return { name, in: 'path', required: true, description, schema, example };
}

/** The request header field of a conditional request. */
export const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The entity tag that the client has: answered with 304 while it is current',
  schema: { type: 'string' },
  example: '"abc"',
};

/** 304, the answer to a conditional request when nothing has changed. */
export function notModified(fields: Json): Json {
  return {
    304: { description: 'The content that If-None-Match names is current', headers: fields },
  };
}

/** OPTIONS of an operation: the allowed methods and the preflight of cross-origin requests. */
export function optionsOperation(id: string, tag: string, more: Json = {}): Json {
  return {
    operationId: `${id}Options`,
    tags: [tag],
    summary: 'Allowed methods, and the preflight of cross-origin requests',
    ...more,
    responses: {
      204: {
        description: 'No content; the header fields tell what is allowed',
        headers: headers(
          'Allow',
          'Access-Control-Allow-Methods',
          'Access-Control-Allow-Headers',
          'Access-Control-Max-Age',
        ),
      },
      ...errorResponses('BAD_REQUEST'),
    },
  };
}

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

const HEADERS = {
  'Access-Control-Allow-Origin': {
    ...text('Anybody’s page may read the answer, without credentials', '*'),
    required: true,
  },
  'Access-Control-Allow-Methods': {
    ...text('The methods that a page of another origin may use', 'GET, OPTIONS'),
    required: true,
  },
  'Access-Control-Allow-Headers': {
    ...text('The request header fields that such a page may send', 'Accept, Content-Type'),
    required: true,
  },
  'Access-Control-Max-Age': {
    description: 'Seconds for which a browser may remember this answer',
    schema: { type: 'integer', minimum: 0 },
    required: true,
    example: 86400,
  },
  'Cache-Control': {
    ...text('How long any cache may keep the answer', 'public, max-age=30'),
    required: true,
  },
  'CDN-Cache-Control': text('The same for a CDN alone (RFC 9213)', STATS_CDN_CACHE),
  'Access-Control-Expose-Headers': {
    ...text(
      'The header fields that a script may read',
      'Retry-After, RateLimit, RateLimit-Policy, ETag',
    ),
    required: true,
  },
  'Content-Range': text('Which part of the content this is', 'bytes 0-99/1088'),
  Link: text('Related documents', '</.well-known/api-catalog>; rel="api-catalog"'),
  ETag: text('Entity tag, for If-None-Match', '"abc"'),
  Age: {
    description: 'Seconds since a cache of the service made the answer; absent when it is new',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  Vary: text('The request header fields that the answer depends on', 'Accept'),
  Allow: text('The methods that are allowed', 'GET, OPTIONS'),
  'Last-Modified': text('Since when the content is what it is', 'Sat, 21 Nov 2026 12:00:00 GMT'),
  RateLimit: text(
    'What is left of the quota, and the seconds until it is whole again',
    '"catalog-records";r=38;t=41',
  ),
  'RateLimit-Policy': text('The quota and its window in seconds', '"catalog-records";q=40;w=60'),
  'Retry-After': {
    description: 'Seconds until another request may be tried',
    schema: { type: 'integer', minimum: 1 },
    example: 30,
  },
};

const ON_EVERY_ANSWER = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cache-Control',
] as const;

/** The response headers as components. */
export function headerComponents(): Json {
  return HEADERS;
}

/** The documented answer of each error code, as components. */
export function errorComponents(codes: ErrorCode[]): Json {
  return Object.fromEntries(codes.map((code) => [code, errorComponent(code)]));
}

function errorComponent(code: ErrorCode): Json {
  const limited = code === 'RATE_LIMIT_EXCEEDED';
  const error = new ApiError(code, limited ? { retryAfterSeconds: 30 } : {});
  const retryAfter = { ...HEADERS['Retry-After'], required: true };
  const fields: Json = headers();
  if (limited) {
    fields['Retry-After'] = retryAfter;
    Object.assign(fields, headers('RateLimit', 'RateLimit-Policy'));
  } else if (ERRORS[code].status === 500) Object.assign(fields, headers('Retry-After'));
  else if (code === 'METHOD_NOT_ALLOWED') {
    fields.Allow = { ...HEADERS.Allow, required: true };
  } else if (code === 'RANGE_NOT_SATISFIABLE') Object.assign(fields, headers('Content-Range'));
  else if (hasPage(code)) Object.assign(fields, headers('Vary'));
  return {
    description: ERRORS[code].message,
    headers: fields,
    content: {
      ...jsonContent(ref('schemas', 'Error'), errorBody(error)),
      // People who ask for HTML get a page.
      ...(hasPage(code) ? { 'text/html': { schema: { type: 'string' } } } : {}),
    },
  };
}

const hasPage = (code: ErrorCode) => code === 'NOT_FOUND' || code === 'GONE';
