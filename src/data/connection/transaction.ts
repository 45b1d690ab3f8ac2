import type postgres from 'postgres';

/** The types that we read and write beside those of postgres.js. */
type Types = { bigint: number; numbers: number[]; texts: string[] };

/** What is done in a transaction. */
export type Work<T> = (tx: Connection) => T | Promise<T>;

/** A pool or a connection of postgres.js, with transactions and sessions of our own. */
export type Connection = postgres.ISql<Types> &
  Omit<postgres.Sql<Types>, keyof postgres.ISql | 'begin' | 'reserve'> & {
    /** Runs work in a transaction; `mode` is what stands behind BEGIN, such as `read only`. */
    begin<T>(work: Work<T>): Promise<T>;
    begin<T>(mode: string, work: Work<T>): Promise<T>;
    /** A session of its own, for locks that it holds until its release. */
    reserve(): Promise<Connection & { release(): void }>;
  };

/**
 * Runs work in a transaction on a connection of its own, which `openSingle` opens once: after its end
 * every statement on it fails. `sql.begin` of postgres.js ends the process when the backend dies within
 * the transaction (#1208); here the work fails with the connection's fault, and whatever follows on it
 * fails too, never outside the transaction.
 */
export async function runTransaction<T>(
  openSingle: () => Connection,
  mode: string,
  work: Work<T>,
): Promise<T> {
  const connection = openSingle();
  let committed = false;
  try {
    await connection.unsafe(`begin ${mode}`);
    const result = await work(connection);
    await connection`commit`;
    committed = true;
    return result;
  } finally {
    // A connection that ends without commit is a rollback; it is not waited for.
    await connection.end({ timeout: committed ? 1 : 0 }).catch(() => {});
  }
}

/** Runs work within a transaction; when it fails, what it did is undone and the transaction goes on. */
export async function inSavepoint<T>(tx: Connection, work: () => Promise<T>): Promise<T> {
  await tx`savepoint work`;
  try {
    const result = await work();
    await tx`release savepoint work`;
    return result;
  } catch (error) {
    await tx`rollback to savepoint work`;
    throw error;
  }
}

/** Runs work in a transaction of a session that it shares with what was done before, such as temporary tables. */
export async function inTransaction<T>(session: Connection, work: () => Promise<T>): Promise<T> {
  await session`begin`;
  try {
    const result = await work();
    await session`commit`;
    return result;
  } catch (error) {
    // The connection may be what failed; then nothing is left to undo.
    await session`rollback`.catch(() => {});
    throw error;
  }
}
