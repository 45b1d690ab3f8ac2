/** The bytes of a representation from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number };

/**
 * Reads a Range field (RFC 9110, 14.1.2) for a representation of `size` bytes. Null: there is none that
 * this server heeds, so that everything is sent; several ranges at once are not worth a multipart answer.
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

/** True when a Range field may be heeded: there is no If-Range, or it names this very representation. */
export function matchesIfRange(
  ifRange: string | undefined,
  etag: string,
  lastModified: string,
): boolean {
  return ifRange === undefined || ifRange === etag || ifRange === lastModified;
}
