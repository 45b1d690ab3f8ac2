import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { entryLine, fileOf, type Layer, type ReleaseEntry } from './release-index.ts';

/** What fits one packet gains nothing by compression. */
const COMPRESS_FROM_BYTES = 1400;
const COMPRESSIBLE = /^text\/|json|xml|yaml|svg/;

/** Where a release's files of one layer go, and the second that new content carries. */
export type Shelf = { folder: string; layer: Layer; now: number };

/** Content that is to become a resource; `source` null: it is rendered every time. */
export type Content = { path: string; body: Buffer; type: string; source: string | null };

/**
 * Writes a resource with its compressed forms and returns its line of the index. Content that was
 * published before keeps its time. An encoding is kept only when it is smaller than the one before it,
 * so that entity tags made of time and size differ between encodings.
 */
export function writeEntry(shelf: Shelf, content: Content, old: ReleaseEntry | null): string {
  const { path, body, type, source } = content;
  const hash = digest([body]);
  const modified = old?.hash === hash ? old.modified : shelf.now;
  const target = join(shelf.folder, fileOf(path, type));
  mkdirSync(dirname(target), { recursive: true });
  const write = (suffix: string, bytes: Buffer) => {
    writeFileSync(target + suffix, bytes);
    utimesSync(target + suffix, modified, modified);
  };
  write('', body);
  const encodings: ReleaseEntry['encodings'] = {};
  if (body.length >= COMPRESS_FROM_BYTES && COMPRESSIBLE.test(type)) {
    const gzip = gzipSync(body, { level: 6 });
    const br = brotli(body);
    if (gzip.length < body.length) {
      encodings.gzip = gzip.length;
      write('.gz', gzip);
    }
    if (br.length < Math.min(gzip.length, body.length)) {
      encodings.br = br.length;
      write('.br', br);
    }
  }
  const { layer } = shelf;
  return entryLine(path, { layer, type, size: body.length, encodings, hash, source, modified });
}

/** Takes a resource from another release, its files linked; returns its line of the index. */
export function linkEntry(shelf: Shelf, path: string, old: ReleaseEntry, release: string): string {
  const target = join(shelf.folder, old.file);
  mkdirSync(dirname(target), { recursive: true });
  const source = join(release, old.layer, old.file);
  for (const suffix of fileSuffixes(old)) linkSync(source + suffix, target + suffix);
  return entryLine(path, { ...old, layer: shelf.layer });
}

/** The endings of a resource's files. */
export function fileSuffixes({ encodings }: ReleaseEntry): string[] {
  return [
    '',
    ...(encodings.br === undefined ? [] : ['.br']),
    ...(encodings.gzip === undefined ? [] : ['.gz']),
  ];
}

/** A digest that tells contents apart. */
export function digest(parts: (string | Buffer)[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest('base64url').slice(0, 27);
}

function brotli(body: Buffer): Buffer {
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
