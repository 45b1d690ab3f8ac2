import {
  FEED_KINDS,
  type FeedKind,
  type FeedRecord,
  type RecordKey,
} from '../../domain/catalog.ts';
import type { Sql } from '../connection/client.ts';
import { copyText } from '../connection/copy.ts';
import { toRow } from './rows.ts';

/** Rows of a kind go to the database in pieces of so many characters. */
const PIECE_CHARS = 256 * 1024;

/** So many records, and the names of the first of them. */
export type Tally = { count: number; first: string[] };

/** The temporary table that holds the rows of a feed's records of a kind, with their lines. */
export const stagedTable = (kind: FeedKind): string => `staged_${kind}`;

/**
 * A feed on its way into the catalog: temporary tables of the session, so that memory does not grow with it, and
 * what it changes is found by joins. `staged_fault` has the records that its bad lines are about, and
 * `staged_stay` those that stay although no good line has them.
 */
export type Staging = {
  add(line: number, record: FeedRecord): Promise<void>;
  addFault(about: RecordKey): Promise<void>;
  /** Waits until all is in the tables. */
  end(): Promise<void>;
};

/** Makes the tables of a feed in a session that nobody else uses. */
export async function openStaging(session: Sql): Promise<Staging> {
  for (const kind of FEED_KINDS) {
    await session`
      create temp table ${session(stagedTable(kind))} as
      select 0 as line, t.* from ${session(kind)} t where false`;
  }
  await session`create temp table staged_fault (kind text, id bigint)`;
  await session`create temp table staged_stay (kind text, id bigint)`;

  const pieces = new Map<string, { into: string; text: string }>();
  let sending = Promise.resolve();

  async function send(piece: { into: string; text: string }): Promise<void> {
    await sending;
    const { into, text } = piece;
    piece.text = '';
    // Sent while the next lines are read.
    sending = copyText(session, into, text);
    sending.catch(() => {});
  }

  async function put(table: string, row: Record<string, unknown>): Promise<void> {
    let piece = pieces.get(table);
    if (piece === undefined) {
      piece = { into: `${table} (${Object.keys(row).join(', ')})`, text: '' };
      pieces.set(table, piece);
    }
    piece.text += lineOf(Object.values(row));
    if (piece.text.length >= PIECE_CHARS) await send(piece);
  }

  return {
    add: (line, record) => put(stagedTable(record.kind), { line, ...toRow(record) }),
    addFault: ({ kind, id }) => put('staged_fault', { kind, id }),
    async end() {
      for (const piece of pieces.values()) if (piece.text !== '') await send(piece);
      await sending;
      for (const kind of FEED_KINDS) await session`analyze ${session(stagedTable(kind))}`;
      await session`analyze staged_fault`;
    },
  };
}

/** How many records of each kind are staged. */
export async function countStaged(sql: Sql): Promise<Record<FeedKind, number>> {
  const counts = { category: 0, merchant: 0, store: 0, product: 0, offer: 0 };
  for (const kind of FEED_KINDS) {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from ${sql(stagedTable(kind))}`;
    counts[kind] = row?.count ?? 0;
  }
  return counts;
}

const lineOf = (values: unknown[]) => `${values.map(fieldOf).join('\t')}\n`;

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A value in the text format of COPY. */
function fieldOf(value: unknown): string {
  if (value === null) return '\\N';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (one) => ESCAPES[one] ?? one) : text;
}
