import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ZodError, z } from 'zod';
import {
  FEED_KINDS,
  type FeedRecord,
  feedRecordSchema,
  type RecordKey,
} from '../domain/catalog.ts';

/** A faulty field of a record, and why. */
export type Flaw = { field: string; reason: string };

/** A fault of a feed line; `about` is set if the line has a readable kind and id. */
export type FeedFault = Flaw & { line: number; about?: RecordKey };

/** A valid record and its line number. */
export type FeedLine = { line: number; record: FeedRecord };

const LINE_FEED = 10;

/** Yields the lines of an NDJSON file, gzipped or not; null for a line that is not UTF-8. */
export const feedFileLines = (path: string): AsyncGenerator<string | null> =>
  feedLines(createReadStream(path));

/** Yields the lines of NDJSON, gzipped or not; null for a line that is not UTF-8. */
export async function* feedLines(source: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  // Not readline: it also breaks lines at U+2028 and U+2029, which JSON strings may contain.
  let rest: Buffer[] = [];
  for await (const chunk of decompressed(source)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield decodeLine([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  yield decodeLine(rest);
}

/** The gzip magic number, which cannot begin UTF-8 text. */
const GZIP = Buffer.from([0x1f, 0x8b]);

async function* decompressed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < GZIP.length) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  async function* whole() {
    yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  if (!start.subarray(0, GZIP.length).equals(GZIP)) return yield* whole();
  try {
    // Pipeline errors surface in the iteration.
    yield* pipeline(Readable.from(whole()), createGunzip(), () => {}) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new Error(`the gzip data of the feed is broken: ${(error as Error).message}`);
  }
}

function decodeLine(parts: Buffer[]): string | null {
  const bytes = Buffer.concat(parts);
  return isUtf8(bytes) ? bytes.toString() : null;
}

/** Yields a valid record or a fault per line; skips blank lines. */
export async function* readFeed(
  source: AsyncIterable<string | null> | Iterable<string>,
): AsyncGenerator<FeedLine | FeedFault> {
  let line = 0;
  for await (const text of source) {
    line += 1;
    if (text?.trim() !== '') yield { line, ...parseLine(text) };
  }
}

function parseLine(text: string | null): { record: FeedRecord } | Omit<FeedFault, 'line'> {
  if (text === null) return { field: '(line)', reason: 'is not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    return { field: '(line)', reason: `is not valid JSON: ${(error as Error).message}` };
  }
  const read = readRecord(value);
  if ('record' in read) return read;
  const about = findKey(value);
  return { ...read, ...(about && { about }) };
}

/** Parses a feed record; returns the first flaw if it is invalid. */
export function readRecord(value: unknown): { record: FeedRecord } | Flaw {
  const parsed = feedRecordSchema.safeParse(value, { error: wording });
  return parsed.success ? { record: parsed.data } : describe(parsed.error);
}

/** Returns the kind and id of a record. */
export function keyOf({ kind, id }: FeedRecord): RecordKey {
  return { kind, id };
}

/** Finds which record a bad line concerns, if it has a valid kind and id. */
function findKey(value: unknown): RecordKey | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, id } = value as { kind?: unknown; id?: unknown };
  const known = FEED_KINDS.find((other) => other === kind);
  return known !== undefined && Number.isSafeInteger(id)
    ? { kind: known, id: id as number }
    : undefined;
}

const TYPES: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Words a fault to follow the field's name; undefined leaves the schema's own message. */
function wording(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') {
    return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  }
  if (issue.code === 'invalid_union') {
    return `must be one of ${FEED_KINDS.map((kind) => JSON.stringify(kind)).join(', ')}`;
  }
  if (issue.code === 'too_small' && issue.minimum === 1 && issue.origin !== 'number') {
    return 'must not be empty';
  }
  const limit =
    issue.code === 'too_small' ? issue.minimum : issue.code === 'too_big' ? issue.maximum : null;
  if (limit === null) return undefined;
  const bound = issue.code === 'too_small' ? 'at least' : 'at most';
  const counted = { string: ' characters', array: ' entries' }[String(issue.origin)];
  return counted === undefined
    ? `must be ${bound} ${limit}`
    : `must have ${bound} ${limit}${counted}`;
}

function describe(error: ZodError): Flaw {
  const [issue] = error.issues;
  if (issue === undefined) return { field: '(line)', reason: 'is invalid' };
  if (issue.code === 'unrecognized_keys') {
    const field = [...issue.path, issue.keys[0]].join('.');
    return { field, reason: 'is not a field of this kind of record' };
  }
  const field = issue.path.length === 0 ? '(line)' : issue.path.join('.');
  return { field, reason: issue.message };
}
