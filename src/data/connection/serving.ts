import { type DatabaseOptions, openPool, type Sql } from './client.ts';
import { openGate, type WorkOutcome } from './gate.ts';
import { openPoolSockets } from './sockets.ts';

/** The server itself ends a statement after this, in ms: a connection that lives is never silent for long. */
const STATEMENT_TIMEOUT_MS = 1200;
/** A connection on which nothing is heard for so long, while something is under way, is taken for dead. */
const SILENT_MS = 1500;
const WATCH_EVERY_MS = 100;

/** What happened at the pool, for those who count. */
export type DatabaseEvent = WorkOutcome | 'connection-dropped';

/** The pool of the serving half: whatever the database does, work on it ends within the deadline. */
export type ServingDatabase = {
  sql: Sql;
  /** Runs work within the deadline; throws INTERNAL_ERROR when it fails, is late or too much is under way. */
  run<T>(work: (sql: Sql) => PromiseLike<T>, deadlineMs?: number): Promise<T>;
  /** Runs work that somebody can wait for longer; it fails when its connection is dead. */
  watch<T>(work: (sql: Sql) => PromiseLike<T>): Promise<T>;
  /** Pieces of work under way. */
  inFlight(): number;
  /** How long the oldest of them has been under way, in ms. */
  oldestMs(): number;
  close(): Promise<void>;
};

/**
 * Opens the pool of the serving half. Work that is late is not cancelled: after a cancel that meets a
 * restarting server the pool of postgres.js never recovers. It ends by the server's own timeout, or, when
 * nothing is heard from the server at all, with its connection.
 */
export function openServingDatabase(
  url: string,
  options: Pick<DatabaseOptions, 'applicationName'> & { max: number },
  onEvent: (event: DatabaseEvent) => void = () => {},
): ServingDatabase {
  const sockets = openPoolSockets(options.max);
  const sql = openPool(url, { ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, sockets);
  const gate = openGate(undefined, onEvent);
  const watcher = setInterval(() => {
    sockets.listen();
    if (gate.oldestMs() < SILENT_MS) return;
    const dropped = sockets.destroySilent(SILENT_MS);
    for (let count = 0; count < dropped; count += 1) onEvent('connection-dropped');
  }, WATCH_EVERY_MS);
  watcher.unref();
  return {
    sql,
    run: (work, deadlineMs) => gate.run(() => work(sql), deadlineMs),
    watch: (work) => gate.watch(() => work(sql)),
    inFlight: gate.inFlight,
    oldestMs: gate.oldestMs,
    async close() {
      clearInterval(watcher);
      await sql.end({ timeout: 1 });
    },
  };
}
