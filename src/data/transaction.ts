import type { Sql } from './client.ts';

/** Opens a pool of one connection that is opened once: after its end every statement fails. */
type OpenSingle = () => Sql;

/** Statements of one transaction. */
export type Transaction = Sql;

/**
 * Runs work in a transaction on a connection of its own. `sql.begin` of postgres.js ends the process
 * when the backend dies within the transaction (#1208); here the work fails with the connection's
 * fault, and whatever follows on it fails too, never outside the transaction.
 */
export async function runTransaction<T>(
  openSingle: OpenSingle,
  mode: string,
  work: (tx: Transaction) => T | Promise<T>,
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
