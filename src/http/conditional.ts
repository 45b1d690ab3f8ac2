import { hash } from 'node:crypto';
import type { Call, Reply } from './call.ts';
import { COMPRESS_FROM_BYTES } from './encoding.ts';

/**
 * Returns the entity tag of a body. It is weak when the body is long enough to be compressed, so that one 304
 * revalidates any encoding that a cache holds (RFC 9111, 4.3.4).
 */
export function etagOf(body: string | Uint8Array): string {
  const tag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
  return body.length < COMPRESS_FROM_BYTES ? tag : `W/${tag}`;
}

/** Tells whether If-None-Match matches the tag (RFC 9110, 13.1.2: weak comparison). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

/**
 * Adds an entity tag to a 200 answer (`known` if computed already), or turns it into 304 if it matches
 * If-None-Match.
 */
export function withEtag(call: Call, reply: Reply, known?: string): Reply {
  if (reply.status !== 200 || reply.body === null) return reply;
  const etag = known ?? etagOf(reply.body);
  const headers = { ...reply.headers, etag };
  if (!matchesEtag(call.header('if-none-match'), etag)) return { ...reply, headers };
  const { 'content-type': _, ...kept } = headers as Record<string, string>;
  return { status: 304, headers: kept, body: null };
}

/** A byte range with inclusive ends. */
export type ByteRange = { start: number; end: number };

/**
 * Parses a Range field (RFC 9110, 14.1.2) for a representation of `size` bytes. Null means send everything: no
 * valid byte range, or several, for which a multipart answer is not worth it.
 */
export function readRange(
  field: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(field?.trim() ?? '');
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Tells whether a Range field applies: without If-Range, or if it names this very representation. */
export function matchesIfRange(
  ifRange: string | undefined,
  etag: string,
  lastModified: string,
): boolean {
  return ifRange === undefined || ifRange === etag || ifRange === lastModified;
}
