import { hash } from 'node:crypto';
import type { Call, Reply } from './call.ts';
import { COMPRESS_FROM_BYTES } from './encoding.ts';

/**
 * An entity tag of a body: weak when the body is long enough to go out in several encodings, so that 304
 * renews whichever of them a cache holds (RFC 9111, 4.3.4).
 */
export function etagOf(body: string | Uint8Array): string {
  const tag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
  return body.length < COMPRESS_FROM_BYTES ? tag : `W/${tag}`;
}

/** True when an If-None-Match field names the tag (RFC 9110, 13.1.2: weak comparison). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

/**
 * Gives a 200 answer its entity tag (`known` when it was computed before), or turns it into 304 when the
 * caller has that content already.
 */
export function withEtag(call: Call, reply: Reply, known?: string): Reply {
  if (reply.status !== 200 || reply.body === null) return reply;
  const etag = known ?? etagOf(reply.body);
  const headers = { ...reply.headers, etag };
  if (!matchesEtag(call.header('if-none-match'), etag)) return { ...reply, headers };
  const { 'content-type': _, ...kept } = headers as Record<string, string>;
  return { status: 304, headers: kept, body: null };
}
