import { ERRORS, type ErrorCode } from '../domain/errors.ts';
import { HEADERS, headers } from './openapi-headers.ts';
import { type Json, jsonContent, textContent } from './openapi-parts.ts';

const required = (name: 'Allow' | 'Retry-After') => ({
  [name]: { ...HEADERS[name], required: true },
});

/** Error codes named by some path, with their own header fields; any other HTTP-level fault has the same body. */
const DOCUMENTED_ERRORS = {
  BAD_REQUEST: {},
  INVALID_PRODUCT_ID: {},
  INVALID_MERCHANT_ID: {},
  HOST_NOT_ALLOWED: {},
  NOT_FOUND: headers('Vary'),
  METHOD_NOT_ALLOWED: required('Allow'),
  GONE: headers('Vary'),
  PAYLOAD_TOO_LARGE: {},
  RANGE_NOT_SATISFIABLE: headers('Content-Range'),
  UNSUPPORTED_MEDIA_TYPE: {},
  RATE_LIMIT_EXCEEDED: { ...required('Retry-After'), ...headers('RateLimit', 'RateLimit-Policy') },
  INTERNAL_ERROR: headers('Retry-After'),
} satisfies Partial<Record<ErrorCode, Json>>;

type DocumentedError = keyof typeof DOCUMENTED_ERRORS;

/** Maps each documented error code. */
export function eachError(make: (code: DocumentedError) => Json): Json {
  const codes = Object.keys(DOCUMENTED_ERRORS) as DocumentedError[];
  return Object.fromEntries(codes.map((code) => [code, make(code)]));
}

/** Header fields of a published file. */
export const FILE_HEADERS = headers(
  'ETag',
  'Last-Modified',
  'Vary',
  'CDN-Cache-Control',
  'Content-Usage',
);

/** Header fields of a statistics answer. */
export const STATISTICS_HEADERS = headers('ETag', 'Age', 'CDN-Cache-Control', 'Vary');

const FILES = {
  Page: ['The page', 'text/html'],
  Markdown: ['The page as markdown', 'text/markdown'],
  Text: ['The text', 'text/plain'],
  Script: ['The script', 'text/javascript'],
  Xml: ['The XML document', 'application/xml'],
} as const;

/** A published text file, by kind. */
export type FileAnswer = keyof typeof FILES;

/** Returns responses shared by operations, as components. */
export function responseComponents(): Json {
  return {
    ...Object.fromEntries(
      Object.entries(FILES).map(([name, [description, type]]) => [
        name,
        { description, headers: FILE_HEADERS, content: textContent(type) },
      ]),
    ),
    Part: partResponse(FILE_HEADERS),
    NotModified: notModifiedResponse(FILE_HEADERS),
    StatisticsNotModified: notModifiedResponse(STATISTICS_HEADERS),
    Preflight: {
      description: 'No content; the header fields list what is allowed',
      headers: headers(
        'Allow',
        'Access-Control-Allow-Methods',
        'Access-Control-Allow-Headers',
        'Access-Control-Max-Age',
      ),
    },
    ...eachError(errorResponse),
  };
}

/** Returns the 206 response to a Range request. */
export function partResponse(fields: Json): Json {
  return {
    description: 'The requested range, uncompressed',
    headers: { ...fields, ...headers('Content-Range') },
    content: textContent('*/*'),
  };
}

/** Returns the 304 response to a conditional request. */
export function notModifiedResponse(fields: Json): Json {
  return { description: 'The content still has the entity tag in If-None-Match', headers: fields };
}

function errorResponse(code: DocumentedError): Json {
  // A page if HTML is accepted.
  const page = code === 'NOT_FOUND' || code === 'GONE' ? textContent('text/html') : {};
  return {
    description: ERRORS[code].message,
    headers: { ...headers(), ...DOCUMENTED_ERRORS[code] },
    content: { ...jsonContent('Error', [code]), ...page },
  };
}
