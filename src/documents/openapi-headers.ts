import { STATS_CDN_CACHE } from '../domain/surface.ts';
import { CONTENT_USAGE } from '../domain/usage.ts';
import { type Json, ref } from './openapi-parts.ts';

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Response header fields, as components. */
export const HEADERS = {
  'Access-Control-Allow-Origin': {
    ...text('Pages of any origin may read the answer, without credentials', '*'),
    required: true,
  },
  'Access-Control-Allow-Methods': {
    ...text('Methods that a page of another origin may use', 'GET, OPTIONS'),
    required: true,
  },
  'Access-Control-Allow-Headers': {
    ...text('Request header fields that such a page may send', 'Accept, Content-Type'),
    required: true,
  },
  'Access-Control-Max-Age': {
    description: 'Seconds that a browser may cache this answer',
    schema: { type: 'integer', minimum: 0 },
    required: true,
    example: 86400,
  },
  'Cache-Control': {
    ...text('How long any cache may keep the answer', 'public, max-age=30'),
    required: true,
  },
  'CDN-Cache-Control': text('The same, for CDNs only (RFC 9213)', STATS_CDN_CACHE),
  'Content-Usage': text(
    'What the content may be used for (draft-ietf-aipref-attach)',
    CONTENT_USAGE,
  ),
  'Access-Control-Expose-Headers': {
    ...text(
      'Header fields that a script may read',
      'Retry-After, RateLimit, RateLimit-Policy, ETag',
    ),
    required: true,
  },
  'Content-Range': text('The byte range returned', 'bytes 0-99/1088'),
  Link: text('Related documents', '</.well-known/api-catalog>; rel="api-catalog"'),
  ETag: text('Entity tag, for If-None-Match', '"abc"'),
  Age: {
    description: 'Seconds that the service has cached the answer; absent if it is new',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  Vary: text('Request header fields that the answer depends on', 'Accept'),
  Allow: text('Allowed methods', 'GET, OPTIONS'),
  'Last-Modified': text('When the content last changed', 'Sat, 21 Nov 2026 12:00:00 GMT'),
  RateLimit: text(
    'What is left of the quota, and the seconds until it is full again',
    '"catalog-records";r=38;t=41',
  ),
  'RateLimit-Policy': text('The quota and its window in seconds', '"catalog-records";q=40;w=60'),
  'Retry-After': {
    description: 'Seconds to wait before the next request',
    schema: { type: 'integer', minimum: 1 },
    example: 30,
  },
};

const ON_EVERY_ANSWER = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cache-Control',
] as const;

/** Returns the named header fields and those of every answer. */
export function headers(...names: (keyof typeof HEADERS)[]): Json {
  return Object.fromEntries(
    [...ON_EVERY_ANSWER, ...names].map((name) => [name, ref('headers', name)]),
  );
}
