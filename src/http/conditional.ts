import { hash } from 'node:crypto';
import type { Call, Reply } from './call.ts';

/** A strong entity tag of a body. */
export function etagOf(body: string | Uint8Array): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
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
