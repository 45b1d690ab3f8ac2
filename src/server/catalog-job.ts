import { readQueueState } from '../data/catalog/queue.ts';
import type { Sql } from '../data/connection/client.ts';
import type { Applied } from '../feed/changes.ts';
import type { Logger } from '../log.ts';
import { openChild } from './child.ts';

const CHILD = new URL('./catalog-child.ts', import.meta.url);
/** Keeps the process warm between changes: opening the lexicon takes half a second. */
const IDLE_MS = 300_000;

/** The job that applies queued catalog changes. */
export type CatalogJob = {
  /** Applies changes until the queue is empty. */
  run(): Promise<void>;
  close(): void;
};

/** Opens the job that applies changes queued by `submit_catalog`, in a child process. */
export function openCatalogJob(databaseUrl: string, sql: Sql, log: Logger): CatalogJob {
  const child = openChild<Applied>(CHILD, databaseUrl, { idleMs: IDLE_MS });
  return {
    async run() {
      while ((await readQueueState(sql)).changes > 0) {
        const started = Date.now();
        const applied = await child.ask();
        if (applied === null) return;
        const level = applied.faults > 0 ? 'warn' : 'info';
        log[level]({ ...applied, ms: Date.now() - started }, 'catalog changes applied');
      }
    },
    close: () => child.stop(),
  };
}
