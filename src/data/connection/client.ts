import postgres from 'postgres';
import { readAddress } from './address.ts';
import { arrayText, parseNumbers, parseTexts } from './arrays.ts';
import { onceOnly, openPoolSockets, type PoolSockets } from './sockets.ts';
import { type Connection, runTransaction, type Work } from './transaction.ts';

/** A pool, a session or a transaction; all SQL is written against this type. */
export type Sql = Connection;

const DEFAULT_CONNECTIONS = 8;
const MAX_LIFETIME_SECONDS = 1800;
const PATIENT_CONNECT_SECONDS = 15;

/** Options of a pool. */
export type DatabaseOptions = {
  /** The pool's size. */
  max?: number;
  /** statement_timeout in ms; 0 (none) for commands and jobs. */
  statementTimeoutMs?: number;
  applicationName?: string;
};

/** Bigints are parsed to numbers: all ids and counts of the catalog lie within 2^53-1 by construction. */
const bigint = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string) => Number(text),
};

/** Accepts an array or its text form. */
const serialize = (value: string | number[] | string[]) =>
  typeof value === 'string' ? value : arrayText(value);

/** Arrays of int2, int4, int8 and float8. */
const numbers = {
  to: 1007,
  from: [1005, 1007, 1016, 1022],
  serialize,
  parse: parseNumbers,
};
const texts = { to: 1009, from: [1009], serialize, parse: parseTexts };

/** Opens a pool; it connects at the first statement. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Sql {
  return openPool(url, options, openPoolSockets(options.max ?? DEFAULT_CONNECTIONS));
}

/** Opens a pool on the given sockets. */
export function openPool(
  url: string,
  options: DatabaseOptions,
  sockets: Pick<PoolSockets, 'open'>,
  lifetimeSeconds = MAX_LIFETIME_SECONDS,
): Sql {
  const {
    max = DEFAULT_CONNECTIONS,
    statementTimeoutMs = 0,
    applicationName = 'vitrine',
  } = options;
  const { host, port, ...address } = readAddress(url);
  const settings = {
    ...address,
    // The library's types allow one server, its code accepts lists.
    host: host as unknown as string,
    port: port as unknown as number,
    max,
    types: { bigint, numbers, texts },
    // Otherwise the library queries array types on each new connection, and a backend that exits meanwhile crashes
    // the process by an unhandled rejection.
    fetch_types: false,
    onnotice: () => {},
    // A request gives up early; a command waits for a busy server.
    connect_timeout: statementTimeoutMs > 0 ? 1 : PATIENT_CONNECT_SECONDS,
    backoff: () => 0,
    max_lifetime: lifetimeSeconds,
    connection: {
      ...address.connection,
      application_name: applicationName,
      TimeZone: 'UTC',
      ...(statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs } : {}),
    },
    // Documented ("provide a custom socket") but missing from the library's types.
    socket: sockets.open,
  };
  const sql = postgres(settings);
  // No maximum lifetime: a transaction's connection must never be replaced, however long it runs.
  const openSingle = () => openPool(url, { ...options, max: 1 }, onceOnly(openPoolSockets(1)), 0);
  const begin = (...args: [Work<unknown>] | [mode: string, Work<unknown>]) => {
    const [mode, work] = args.length === 1 ? ['', args[0]] : args;
    return runTransaction(openSingle, mode, work);
  };
  // The library's own `reserve` never returns with `fetch_types: false` unless a connection is already open.
  const reserve = async () => {
    const session = openSingle();
    return Object.assign(session, { release: () => void session.end({ timeout: 1 }) });
  };
  return Object.assign(sql, { begin, reserve }) as Sql;
}

/** The database's clock, in seconds since 1970. */
export async function readClock(sql: Sql): Promise<number> {
  const [row] = await sql<{ now: number }[]>`
    select extract(epoch from clock_timestamp())::float8 as now`;
  return row?.now ?? Number.NaN;
}

/** Resolves when the database answers. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`;
}
