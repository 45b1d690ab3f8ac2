import { closeSync, openSync, writeSync } from 'node:fs';

/** One published resource. Sizes are in bytes. */
export type ReleaseEntry = {
  /** The folder of the layer that holds the file, and the file below it. */
  tree: string;
  file: string;
  type: string;
  size: number;
  /** Size of the compressed form; null when there is none. */
  gzipSize: number | null;
  /** Hash of the content. */
  hash: string;
  /** Hash of what it was rendered from; null when it is rendered every time. */
  source: string | null;
  /** Since when the content is what it is, in whole seconds of the epoch; the file's own time. */
  modified: number;
};

/** What an index knows of a path: a resource, or that it was withdrawn (410). */
export type Known = ReleaseEntry | 'gone';

/** The resource at a path; null when there is none. */
export const resourceOf = (known: Known | null): ReleaseEntry | null =>
  known === 'gone' ? null : known;

const TAB = '\t';
const LINE_FEED = 10;
const GONE = 'gone';
/** Lines are written in pieces of about so many characters. */
const PIECE = 1 << 20;

/** The file of a resource within its tree, so that any static server finds it. */
export function fileOf(path: string, type: string): string {
  if (path === '/') return 'index.html';
  const name = path.slice(1);
  if (type.startsWith('text/html')) return `${name}.html`;
  if (type.startsWith('application/xml') && !name.endsWith('.xml')) return `${name}.xml`;
  return name;
}

/** A resource as a line of the index. */
export function entryLine(path: string, entry: Omit<ReleaseEntry, 'tree' | 'file'>): string {
  const { type, size, gzipSize, hash, source, modified } = entry;
  return [path, type, size, gzipSize ?? '', hash, source ?? '', modified].join(TAB);
}

/** The line of a path that was published once and is withdrawn. */
export function goneLine(path: string): string {
  return path + TAB + GONE;
}

/** The path that a line is about. */
export function linePath(line: string): string {
  return line.slice(0, line.indexOf(TAB));
}

/** Since when the resource of a line is what it is. */
export function lineTime(line: string): number {
  return Number(line.slice(line.lastIndexOf(TAB) + 1));
}

function parseLine(line: string, tree: string): Known {
  const [path = '', type = '', size, gzip, hash = '', source, modified] = line.split(TAB);
  if (type === GONE) return GONE;
  return {
    tree,
    file: fileOf(path, type),
    type,
    size: Number(size),
    gzipSize: gzip ? Number(gzip) : null,
    hash,
    source: source || null,
    modified: Number(modified),
  };
}

/**
 * What one layer of a release holds, a sorted line a path. It stays the bytes of its file and is searched in them:
 * with 200,000 paths opening it takes 10 ms and no garbage, where one JSON object takes half a second.
 */
export class ReleaseIndex {
  /** The folder of the files. */
  readonly tree: string;
  private readonly bytes: Buffer;
  /** Where the line behind the last one found begins: callers that ask in order need no search. */
  private next = 0;

  constructor(bytes: Buffer, tree: string) {
    this.bytes = bytes;
    this.tree = tree;
  }

  /** What it knows of a path; null when it never heard of it. */
  find(path: string): Known | null {
    const key = Buffer.from(path + TAB);
    if (this.compare(key, this.next) === 0) return this.take(this.next);
    const start = this.lowerBound(key);
    return this.compare(key, start) === 0 ? this.take(start) : null;
  }

  /** All paths that begin with a prefix, in order, with what is known of them. */
  *entries(prefix = ''): Generator<[path: string, known: Known]> {
    for (let start = this.lowerBound(Buffer.from(prefix)); start < this.bytes.length; ) {
      const end = this.bytes.indexOf(LINE_FEED, start);
      const line = this.bytes.toString('latin1', start, end);
      if (!line.startsWith(prefix)) return;
      yield [linePath(line), parseLine(line, this.tree)];
      start = end + 1;
    }
  }

  /** Where the first line begins that is, as far as a key goes, not less than the key. */
  private lowerBound(key: Buffer): number {
    let low = 0;
    let high = this.bytes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = middle === 0 ? 0 : this.bytes.lastIndexOf(LINE_FEED, middle - 1) + 1;
      if (this.compare(key, start) <= 0) high = start;
      else low = this.bytes.indexOf(LINE_FEED, middle) + 1;
    }
    return low;
  }

  private take(start: number): Known {
    const end = this.bytes.indexOf(LINE_FEED, start);
    this.next = end + 1;
    return parseLine(this.bytes.toString('latin1', start, end), this.tree);
  }

  /** Orders a key against the beginning of the line there. */
  private compare(key: Buffer, start: number): number {
    if (start >= this.bytes.length) return -1;
    return key.compare(this.bytes, start, Math.min(start + key.length, this.bytes.length));
  }
}

/** Writes an index of lines, or of sorted pieces of lines, that come in order. */
export function writeIndex(file: string, lines: Iterable<string | Buffer>): void {
  const target = openSync(file, 'w');
  let piece = '';
  const flush = () => {
    if (piece !== '') writeSync(target, Buffer.from(piece, 'latin1'));
    piece = '';
  };
  try {
    for (const line of lines) {
      if (typeof line === 'string') {
        piece += `${line}\n`;
        if (piece.length >= PIECE) flush();
      } else {
        flush();
        writeSync(target, line);
      }
    }
    flush();
  } finally {
    closeSync(target);
  }
}
