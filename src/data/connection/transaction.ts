import type postgres from 'postgres';

/** A pool or a connection of postgres.js, with the types that we read and write. */
export type Connection = postgres.Sql<{ bigint: number; numbers: number[]; texts: string[] }>;

/**
 * Runs work in a transaction on a connection of its own, which `openSingle` opens once: after its end
 * every statement on it fails. `sql.begin` of postgres.js ends the process when the backend dies within
 * the transaction (#1208); here the work fails with the connection's fault, and whatever follows on it
 * fails too, never outside the transaction.
 */
export async function runTransaction<T>(
  openSingle: () => Connection,
  mode: string,
  work: (tx: Connection) => T | Promise<T>,
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
