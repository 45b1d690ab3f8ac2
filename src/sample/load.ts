import { readFileSync } from 'node:fs';

/** The day for which the dates in the sample feed were written. */
export const SAMPLE_REFERENCE_INSTANT = '2026-11-01T00:00:00-03:00';

const DAY_MS = 24 * 3_600_000;
/** The base URL of pictures in the sample feed as stored. */
const SAMPLE_BASE_URL = 'http://localhost:4321';
const DATE_FIELD = /"(valid_from|valid_until|updated_at)":"([^"]+)"/g;

/**
 * Yields the lines of the sample feed, with dates moved by the whole days since the reference instant, so that
 * offers are always current; `updated_at` never lies after `now`. Picture URLs point to `baseUrl`.
 */
export function* sampleFeedLines(now: Date, baseUrl = SAMPLE_BASE_URL): Generator<string> {
  const days = Math.floor((now.getTime() - Date.parse(SAMPLE_REFERENCE_INSTANT)) / DAY_MS);
  const text = readFileSync(new URL('./catalog.ndjson', import.meta.url), 'utf8');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    yield line
      .replaceAll(`"${SAMPLE_BASE_URL}/`, `"${baseUrl}/`)
      .replace(DATE_FIELD, (_, field: string, date: string) => {
        const moved = Date.parse(date) + days * DAY_MS;
        const instant = field === 'updated_at' ? Math.min(moved, now.getTime()) : moved;
        return `"${field}":"${new Date(instant).toISOString()}"`;
      });
  }
}
