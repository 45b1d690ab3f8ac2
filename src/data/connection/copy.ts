import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Sql } from './client.ts';

/** COPY's binary header: signature, flags and extension length (PostgreSQL docs, COPY). */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);
const INT4_OID = 23;
/** Rows are sent in chunks of at least this many bytes. */
const PIECE_BYTES = 256 * 1024;

/** Encodes rows for binary COPY, which Postgres need not parse. */
export type BinaryRows = {
  row(columns: number): void;
  int2(value: number): void;
  int4(value: number): void;
  int8(value: number | bigint): void;
  int4s(values: Int32Array): void;
  uuid(text: string): void;
};

/** Copies rows into a table; `write` encodes one row per call and returns false after the last. */
export async function copyBinary(
  sql: Sql,
  into: string,
  write: (rows: BinaryRows) => boolean,
): Promise<void> {
  const { stream, ended } = await openCopy(sql, `copy ${into} from stdin (format binary)`);
  const rows = new RowBuffer();
  for (let more = true; more; ) {
    more = write(rows);
    if (more && rows.length < PIECE_BYTES) continue;
    if (!stream.write(rows.take())) await Promise.race([once(stream, 'drain'), ended]);
  }
  stream.end(TRAILER);
  await ended;
}

/** Copies lines in COPY's text format into a table. */
export async function copyText(sql: Sql, into: string, lines: string): Promise<void> {
  const { stream, ended } = await openCopy(sql, `copy ${into} from stdin`);
  stream.end(lines);
  await ended;
}

/** Opens a COPY; `ended` settles with the statement, even if it fails before its stream ends. */
async function openCopy(sql: Sql, statement: string) {
  const query = sql.unsafe(statement);
  const refused = new Promise<never>((_, fail) => {
    // The library resolves the query once its stream opens and would drop a later error, leaving the stream pending
    // for ever.
    const settled = query as unknown as { reject(error: unknown): void };
    const reject = settled.reject;
    settled.reject = (error) => {
      reject.call(query, error);
      fail(error);
    };
  });
  refused.catch(() => {});
  const stream = await query.writable();
  const ended = Promise.race([finished(stream), refused]);
  ended.catch(() => {});
  return { stream, ended };
}

class RowBuffer implements BinaryRows {
  #bytes = Buffer.allocUnsafe(2 * PIECE_BYTES);
  length = 0;

  constructor() {
    this.length += HEADER.copy(this.#bytes);
  }

  #room(bytes: number): number {
    const at = this.length;
    this.length += bytes;
    if (this.length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * this.length);
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }

  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  row(columns: number): void {
    const at = this.#room(2);
    this.#bytes.writeInt16BE(columns, at);
  }

  int2(value: number): void {
    const at = this.#room(6);
    this.#bytes.writeInt32BE(2, at);
    this.#bytes.writeInt16BE(value, at + 4);
  }

  int4(value: number): void {
    const at = this.#room(8);
    this.#bytes.writeInt32BE(4, at);
    this.#bytes.writeInt32BE(value, at + 4);
  }

  int8(value: number | bigint): void {
    const at = this.#room(12);
    this.#bytes.writeInt32BE(8, at);
    this.#bytes.writeBigInt64BE(BigInt(value), at + 4);
  }

  /** Binary array format: dimensions, null flag, element type, length, lower bound; then the elements. */
  int4s(values: Int32Array): void {
    const size = values.length === 0 ? 12 : 20 + 8 * values.length;
    let at = this.#room(4 + size);
    const head =
      values.length === 0 ? [size, 0, 0, INT4_OID] : [size, 1, 0, INT4_OID, values.length, 1];
    for (const value of head) at = this.#bytes.writeInt32BE(value, at);
    const bytes = this.#bytes;
    for (const value of values) {
      bytes[at + 3] = 4;
      bytes[at] = bytes[at + 1] = bytes[at + 2] = 0;
      bytes[at + 4] = value >> 24;
      bytes[at + 5] = value >> 16;
      bytes[at + 6] = value >> 8;
      bytes[at + 7] = value;
      at += 8;
    }
  }

  uuid(text: string): void {
    const at = this.#room(20);
    this.#bytes.writeInt32BE(16, at);
    this.#bytes.write(text.replaceAll('-', ''), at + 4, 'hex');
  }
}
