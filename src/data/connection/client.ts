import postgres from 'postgres';
import { onceOnly, openPoolSockets, type PoolSockets } from './sockets.ts';
import { runTransaction } from './transaction.ts';

export type Sql = postgres.Sql<{ bigint: number }>;

const DEFAULT_CONNECTIONS = 8;

export type DatabaseOptions = {
  /** Connections in the pool. */
  max?: number;
  /** How long a statement may run on the server, in ms; 0 for commands and jobs. */
  statementTimeoutMs?: number;
  applicationName?: string;
};

/** Bigints come as numbers: every id and count of the catalog lies within 2^53-1 by construction. */
const bigint = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string) => Number(text),
};

/** Opens a pool; nothing is sent before the first statement. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Sql {
  return openPool(url, options, openPoolSockets(options.max ?? DEFAULT_CONNECTIONS));
}

/** A pool on the given sockets. */
export function openPool(
  url: string,
  options: DatabaseOptions,
  sockets: Pick<PoolSockets, 'open'>,
): Sql {
  const {
    max = DEFAULT_CONNECTIONS,
    statementTimeoutMs = 0,
    applicationName = 'vitrine',
  } = options;
  const settings = {
    max,
    types: { bigint },
    onnotice: () => {},
    connect_timeout: 1,
    backoff: () => 0,
    max_lifetime: 60 * 30,
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      ...(statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs } : {}),
    },
    // Not among its types, but documented: "provide a custom socket".
    socket: sockets.open,
  };
  const sql = postgres(url, settings);
  const openSingle = () => openPool(url, { ...options, max: 1 }, onceOnly(openPoolSockets(1)));
  const begin = (...[first, second]: [string | Work, Work?]) =>
    typeof first === 'string'
      ? runTransaction(openSingle, first, second as Work)
      : runTransaction(openSingle, '', first);
  // `unknown`: the library's type speaks of savepoints too, which nobody here uses.
  return Object.assign(sql, { begin: begin as unknown as Sql['begin'] });
}

type Work = (tx: Sql) => unknown;

/** Resolves when the database answers. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`;
}

/**
 * An array as Postgres reads it from text, for `${arrayText(ids)}::text::bigint[]`: postgres.js knows
 * the types of arrays only after its first connection, and bigints never.
 */
export function arrayText(values: readonly (string | number | boolean)[]): string {
  const quoted = values.map((value) =>
    typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value),
  );
  return `{${quoted.join(',')}}`;
}
