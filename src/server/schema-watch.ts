import type { Sql } from '../data/connection/client.ts';
import { readSchema, schemaFault } from '../data/migrate.ts';
import type { Logger } from '../log.ts';

/** What a process can say of its database. */
export type DatabaseReadiness = { database: boolean; schema: boolean };

/**
 * Looks whether the database answers and has a schema that this program runs on. Why it has not is logged when that
 * changes; who asks is told no more than that.
 */
export function openSchemaWatch(
  run: <T>(work: (sql: Sql) => PromiseLike<T>) => Promise<T>,
  log: Logger,
): () => Promise<DatabaseReadiness> {
  let told: string | null = null;
  return async () => {
    let fault: string | null;
    try {
      fault = schemaFault(await run(readSchema));
    } catch {
      return { database: false, schema: false };
    }
    if (fault !== told) {
      if (fault === null) log.info('the schema is one that this program runs on');
      else log.error(`not ready: ${fault}`);
      told = fault;
    }
    return { database: true, schema: fault === null };
  };
}
