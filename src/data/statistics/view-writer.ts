import { randomUUID } from 'node:crypto';
import type { View, WaitingView } from './activity.ts';

/** A view, and when it happened by a clock that nobody sets, in ms. */
type Waiting = { view: Omit<View, 'at'>; sinceMs: number; done(): void };

/** Writes agent views, many with one statement. */
export type ViewWriter = {
  /** Resolves when the view is durable. */
  write(view: Omit<View, 'at'>): Promise<void>;
  /** How many views wait to be written. */
  pending(): number;
  /** Writes what waits, for as long as `limitMs`. */
  drain(limitMs: number): Promise<void>;
};

const MAX_BATCH = 1000;
const MAX_WAITING = 20_000;
const RETRY_MS = 100;

/**
 * Writes single views by group commit: those that arrive while a batch is on its way go with the next.
 * A batch whose outcome is unknown is sent again under the same key, so that no view counts twice. The
 * buffer is bounded; a view beyond it is refused, and its caller told.
 */
export function makeViewWriter(
  record: (views: WaitingView[], batchKey: string) => Promise<unknown>,
  onRetry: (error: unknown) => void,
): ViewWriter {
  let waiting: Waiting[] = [];
  let inFlight = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      inFlight = batch.length;
      await recordUntilDone(batch);
      inFlight = 0;
      for (const { done } of batch) done();
    }
    running = null;
  }

  async function recordUntilDone(batch: Waiting[]): Promise<void> {
    const key = randomUUID();
    for (;;) {
      try {
        // A view is of the time when it happened, however long the database is away.
        const now = performance.now();
        await record(
          batch.map(({ view, sinceMs }) => ({ ...view, ageMs: now - sinceMs })),
          key,
        );
        return;
      } catch (error) {
        onRetry(error);
        await new Promise((again) => setTimeout(again, RETRY_MS).unref());
      }
    }
  }

  return {
    pending: () => waiting.length + inFlight,
    write(view) {
      if (waiting.length >= MAX_WAITING) return Promise.reject(new Error('too many views wait'));
      return new Promise((done) => {
        waiting.push({ view, sinceMs: performance.now(), done });
        running ??= Promise.resolve().then(run);
      });
    },
    async drain(limitMs) {
      const limit = new Promise((done) => setTimeout(done, limitMs).unref());
      if (running !== null) await Promise.race([running, limit]);
    },
  };
}
