import { ERRORS, type ErrorCode } from '../domain/errors.ts';
import { HEADERS, headers } from './openapi-headers.ts';
import { type Json, jsonContent, textContent } from './openapi-parts.ts';

const required = (name: 'Allow' | 'Retry-After') => ({
  [name]: { ...HEADERS[name], required: true },
});

/**
 * The error codes that some path names, with the header fields that only they have; any other HTTP-level
 * fault has the same body.
 */
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

/** What is made of each documented error code, by the code. */
export function eachError(make: (code: DocumentedError) => Json): Json {
  const codes = Object.keys(DOCUMENTED_ERRORS) as DocumentedError[];
  return Object.fromEntries(codes.map((code) => [code, make(code)]));
}

/** The header fields of a published file. */
export const FILE_HEADERS = headers(
  'ETag',
  'Last-Modified',
  'Vary',
  'CDN-Cache-Control',
  'Content-Usage',
);

/** The header fields of a statistics answer. */
export const STATISTICS_HEADERS = headers('ETag', 'Age', 'CDN-Cache-Control', 'Vary');

const FILES = {
  Page: ['The page', 'text/html'],
  Markdown: ['The page as markdown', 'text/markdown'],
  Text: ['The text', 'text/plain'],
  Script: ['The script', 'text/javascript'],
  Xml: ['The XML document', 'application/xml'],
} as const;

/** A published file whose content is text of a usual type. */
export type FileAnswer = keyof typeof FILES;

/** The answers that more than one operation gives, as components. */
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
      description: 'No content; the header fields tell what is allowed',
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

/** 206: the part of a file that a request with Range asks for. */
export function partResponse(fields: Json): Json {
  return {
    description: 'The part of it that Range asks for, uncompressed',
    headers: { ...fields, ...headers('Content-Range') },
    content: textContent('*/*'),
  };
}

/** 304, the answer to a conditional request when nothing has changed. */
export function notModifiedResponse(fields: Json): Json {
  return { description: 'The content that If-None-Match names is current', headers: fields };
}

function errorResponse(code: DocumentedError): Json {
  // People who ask for HTML get a page.
  const page = code === 'NOT_FOUND' || code === 'GONE' ? textContent('text/html') : {};
  return {
    description: ERRORS[code].message,
    headers: { ...headers(), ...DOCUMENTED_ERRORS[code] },
    content: { ...jsonContent('Error', [code]), ...page },
  };
}
