import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** A published resource. Sizes are in bytes. */
export type ReleaseEntry = {
  /** The folder of the layer's files, and the file's path within it. */
  tree: string;
  file: string;
  type: string;
  size: number;
  /** null without a compressed form. */
  gzipSize: number | null;
  /** Digest of the content. */
  hash: string;
  /** Digest of the model it was rendered from; null if it is rendered at every publish. */
  source: string | null;
  /** The file's mtime in whole seconds; advances only when the content changes. */
  modified: number;
};

/** An index entry: a resource, or 'gone' for a withdrawn one (410). */
export type Known = ReleaseEntry | 'gone';

/** Returns the resource of an entry; null without one. */
export const resourceOf = (known: Known | null): ReleaseEntry | null =>
  known === 'gone' ? null : known;

const TAB = '\t';
const LINE_FEED = 10;
const GONE = 'gone';
/** Lines are read and written in pieces of about this many bytes. */
const PIECE = 1 << 20;

/** Returns the file of a resource within its tree, named so that any static server finds it. */
export function fileOf(path: string, type: string): string {
  if (path === '/') return 'index.html';
  const name = path.slice(1);
  if (type.startsWith('text/html')) return `${name}.html`;
  if (type.startsWith('application/xml') && !name.endsWith('.xml')) return `${name}.xml`;
  return name;
}

/** Formats a resource as an index line. */
export function entryLine(path: string, entry: Omit<ReleaseEntry, 'tree' | 'file'>): string {
  const { type, size, gzipSize, hash, source, modified } = entry;
  return [path, type, size, gzipSize ?? '', hash, source ?? '', modified].join(TAB);
}

/** Formats the index line of a withdrawn path. */
export function goneLine(path: string): string {
  return path + TAB + GONE;
}

/** Returns the path of an index line. */
export function linePath(line: string): string {
  return line.slice(0, line.indexOf(TAB));
}

/** Returns the mtime of a resource's index line. */
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
 * The index of one layer: sorted lines, one per path. Binary-searched as raw bytes: opening 200,000 paths takes 10
 * ms and creates no garbage, parsing a JSON object half a second.
 */
export class ReleaseIndex {
  /** The folder of the files. */
  readonly tree: string;
  private readonly bytes: Buffer;
  /** Start of the line after the last one found: sequential look-ups need no search. */
  private next = 0;

  constructor(bytes: Buffer, tree: string) {
    this.bytes = bytes;
    this.tree = tree;
  }

  /** Finds the entry of a path; null if it has none. */
  find(path: string): Known | null {
    const key = Buffer.from(path + TAB);
    if (this.compare(key, this.next) === 0) return this.take(this.next);
    const start = this.lowerBound(key);
    return this.compare(key, start) === 0 ? this.take(start) : null;
  }

  /** Yields the entries of all paths with a prefix, in path order. */
  *entries(prefix = ''): Generator<[path: string, known: Known]> {
    for (let start = this.lowerBound(Buffer.from(prefix)); start < this.bytes.length; ) {
      const end = this.bytes.indexOf(LINE_FEED, start);
      const line = this.bytes.toString('latin1', start, end);
      if (!line.startsWith(prefix)) return;
      yield [linePath(line), parseLine(line, this.tree)];
      start = end + 1;
    }
  }

  /** Finds the first line that is not less than a key, compared over the key's length. */
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

  /** Compares a key with the start of the line at an offset. */
  private compare(key: Buffer, start: number): number {
    if (start >= this.bytes.length) return -1;
    return key.compare(this.bytes, start, Math.min(start + key.length, this.bytes.length));
  }
}

/** Yields the content of files, one after the other, in pieces that are valid until the next one is taken. */
export function* piecesOf(files: string[]): Generator<Buffer> {
  const buffer = Buffer.alloc(PIECE);
  for (const file of files) {
    const source = openSync(file, 'r');
    try {
      for (let read = 1; read > 0; ) {
        read = readSync(source, buffer);
        yield buffer.subarray(0, read);
      }
    } finally {
      closeSync(source);
    }
  }
}

/** Writes lines, or pieces of their text, in the order given. */
export function writeLines(file: string, lines: Iterable<string | Buffer>): void {
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
