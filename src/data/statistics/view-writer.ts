import { randomUUID } from 'node:crypto';
import { inTime } from '../../domain/in-time.ts';
import type { View, WaitingView } from './activity.ts';

/** A view, and when it happened by a clock that nobody sets, in ms. */
type Waiting = { view: Omit<View, 'at'>; sinceMs: number; done(): void };

/** Writes agent views, many with one statement. */
export type ViewWriter = {
  /** Resolves when the view is durable, or when it waits for somebody to mend what Postgres refuses. */
  write(view: Omit<View, 'at'>): Promise<void>;
  /** How many views wait to be written. */
  pending(): number;
  /** Writes what waits, for as long as `limitMs`. */
  drain(limitMs: number): Promise<void>;
};

const MAX_BATCH = 1000;
const MAX_WAITING = 20_000;
const RETRY_MS = 100;
/** A lacking right, a missing function, a database that is read-only: the next second will not mend it. */
const REFUSED_RETRY_MS = 30_000;

/** What Postgres says of a batch: null when it did not come to an answer, or time alone will mend it. */
function refusalOf(error: unknown): 'data' | 'state' | null {
  if (!(error instanceof Error && 'severity' in error)) return null;
  const { code = '' } = error as NodeJS.ErrnoException;
  // Of SQLSTATE: connections, rollbacks, resources, locks, interventions, the system, faults of its own.
  if (/^(08|40|53|55|57|58|XX)/.test(code)) return null;
  return /^2[23]/.test(code) ? 'data' : 'state';
}

/**
 * Writes single views by group commit: those that arrive while a batch is on its way go with the next.
 * A batch whose outcome is unknown is sent again under the same key, so that no view counts twice. One that
 * Postgres refuses for its data is dropped; one that it refuses for its own state waits, as do all after it,
 * and is tried now and then. The buffer is bounded; a view beyond it is refused, and its caller told.
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
        // A view is of the time when it happened, however long the database is away.
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
      if (waiting.length >= MAX_WAITING) return Promise.reject(new Error('too many views wait'));
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
