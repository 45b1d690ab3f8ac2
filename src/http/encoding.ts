import { type BrotliOptions, brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Call, Reply } from './call.ts';

/** Shorter bodies fit one packet together with their header fields: they go out as they are. */
export const COMPRESS_FROM_BYTES = 1024;

/** Reads an Accept-Encoding field: the answer tells whether a coding is accepted (RFC 9110, 12.5.3). */
export function acceptedEncodings(acceptEncoding: string | undefined): (name: string) => boolean {
  const accepted = new Map(
    (acceptEncoding ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((text) => /^\s*q=([0-9.]+)$/.exec(text)?.[1]).find(Boolean);
      return [name.trim(), quality === undefined ? 1 : Number(quality)] as const;
    }),
  );
  return (name) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0;
}

/**
 * Compresses a long answer as its caller accepts it; `Vary` says so either way. At once rather than in the
 * thread pool: the list of tools, 21 KB, takes 93 us of the processor so and 163 there, and of 8 at a time
 * half wait 43 us and 558, one in a hundred 3 ms and 14 (two cores under load; tests/bench/encoding.ts).
 * No answer holds a secret that its length could tell.
 */
export function encodeReply(call: Call, reply: Reply): Reply {
  const { body, headers } = reply;
  if (body === null || body.length < COMPRESS_FROM_BYTES) return reply;
  const vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
  const accepts = acceptedEncodings(call.header('accept-encoding'));
  const name = accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : null;
  if (name === null) return { ...reply, headers: { ...headers, vary } };
  return {
    ...reply,
    headers: { ...headers, vary, 'content-encoding': name },
    body: name === 'br' ? brotliCompressSync(body, brotliOptions(body)) : gzip(body),
  };
}

/**
 * The cheapest that compresses well. Of a page of search, the tools and the showcase, 5 to 21 KB, quality
 * 1 leaves 27, 15 and 24 % in 26, 43 and 66 us, gzip's level 3 leaves 26, 14 and 22 % in 45, 52 and 75;
 * quality 4, which is worth it once for a file, takes three times as long for a fifth fewer bytes.
 */
export function brotliOptions({ length }: string | Uint8Array): BrotliOptions {
  return {
    chunkSize: length,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
      // A window as small as the content: making room for a large one takes longer than filling it.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, 32 - Math.clz32(length)),
    },
  };
}

function gzip(body: string | Uint8Array): Buffer {
  return gzipSync(body, { level: 3, chunkSize: body.length });
}
