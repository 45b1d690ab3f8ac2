import type { Logger } from '../log.ts';

/** Faults of a connection that Postgres or the network ended. */
const LOST = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'ECONNRESET', 'EPIPE'],
  ...['57P01', '57P02', '57P03'],
]);

/**
 * Keeps the process up when a connection ends while it is being made: postgres.js asks each new one for the
 * types of arrays, and nobody handles the failure of that question. The next statement gets another
 * connection. Any other promise that fails unheard of ends the process, as ever.
 */
export function surviveLostConnections(log: Logger): void {
  process.on('unhandledRejection', (error) => {
    const code = (error as { code?: string } | null)?.code ?? '';
    if (!LOST.has(code)) throw error;
    log.warn({ err: error }, 'a connection to the database was lost while it was being made');
  });
}
