import {
  FEED_KINDS,
  type FeedKind,
  type FeedRecord,
  type RecordKey,
} from '../../domain/catalog.ts';
import type { Sql } from '../connection/client.ts';
import { copyText } from '../connection/copy.ts';
import { toRow } from './rows.ts';

/** Rows are sent in pieces of this many characters. */
const PIECE_CHARS = 256 * 1024;

/** A count of records, and the names of the first of them. */
export type Tally = { count: number; first: string[] };

/** Returns the temporary table with the staged rows of a kind and their line numbers. */
export const stagedTable = (kind: FeedKind): string => `staged_${kind}`;

/**
 * A staged feed in temporary tables of the session: constant memory, and joins find the changes. `staged_fault` has
 * the records of bad lines, `staged_stay` those that stay though no valid line has them.
 */
export type Staging = {
  add(line: number, record: FeedRecord): Promise<void>;
  addFault(about: RecordKey): Promise<void>;
  /** Resolves when all rows are in the tables. */
  end(): Promise<void>;
};

/** Creates the staging tables in a dedicated session. */
export async function openStaging(session: Sql): Promise<Staging> {
  for (const kind of FEED_KINDS) {
    await session`
      create temp table ${session(stagedTable(kind))} as
      select 0 as line, t.* from ${session(kind)} t where false`;
  }
  await session`create temp table staged_fault (kind text, id bigint)`;
  await session`create temp table staged_stay (kind text, id bigint)`;

  const pieces = new Map<string, { into: string; columns: string[]; text: string }>();
  let sending = Promise.resolve();

  async function send(piece: { into: string; text: string }): Promise<void> {
    await sending;
    const { into, text } = piece;
    piece.text = '';
    // Not awaited: it is sent while the next lines are read.
    sending = copyText(session, into, text);
    sending.catch(() => {});
  }

  async function put(table: string, row: Record<string, unknown>): Promise<void> {
    let piece = pieces.get(table);
    if (piece === undefined) {
      const columns = Object.keys(row);
      piece = { into: `${table} (${columns.join(', ')})`, columns, text: '' };
      pieces.set(table, piece);
    }
    // By name: rows of one kind may have their columns in different orders.
    piece.text += lineOf(piece.columns.map((column) => row[column]));
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

/** Counts the staged records by kind. */
export async function countStaged(sql: Sql): Promise<Record<FeedKind, number>> {
  const counts = { category: 0, merchant: 0, store: 0, product: 0, offer: 0 };
  for (const kind of FEED_KINDS) {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from ${sql(stagedTable(kind))}`;
    counts[kind] = row?.count ?? 0;
  }
  return counts;
}

/** Counts the staged records whose price is in another currency than that of the search's price filters. */
export async function countForeignPrices(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from (
      select price_currency from staged_product union all select price_currency from staged_offer
    ) priced where price_currency <> 'BRL'`;
  return row?.count ?? 0;
}

const lineOf = (values: unknown[]) => `${values.map(fieldOf).join('\t')}\n`;

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Encodes a value in COPY's text format. */
function fieldOf(value: unknown): string {
  if (value === null) return '\\N';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (one) => ESCAPES[one] ?? one) : text;
}
