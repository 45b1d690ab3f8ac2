import type { IncomingMessage, ServerResponse } from 'node:http';
import { isShell } from '../domain/resources.ts';
import { PAGE_CACHE_SECONDS, PAGE_HEADERS } from '../domain/surface.ts';
import {
  faultReply,
  methodNotAllowed,
  optionsReply,
  type Reply,
  redirectReply,
} from '../http/call.ts';
import { acceptedEncodings } from '../http/encoding.ts';
import { GZIP_SUFFIX } from '../publish/entry-files.ts';
import { currentReleaseId, openCurrentRelease, type Release } from '../publish/release.ts';
import { type Known, type ReleaseEntry, resourceOf } from '../publish/release-index.ts';
import { FileCache } from './file-cache.ts';
import type { Target } from './request.ts';
import { sendReply } from './send.ts';
import { sendEntry } from './static-entry.ts';

/** Methods allowed on resources of a release. */
export const STATIC_METHODS = 'GET, HEAD, OPTIONS';
const REQUEST_HEADERS = 'Accept, If-None-Match, If-Modified-Since, Range, If-Range';

const SWITCH_CHECK_MS = 500;

/** The static half: the files of the current release. */
export type StaticSite = {
  release(): Release | null;
  /** Returns the text of a page of the current release, shells without a public URL included. */
  read(path: string): Promise<string | null>;
  serve(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): void;
};

/** Opens the current release and follows its switches by swapping one reference atomically. */
export function openStaticSite(root: string, logFailure: (error: unknown) => void): StaticSite {
  let opened = openCurrentRelease(root);
  // Kept across switches: releases share layers.
  const files = new FileCache();
  const timer = setInterval(() => {
    const id = currentReleaseId(root);
    if (id === null || id === opened?.manifest.id) return;
    try {
      opened = openCurrentRelease(root, opened) ?? opened;
    } catch (error) {
      // Go on serving the previous release.
      logFailure(error);
    }
  }, SWITCH_CHECK_MS);
  timer.unref();

  return {
    release: () => opened,
    async read(path) {
      const entry = resourceOf(opened?.index.find(path) ?? null);
      return entry === null ? null : (await files.read(entry, '')).toString();
    },
    close: () => clearInterval(timer),
    async serve(target, request, response) {
      const { path } = target;
      if (opened === null) return sendReply(request, response, faultReply('NOT_FOUND'));
      const found = findEntry(opened, path);
      if (found === null && isSlashed(opened, path)) {
        return sendReply(request, response, withoutSlash(target));
      }
      if (found === null || found === 'gone') {
        const status = found === null ? 404 : 410;
        const page = resourceOf(opened.index.find(`/${status}`));
        if (page === null || !wantsPage(request)) {
          return sendMissing(status, null, request, response);
        }
        const gzip = acceptsGzip(page, request);
        const body = await files.read(page, gzip ? GZIP_SUFFIX : '');
        return sendMissing(status, { body, gzip }, request, response);
      }
      if (request.method === 'OPTIONS') {
        return sendReply(request, response, optionsReply(STATIC_METHODS, REQUEST_HEADERS));
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return sendReply(request, response, methodNotAllowed(STATIC_METHODS));
      }
      return sendEntry({ files, path, entry: found }, request, response);
    },
  };
}

function findEntry({ index }: Release, path: string): Known | null {
  return isShell(path) ? null : index.find(path);
}

/** True for the path of a resource plus a trailing slash; `/` itself is the home page. */
function isSlashed(release: Release, path: string): boolean {
  if (!path.endsWith('/') || path === '//') return false;
  return resourceOf(findEntry(release, path.slice(0, -1))) !== null;
}

/** Redirects (308) to the path without its trailing slash; being in the release, it cannot be `//host`. */
function withoutSlash({ path, query }: Target): Reply {
  const location = path.slice(0, -1) + (query === '' ? '' : `?${query}`);
  return redirectReply(location, PAGE_CACHE_SECONDS);
}

const acceptsGzip = ({ gzipSize }: ReleaseEntry, { headers }: IncomingMessage) =>
  gzipSize !== null && acceptedEncodings(headers['accept-encoding'] as string)('gzip');

const wantsPage = ({ headers }: IncomingMessage) => /text\/html/i.test(headers.accept ?? '');

/** Answers 404 or 410 with a page if HTML is accepted, else with the four-field JSON body. */
function sendMissing(
  status: 404 | 410,
  page: { body: Buffer; gzip: boolean } | null,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const reply = faultReply(status === 410 ? 'GONE' : 'NOT_FOUND', {
    vary: 'Accept, Accept-Encoding',
  });
  const fields = {
    'content-type': 'text/html; charset=utf-8',
    ...PAGE_HEADERS,
    ...(page?.gzip ? { 'content-encoding': 'gzip' } : {}),
  };
  const shown = { ...reply, headers: { ...reply.headers, ...fields }, body: page?.body ?? '' };
  sendReply(request, response, page === null ? reply : shown);
}
