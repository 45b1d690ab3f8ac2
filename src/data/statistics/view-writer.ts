import { randomUUID } from 'node:crypto';
import { inTime } from '../../domain/in-time.ts';
import type { View, WaitingView } from './activity.ts';

/** A buffered view, and its time by the monotonic clock in ms. */
type Waiting = { view: Omit<View, 'at'>; sinceMs: number; done(): void };

/** Writes agent views in batches. */
export type ViewWriter = {
  /** Resolves when the view is durable, or at once while Postgres rejects writes until someone intervenes. */
  write(view: Omit<View, 'at'>): Promise<void>;
  /** Returns the number of unwritten views. */
  pending(): number;
  /** Flushes the buffer for at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
};

const MAX_BATCH = 1000;
const MAX_WAITING = 20_000;
const RETRY_MS = 100;
/** A missing privilege or function, or a read-only database, will not be fixed within a second. */
const REFUSED_RETRY_MS = 30_000;

/** Classifies an error: Postgres rejects the data, or rejects writes in its current state; null if transient. */
function refusalOf(error: unknown): 'data' | 'state' | null {
  if (!(error instanceof Error && 'severity' in error)) return null;
  const { code = '' } = error as NodeJS.ErrnoException;
  // Transient SQLSTATE classes: connection, rollback, resources, locks, intervention, system, internal.
  if (/^(08|40|53|55|57|58|XX)/.test(code)) return null;
  return /^2[23]/.test(code) ? 'data' : 'state';
}

/**
 * Writes single views by group commit: those that arrive during a write go with the next batch. A batch of unknown
 * outcome is resent under the same key, so that no view counts twice. One rejected for its data is dropped; one
 * rejected for the database's state is retried at long intervals, with all later ones queued. The buffer is
 * bounded; `write` rejects beyond it.
 */
export function makeViewWriter(
  record: (views: WaitingView[], batchKey: string) => Promise<unknown>,
  onFailure: (error: unknown) => void,
): ViewWriter {
  let isRefused = false;
  let wake = () => {};
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
        // The age is recomputed per attempt, so a view keeps its time however long the outage.
        const now = performance.now();
        await record(
          batch.map(({ view, sinceMs }) => ({ ...view, ageMs: now - sinceMs })),
          key,
        );
        isRefused = false;
        return;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal !== 'state' || !isRefused) onFailure(error);
        if (refusal === 'data') return;
        isRefused = refusal === 'state';
        if (isRefused) for (const { done } of [...batch, ...waiting]) done();
        await new Promise<void>((again) => {
          wake = again;
          setTimeout(again, isRefused ? REFUSED_RETRY_MS : RETRY_MS).unref();
        });
      }
    }
  }

  return {
    pending: () => waiting.length + inFlight,
    write(view) {
      if (waiting.length >= MAX_WAITING)
        return Promise.reject(new Error('the view buffer is full'));
      return new Promise((done) => {
        waiting.push({ view, sinceMs: performance.now(), done });
        if (isRefused) done();
        running ??= Promise.resolve().then(run);
      });
    },
    async drain(limitMs) {
      wake();
      const late = () => new Error('views are left');
      if (running !== null) await inTime(running, limitMs, late).catch(() => {});
    },
  };
}
