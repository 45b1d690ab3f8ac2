/** The largest integer that JSON numbers carry exactly; the spec's upper bound for ids. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

const POSITIVE_ID = /^[1-9][0-9]{0,15}$/;

/** Parses a positive id from a raw (undecoded) path segment; null for anything the spec calls invalid. */
export function parsePositiveId(raw: string): number | null {
  if (!POSITIVE_ID.test(raw)) return null;
  const id = Number(raw);
  return id <= MAX_ID ? id : null;
}

/** Parses an offer id from a raw path segment (negative = payment offer); null when invalid. */
export function parseOfferId(raw: string): number | null {
  if (!raw.startsWith('-')) return parsePositiveId(raw);
  const id = parsePositiveId(raw.slice(1));
  return id === null ? null : -id;
}
