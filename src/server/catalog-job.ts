import { readQueueState } from '../data/catalog/queue.ts';
import type { Sql } from '../data/connection/client.ts';
import type { Applied } from '../feed/changes.ts';
import type { Logger } from '../log.ts';
import { openChild } from './child.ts';

const CHILD = new URL('./catalog-child.ts', import.meta.url);
/** Opening the lexicon takes half a second: a mall that changes something every minute is spared it. */
const IDLE_MS = 300_000;

/** The catalog's queue as a job. */
export type CatalogJob = {
  /** Applies what waits on the queue. */
  run(): Promise<void>;
  close(): void;
};

/** The catalog's queue as a job: what `submit_catalog` queued is applied in a process of its own. */
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
