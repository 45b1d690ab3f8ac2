import type { Sql } from '../data/connection/client.ts';
import { readSchema, schemaFault } from '../data/migrate.ts';
import type { Logger } from '../log.ts';

/** Readiness of the database. */
export type DatabaseReadiness = { database: boolean; schema: boolean };

/**
 * Returns a check that the database answers and has a schema this program supports. The reason is logged when it
 * changes, and kept from callers.
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
      if (fault === null) log.info('the database schema is supported');
      else log.error(`not ready: ${fault}`);
      told = fault;
    }
    return { database: true, schema: fault === null };
  };
}
