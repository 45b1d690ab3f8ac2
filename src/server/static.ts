import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PAGE_CACHE_SECONDS } from '../domain/surface.ts';
import { CORS_HEADERS, faultReply, methodNotAllowed, type Reply } from '../http/call.ts';
import { matchesEtag } from '../http/conditional.ts';
import {
  currentReleaseId,
  openCurrentRelease,
  type Release,
  type ReleaseEntry,
} from '../publish/release.ts';
import { sendReply } from './send.ts';

const PAGE_CACHE = `public, max-age=${PAGE_CACHE_SECONDS}, stale-while-revalidate=3600`;
/** Files whose names carry a hash of their content never change. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';
const SWITCH_CHECK_MS = 500;
/**
 * Pages load nothing but pictures, and run no script but files of the service itself (the counters of
 * /widgets); the data blocks in them are not scripts.
 */
const PAGE_POLICY =
  "default-src 'none'; img-src https: http: 'self'; style-src 'unsafe-inline'; script-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

/** The static half: the files of the current release. */
export type StaticSite = {
  release(): Release | null;
  serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): void;
};

/** Opens the current release and follows its switches; one reference is swapped, whole. */
export function openStaticSite(root: string, logFailure: (error: unknown) => void): StaticSite {
  let release = openCurrentRelease(root);
  let withdrawn = new Set(release?.manifest.withdrawn);
  const timer = setInterval(() => {
    const id = currentReleaseId(root);
    if (id === null || id === release?.manifest.id) return;
    try {
      release = openCurrentRelease(root);
      withdrawn = new Set(release?.manifest.withdrawn);
    } catch (error) {
      // The release at hand stays: better an old page than none.
      logFailure(error);
    }
  }, SWITCH_CHECK_MS);
  timer.unref();

  return {
    release: () => release,
    close: () => clearInterval(timer),
    async serve(path, request, response) {
      const entry = release === null ? undefined : entryOf(release, path);
      if (release !== null && entry !== undefined) {
        if (request.method !== 'GET' && request.method !== 'HEAD') {
          return sendReply(request, response, methodNotAllowed('GET, HEAD'));
        }
        return sendEntry(release, path, entry, request, response);
      }
      const status = withdrawn.has(path) ? 410 : 404;
      return sendMissing(release, status, request, response);
    },
  };
}

/** The error pages are not addresses of their own. */
function entryOf(release: Release, path: string): ReleaseEntry | undefined {
  if (path === '/404' || path === '/410') return undefined;
  return Object.hasOwn(release.manifest.entries, path) ? release.manifest.entries[path] : undefined;
}

type Encoding = { name: 'br' | 'gzip' | null; suffix: string; size: number };

function chooseEncoding(entry: ReleaseEntry, acceptEncoding: string | undefined): Encoding {
  const accepted = new Map(
    (acceptEncoding ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((text) => /^\s*q=([0-9.]+)$/.exec(text)?.[1]).find(Boolean);
      return [name.trim(), quality === undefined ? 1 : Number(quality)] as const;
    }),
  );
  const accepts = (name: string) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0;
  const { br, gzip } = entry.encodings;
  if (br !== undefined && accepts('br')) return { name: 'br', suffix: '.br', size: br };
  if (gzip !== undefined && accepts('gzip')) return { name: 'gzip', suffix: '.gz', size: gzip };
  return { name: null, suffix: '', size: entry.size };
}

async function sendEntry(
  release: Release,
  path: string,
  entry: ReleaseEntry,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const encoding = chooseEncoding(entry, request.headers['accept-encoding']);
  const etag = `"${entry.hash}${encoding.name === null ? '' : `-${encoding.name}`}"`;
  const headers: Record<string, string> = {
    'cache-control': path.startsWith('/_astro/') ? ASSET_CACHE : PAGE_CACHE,
    etag,
    'last-modified': new Date(entry.modified).toUTCString(),
    vary: 'Accept-Encoding',
    ...CORS_HEADERS,
    ...(entry.type.startsWith('text/html') ? { 'content-security-policy': PAGE_POLICY } : {}),
  };
  if (isFresh(request, etag, entry)) {
    return sendReply(request, response, { status: 304, headers, body: null });
  }
  const file = await open(join(release.folder, 'site', entry.file + encoding.suffix), 'r');
  try {
    response.writeHead(200, {
      ...headers,
      'content-type': entry.type,
      'content-length': encoding.size,
      'x-content-type-options': 'nosniff',
      ...(encoding.name === null ? {} : { 'content-encoding': encoding.name }),
    });
    if (request.method === 'HEAD') response.end();
    else await pipeline(createReadStream('', { fd: file, autoClose: false }), response);
  } finally {
    await file.close();
  }
}

/** RFC 9110, 13.2.2: If-Modified-Since counts only without If-None-Match. */
function isFresh(request: IncomingMessage, etag: string, entry: ReleaseEntry): boolean {
  const noneMatch = request.headers['if-none-match'];
  if (noneMatch !== undefined) return matchesEtag(noneMatch, etag);
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return Math.floor(Date.parse(entry.modified) / 1000) * 1000 <= since;
}

/** 404 or 410: the page for people, the four-field body for everybody else. */
async function sendMissing(
  release: Release | null,
  status: 404 | 410,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reply = faultReply(status === 410 ? 'GONE' : 'NOT_FOUND', { vary: 'Accept' });
  const page = release?.manifest.entries[`/${status}`];
  const wantsPage = /text\/html/i.test(request.headers.accept ?? '');
  if (release === null || page === undefined || !wantsPage)
    return sendReply(request, response, reply);
  const file = await open(join(release.folder, 'site', page.file), 'r');
  try {
    const html: Reply = { ...reply, body: await file.readFile() };
    html.headers = { ...reply.headers, 'content-type': page.type };
    sendReply(request, response, html);
  } finally {
    await file.close();
  }
}
