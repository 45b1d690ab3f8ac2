import { createServer } from 'node:http';
import type { Config } from '../config.ts';
import type { Sql } from '../data/connection/client.ts';
import { newestMigration, readSchema, schemaFault } from '../data/migrate.ts';
import { API_VERSION } from '../domain/surface.ts';
import { jsonReply, type Reply } from '../http/call.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { listen } from './listen.ts';
import { sendReply } from './send.ts';

/** Readiness conditions by name. */
export type Readiness = Record<string, boolean>;

/** Starts the ops port, if configured, with /livez (the process runs), /readyz (it can answer everything), /metrics. */
export async function startOps(
  config: Config,
  metrics: Metrics,
  readiness: () => Promise<Readiness>,
): Promise<{ url: string; close(): Promise<void> } | null> {
  if (config.opsPort === null) return null;
  metrics.inform('vitrine_build_info', 'Version of the program and of its schema', {
    version: API_VERSION,
    schema: newestMigration(),
  });
  const answers: Record<string, () => Promise<Reply>> = {
    '/livez': async () => jsonReply(200, { live: true }),
    '/readyz': async () => {
      const conditions = await readiness();
      const ready = Object.values(conditions).every(Boolean);
      return jsonReply(ready ? 200 : 503, conditions);
    },
    '/metrics': async () => {
      const { body, type } = await metrics.expose();
      return { status: 200, headers: { 'content-type': type }, body };
    },
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const make = Object.hasOwn(answers, path) ? answers[path] : undefined;
    const reply = make === undefined ? jsonReply(404, {}) : await make();
    sendReply(request, response, reply);
  });
  const url = await listen(server, {
    host: config.opsHost,
    port: config.opsPort,
    prefix: 'OPS_',
  });
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

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
