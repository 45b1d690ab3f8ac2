import type { IncomingMessage } from 'node:http';
import { ApiError } from '../domain/errors.ts';
import { ClientGone } from '../http/call.ts';

/** A request target, split at its first question mark. */
export type Target = { path: string; query: string };

/** Splits a request target; null if invalid. In the absolute form (RFC 9112, 3.2.2) the host is ignored. */
export function readTarget(url: string): Target | null {
  const origin = url.startsWith('/')
    ? url
    : (/^https?:\/\/[^/?#]+(\/.*)?$/i.exec(url)?.[1] ?? null);
  if (origin === null) return null;
  const mark = origin.indexOf('?');
  return mark < 0
    ? { path: origin, query: '' }
    : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

/** Checks for exactly one Host field in HTTP/1.1, at most one in HTTP/1.0 (RFC 9112, 3.2). */
export function hasValidHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** Reads a body; throws PAYLOAD_TOO_LARGE once it exceeds the limit, and ClientGone if the connection ends first. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > limitBytes) throw new ApiError('PAYLOAD_TOO_LARGE');
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    // A request stream fails for no other reason: aborted, or closed early.
    throw error instanceof ApiError ? error : new ClientGone('body incomplete', { cause: error });
  }
  return Buffer.concat(chunks);
}

/** Throws PAYLOAD_TOO_LARGE if the declared length of the body exceeds the limit. */
export function checkDeclaredLength(request: IncomingMessage, limitBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
    throw new ApiError('PAYLOAD_TOO_LARGE');
  }
}
