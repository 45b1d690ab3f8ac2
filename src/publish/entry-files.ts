import { createHash, hash } from 'node:crypto';
import { closeSync, futimesSync, linkSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { entryLine, fileOf, type Known, type ReleaseEntry, resourceOf } from './release-index.ts';

/** Bodies that fit one packet gain nothing from compression. */
const COMPRESS_FROM_BYTES = 1400;
const GZIP_LEVEL = 6;

/** The suffix of compressed files. */
export const GZIP_SUFFIX = '.gz';
const COMPRESSIBLE = /^text\/|json|xml|yaml|svg/;

/** The folder of a layer's files, and the mtime in seconds of new or changed ones. */
export type Output = { folder: string; now: number };

/** Folders known to exist: an mkdir per file would cost a tenth of writing it. */
const made = new Set<string>();

function makeFolderOf(file: string): void {
  const folder = dirname(file);
  if (made.has(folder)) return;
  mkdirSync(folder, { recursive: true });
  made.add(folder);
}

/** Content to be published; `source` is null for documents rendered at every publish. */
export type Content = { path: string; body: Buffer; type: string; source: string | null };

/**
 * Writes a resource and its compressed form, and returns its index line. Unchanged content keeps its mtime. Entity
 * tags are made of size and mtime; the two forms differ in size, so their tags differ.
 */
export function writeEntry(output: Output, content: Content, old: Known | null): string {
  const { path, body, type, source } = content;
  const contentHash = digest([body]);
  const before = resourceOf(old);
  const modified = before?.hash === contentHash ? before.modified : output.now;
  const target = join(output.folder, fileOf(path, type));
  makeFolderOf(target);
  writeFile(target, body, modified);
  const gzip = COMPRESSIBLE.test(type) ? compress(body) : null;
  if (gzip !== null) writeFile(target + GZIP_SUFFIX, gzip, modified);
  const sizes = { size: body.length, gzipSize: gzip?.length ?? null };
  return entryLine(path, { type, ...sizes, hash: contentHash, source, modified });
}

/**
 * Gzips a body; null if that makes it no smaller. Brotli as well would cost 200 us per page of 11 KB against gzip's
 * 100, and one more file, for 3,265 bytes instead of 3,501.
 */
export function compress(body: Buffer): Buffer | null {
  if (body.length < COMPRESS_FROM_BYTES) return null;
  // One chunk of exactly the needed size.
  const gzip = gzipSync(body, { level: GZIP_LEVEL, chunkSize: body.length });
  return gzip.length < body.length ? gzip : null;
}

/** Hard-links a resource from another layer, and returns its index line. */
export function linkEntry(folder: string, path: string, entry: ReleaseEntry): string {
  const target = join(folder, entry.file);
  makeFolderOf(target);
  const source = join(entry.tree, entry.file);
  for (const suffix of fileSuffixes(entry)) linkSync(source + suffix, target + suffix);
  return entryLine(path, entry);
}

/** Writes a marker by which a static server sees that a page of a lower layer is withdrawn. */
export function markGone(folder: string, path: string): void {
  const marker = join(folder, `${path}.gone`);
  makeFolderOf(marker);
  closeSync(openSync(marker, 'w'));
}

/** Returns the suffixes of a resource's files. */
export function fileSuffixes({ gzipSize }: ReleaseEntry): string[] {
  return gzipSize === null ? [''] : ['', GZIP_SUFFIX];
}

/** Returns a content digest: the first 27 characters of SHA-256 in base64url. */
export function digest(parts: (string | Buffer)[]): string {
  if (parts.length === 1) return hash('sha256', parts[0] ?? '', 'base64url').slice(0, 27);
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest('base64url').slice(0, 27);
}

/** Uses one descriptor: a path look-up per step would cost as much as the writing. */
function writeFile(path: string, bytes: Buffer, modified: number): void {
  const file = openSync(path, 'w');
  try {
    writeSync(file, bytes);
    futimesSync(file, modified, modified);
  } finally {
    closeSync(file);
  }
}
