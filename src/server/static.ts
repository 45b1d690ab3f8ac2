import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_ADDRESSES, PAGE_CACHE_SECONDS, PAGE_POLICY } from '../domain/surface.ts';
import {
  faultReply,
  methodNotAllowed,
  optionsReply,
  type Reply,
  redirectReply,
} from '../http/call.ts';
import { currentReleaseId, openCurrentRelease, type Release } from '../publish/release.ts';
import { parseLine, type ReleaseEntry } from '../publish/release-index.ts';
import { FileCache } from './file-cache.ts';
import type { Target } from './request.ts';
import { sendReply } from './send.ts';
import { sendEntry } from './static-entry.ts';

/** The methods of what lies in a release. */
export const STATIC_METHODS = 'GET, HEAD, OPTIONS';
const REQUEST_HEADERS = 'Accept, If-None-Match, If-Modified-Since, Range, If-Range';

const SWITCH_CHECK_MS = 500;

/** The static half: the files of the current release. */
export type StaticSite = {
  release(): Release | null;
  /** The text of a page of the current release, whether it has an address or not. */
  read(path: string): Promise<string | null>;
  serve(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): void;
};

/** A release with what was read of it: both are swapped at once. */
type Opened = { release: Release; files: FileCache };

/** Opens the current release and follows its switches; one reference is swapped, whole. */
export function openStaticSite(root: string, logFailure: (error: unknown) => void): StaticSite {
  let opened = open(root);
  const timer = setInterval(() => {
    const id = currentReleaseId(root);
    if (id === null || id === opened?.release.manifest.id) return;
    try {
      opened = open(root);
    } catch (error) {
      // The release at hand stays: better an old page than none.
      logFailure(error);
    }
  }, SWITCH_CHECK_MS);
  timer.unref();

  return {
    release: () => opened?.release ?? null,
    async read(path) {
      const line = opened?.release.index.find(path);
      const entry = line ? parseLine(line) : null;
      if (opened === null || entry === null) return null;
      return (await opened.files.read(opened.release, entry, '')).toString();
    },
    close: () => clearInterval(timer),
    async serve(target, request, response) {
      const { path } = target;
      if (opened === null) return sendReply(request, response, faultReply('NOT_FOUND'));
      const found = findEntry(opened.release, path);
      if (found === 'missing' && isSlashed(opened.release, path)) {
        return sendReply(request, response, withoutSlash(target));
      }
      if (found === 'missing') return sendMissing(opened, 404, request, response);
      if (found === 'gone') return sendMissing(opened, 410, request, response);
      if (request.method === 'OPTIONS') {
        return sendReply(request, response, optionsReply(STATIC_METHODS, REQUEST_HEADERS));
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return sendReply(request, response, methodNotAllowed(STATIC_METHODS));
      }
      return sendEntry({ ...opened, path, entry: found }, request, response);
    },
  };
}

function open(root: string): Opened | null {
  const release = openCurrentRelease(root);
  return release === null ? null : { release, files: new FileCache() };
}

function findEntry({ index }: Release, path: string): ReleaseEntry | 'gone' | 'missing' {
  const line = NO_ADDRESSES.includes(path) ? null : index.find(path);
  return line === null ? 'missing' : (parseLine(line) ?? 'gone');
}

/** True for the path of a resource with a slash behind it; that of the home page ends with its own. */
function isSlashed(release: Release, path: string): boolean {
  if (!path.endsWith('/') || path === '//') return false;
  const entry = findEntry(release, path.slice(0, -1));
  return entry !== 'missing' && entry !== 'gone';
}

/** 308 to the same path without its last slash. The path is in the release, so that it names no host. */
function withoutSlash({ path, query }: Target): Reply {
  const location = path.slice(0, -1) + (query === '' ? '' : `?${query}`);
  return redirectReply(location, PAGE_CACHE_SECONDS);
}

/** 404 or 410: the page for people, the four-field body for everybody else. */
async function sendMissing(
  { release, files }: Opened,
  status: 404 | 410,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reply = faultReply(status === 410 ? 'GONE' : 'NOT_FOUND', { vary: 'Accept' });
  const line = release.index.find(`/${status}`);
  const page = line === null ? null : parseLine(line);
  const wantsPage = /text\/html/i.test(request.headers.accept ?? '');
  if (page === null || !wantsPage) return sendReply(request, response, reply);
  const body = await files.read(release, page, '');
  sendReply(request, response, {
    ...reply,
    headers: {
      ...reply.headers,
      'content-type': page.type,
      'content-security-policy': PAGE_POLICY,
    },
    body,
  });
}
