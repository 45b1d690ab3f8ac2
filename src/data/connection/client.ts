import postgres from 'postgres';
import { readAddress } from './address.ts';
import { arrayText, parseNumbers, parseTexts } from './arrays.ts';
import { onceOnly, openPoolSockets, type PoolSockets } from './sockets.ts';
import { type Connection, runTransaction, type Work } from './transaction.ts';

/** The database as all SQL is written against it: a pool, a session or a transaction. */
export type Sql = Connection;

const DEFAULT_CONNECTIONS = 8;
const MAX_LIFETIME_SECONDS = 1800;
const PATIENT_CONNECT_SECONDS = 15;

/** How a pool is opened. */
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

/** An array as a parameter, or its text already. */
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

/** Opens a pool; nothing is sent before the first statement. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Sql {
  return openPool(url, options, openPoolSockets(options.max ?? DEFAULT_CONNECTIONS));
}

/** A pool on the given sockets. */
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
    // Its types know a single server, its code takes lists.
    host: host as unknown as string,
    port: port as unknown as number,
    max,
    types: { bigint, numbers, texts },
    // On its own the library asks each new connection for the types of arrays, and a backend that ends
    // meanwhile ends the whole process: nobody handles that failure.
    fetch_types: false,
    onnotice: () => {},
    // A reader gives up soon; a command waits for a server that is busy.
    connect_timeout: statementTimeoutMs > 0 ? 1 : PATIENT_CONNECT_SECONDS,
    backoff: () => 0,
    max_lifetime: lifetimeSeconds,
    connection: {
      ...address.connection,
      application_name: applicationName,
      TimeZone: 'UTC',
      ...(statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs } : {}),
    },
    // Not among its types, but documented: "provide a custom socket".
    socket: sockets.open,
  };
  const sql = postgres(settings);
  // However long its work takes: this connection is never replaced by another.
  const openSingle = () => openPool(url, { ...options, max: 1 }, onceOnly(openPoolSockets(1)), 0);
  const begin = (...args: [Work<unknown>] | [mode: string, Work<unknown>]) => {
    const [mode, work] = args.length === 1 ? ['', args[0]] : args;
    return runTransaction(openSingle, mode, work);
  };
  // Without the types of arrays, the library's own never returns when no connection is open yet.
  const reserve = async () => {
    const session = openSingle();
    return Object.assign(session, { release: () => void session.end({ timeout: 1 }) });
  };
  return Object.assign(sql, { begin, reserve }) as Sql;
}

/** Resolves when the database answers. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`;
}
