import type postgres from 'postgres';

/** Parameter types beyond those of postgres.js. */
type Types = { bigint: number; numbers: number[]; texts: string[] };

/** The body of a transaction. */
export type Work<T> = (tx: Connection) => T | Promise<T>;

/** A pool or a connection of postgres.js, with our own transactions and sessions. */
export type Connection = postgres.ISql<Types> &
  Omit<postgres.Sql<Types>, keyof postgres.ISql | 'begin' | 'reserve'> & {
    /** Runs work in a transaction; `mode` follows BEGIN, such as `read only`. */
    begin<T>(work: Work<T>): Promise<T>;
    begin<T>(mode: string, work: Work<T>): Promise<T>;
    /** Opens a dedicated session, for session-level locks and temporary tables. */
    reserve(): Promise<Connection & { release(): void }>;
  };

/**
 * Runs work in a transaction on a dedicated connection, which is never reopened. `sql.begin` of postgres.js crashes
 * the process if the backend dies within the transaction (#1208); here the work and every later statement fail
 * instead, and none runs outside the transaction.
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
    // Closing without commit rolls back; that is not waited for.
    await connection.end({ timeout: committed ? 1 : 0 }).catch(() => {});
  }
}

/** Runs work in a savepoint; a failure rolls back to it, and the transaction can go on. */
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

/** Runs work in a transaction of an existing session, which keeps its temporary tables. */
export async function inTransaction<T>(session: Connection, work: () => Promise<T>): Promise<T> {
  await session`begin`;
  try {
    const result = await work();
    await session`commit`;
    return result;
  } catch (error) {
    // Ignored: if the connection is what failed, the transaction is already gone.
    await session`rollback`.catch(() => {});
    throw error;
  }
}
