/** A byte range with inclusive ends. */
export type ByteRange = { start: number; end: number };

/**
 * Parses a Range field (RFC 9110, 14.1.2) for a representation of `size` bytes. Null means send everything: no
 * valid byte range, or several, for which a multipart answer is not worth it.
 */
export function readRange(
  field: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(field?.trim() ?? '');
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Tells whether a Range field applies: without If-Range, or if it names this very representation. */
export function matchesIfRange(
  ifRange: string | undefined,
  etag: string,
  lastModified: string,
): boolean {
  return ifRange === undefined || ifRange === etag || ifRange === lastModified;
}
