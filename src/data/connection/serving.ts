import { openBulkhead, type WorkOutcome } from './bulkhead.ts';
import { type DatabaseOptions, openPool, type Sql } from './client.ts';
import { openPoolSockets } from './sockets.ts';

/** statement_timeout in ms: a live connection is never silent for longer. */
const STATEMENT_TIMEOUT_MS = 1200;
/** A connection with work in flight that is silent for this long counts as dead. */
const SILENT_MS = 1500;
const WATCH_EVERY_MS = 100;

/** An event of the pool, for the metrics. */
export type DatabaseEvent = WorkOutcome | 'connection-dropped';

/** The pool of the serving half: calls end within their deadline whatever the database does. */
export type ServingDatabase = {
  sql: Sql;
  /** Runs work within the deadline; throws INTERNAL_ERROR if it fails, is late or the bulkhead is full. */
  run<T>(work: (sql: Sql) => PromiseLike<T>, deadlineMs?: number): Promise<T>;
  /** Runs work without a deadline; it fails if its connection dies. */
  watch<T>(work: (sql: Sql) => PromiseLike<T>): Promise<T>;
  /** The number of calls in flight. */
  inFlight(): number;
  /** The age of the oldest call in flight, in ms. */
  oldestMs(): number;
  close(): Promise<void>;
};

/**
 * Opens the pool of the serving half. Late work is not cancelled: postgres.js's pool never recovers from a cancel
 * sent to a restarting server. It ends by statement_timeout or, if the server is silent, with its connection.
 */
export function openServingDatabase(
  url: string,
  options: Pick<DatabaseOptions, 'applicationName'> & { max: number },
  onEvent: (event: DatabaseEvent) => void = () => {},
): ServingDatabase {
  const sockets = openPoolSockets(options.max);
  const sql = openPool(url, { ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, sockets);
  const bulkhead = openBulkhead(undefined, onEvent);
  const watcher = setInterval(() => {
    sockets.listen();
    if (bulkhead.oldestMs() < SILENT_MS) return;
    const dropped = sockets.destroySilent(SILENT_MS);
    for (let count = 0; count < dropped; count += 1) onEvent('connection-dropped');
  }, WATCH_EVERY_MS);
  watcher.unref();
  return {
    sql,
    run: (work, deadlineMs) => bulkhead.run(() => work(sql), deadlineMs),
    watch: (work) => bulkhead.watch(() => work(sql)),
    inFlight: bulkhead.inFlight,
    oldestMs: bulkhead.oldestMs,
    async close() {
      clearInterval(watcher);
      await sql.end({ timeout: 1 });
    },
  };
}
