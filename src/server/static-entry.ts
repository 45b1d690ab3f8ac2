import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { PAGE_CACHE_SECONDS, PAGE_CDN_CACHE, PAGE_HEADERS } from '../domain/surface.ts';
import { CONTENT_USAGE } from '../domain/usage.ts';
import { CORS_HEADERS, faultReply } from '../http/call.ts';
import { matchesEtag, matchesIfRange, readRange } from '../http/conditional.ts';
import { acceptedEncodings } from '../http/encoding.ts';
import { GZIP_SUFFIX } from '../publish/entry-files.ts';
import type { ReleaseEntry } from '../publish/release-index.ts';
import { CACHED_FILE_BYTES, entryFile, type FileCache } from './file-cache.ts';
import { sendReply } from './send.ts';

const PAGE_CACHE = `public, max-age=${PAGE_CACHE_SECONDS}, stale-while-revalidate=3600`;
/** Asset names contain a hash of their content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';
const API_CATALOG = '/.well-known/api-catalog';

/** A resource of a release, and its path. */
export type Resource = { files: FileCache; path: string; entry: ReleaseEntry };

/** Answers GET and HEAD for a resource with the same header fields as scripts/deploy/nginx.conf. */
export async function sendEntry(
  { files, path, entry }: Resource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const encoding = chooseEncoding(entry, request.headers['accept-encoding']);
  const lastModified = new Date(entry.modified * 1000).toUTCString();
  const etag = etagOf(entry.modified, encoding.size);
  const headers: Record<string, string | number> = {
    ...(path.startsWith('/_astro/')
      ? { 'cache-control': ASSET_CACHE }
      : { 'cache-control': PAGE_CACHE, 'cdn-cache-control': PAGE_CDN_CACHE }),
    etag,
    'last-modified': lastModified,
    vary: 'Accept-Encoding',
    'content-usage': CONTENT_USAGE,
    'x-content-type-options': 'nosniff',
    ...CORS_HEADERS,
    // RFC 9727, section 2: HEAD returns this link relation.
    ...(path === API_CATALOG ? { link: `<${API_CATALOG}>; rel="api-catalog"` } : {}),
  };
  if (isFresh(request, etag, entry.modified)) {
    response.writeHead(304, headers).end();
    return;
  }
  const ifRange = request.headers['if-range'] as string | undefined;
  // Like nginx: no ranges of precompressed content.
  const rangesHeeded = encoding.name === null && matchesIfRange(ifRange, etag, lastModified);
  const asked = rangesHeeded
    ? readRange(request.method === 'GET' ? request.headers.range : undefined, encoding.size)
    : null;
  if (asked === 'unsatisfiable') {
    const range = { 'content-range': `bytes */${encoding.size}` };
    return sendReply(request, response, faultReply('RANGE_NOT_SATISFIABLE', range));
  }
  const { start, end } = asked ?? { start: 0, end: encoding.size - 1 };
  Object.assign(headers, {
    'content-type': entry.type,
    'content-length': end - start + 1,
    ...(entry.type.startsWith('text/html') ? PAGE_HEADERS : {}),
    ...(encoding.name === null ? {} : { 'content-encoding': encoding.name }),
    ...(asked !== null
      ? { 'content-range': `bytes ${start}-${end}/${encoding.size}` }
      : encoding.name === null && { 'accept-ranges': 'bytes' }),
  });
  const status = asked === null ? 200 : 206;
  if (request.method === 'HEAD') {
    response.writeHead(status, headers).end();
  } else if (encoding.size <= CACHED_FILE_BYTES) {
    const content = await files.read(entry, encoding.suffix);
    response.writeHead(status, headers);
    response.end(asked === null ? content : content.subarray(start, end + 1));
  } else {
    const file = await open(entryFile(entry, encoding.suffix), 'r');
    try {
      response.writeHead(status, headers);
      await pipeline(createReadStream('', { fd: file, autoClose: false, start, end }), response);
    } finally {
      await file.close();
    }
  }
}

/**
 * Returns the entity tag that nginx gives a file. It identifies the content: changed content always has a later
 * mtime, and the two encodings differ in size.
 */
function etagOf(modified: number, size: number): string {
  return `"${modified.toString(16)}-${size.toString(16)}"`;
}

type Encoding = { name: 'gzip' | null; suffix: string; size: number };

function chooseEncoding(entry: ReleaseEntry, acceptEncoding: string | undefined): Encoding {
  const { size, gzipSize } = entry;
  return gzipSize !== null && acceptedEncodings(acceptEncoding)('gzip')
    ? { name: 'gzip', suffix: GZIP_SUFFIX, size: gzipSize }
    : { name: null, suffix: '', size };
}

/** RFC 9110, 13.2.2: If-Modified-Since counts only without If-None-Match. */
function isFresh(request: IncomingMessage, etag: string, modified: number): boolean {
  const noneMatch = request.headers['if-none-match'];
  if (noneMatch !== undefined) return matchesEtag(noneMatch, etag);
  return modified * 1000 <= Date.parse(request.headers['if-modified-since'] ?? '');
}
