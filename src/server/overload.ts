/**
 * Event-loop lag that counts as overload. Requests are to be refused within 50 ms: with 40, the process answered
 * a tenth more, but half of the refusals took longer.
 */
const LATE_MS = 20;
const TICK_MS = 10;
/** Late timers in a row before load is shed: a short burst is better answered than refused. */
const STANDING_TICKS = 3;
/** How long the process counts as lagging after a late timer. */
const LAG_MS = 1000;
/** Smallest factor of one cut: a long pause may be a suspended machine. */
const DEEPEST_CUT = 0.2;

/** Concurrency limit of a kind of work: normal and floor. */
export type WorkLimits = { most: number; least: number };

/**
 * Kinds of live work: a catalog call takes milliseconds of CPU, any other a fraction of one. `most` allows a burst;
 * for catalog calls it equals the bulkhead of the database pool, because a call refused there has already cost CPU.
 * `least` keeps the database busy.
 */
export const WORK_LIMITS = {
  catalog: { most: 256, least: 16 },
  other: { most: 4096, least: 128 },
} as const satisfies Record<string, WorkLimits>;

/** Admits work of one kind. */
export type WorkLimiter = {
  /** Takes a slot if one is free; `finish` returns it. */
  begin(): boolean;
  finish(): void;
};

/**
 * Starts load shedding: adaptive concurrency limits, cut in proportion to event-loop lag and raised again step by
 * step. Refusals cost little, and admitted requests meet their deadline.
 */
export function watchOverload(): {
  limiters: Record<keyof typeof WORK_LIMITS, WorkLimiter>;
  /** True while the event loop lags, and shortly after. */
  lags(): boolean;
  close(): void;
} {
  const limits = { catalog: makeLimit(WORK_LIMITS.catalog), other: makeLimit(WORK_LIMITS.other) };
  let last = performance.now();
  let lateAt = -Infinity;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last - TICK_MS > LATE_MS) lateAt = now;
    for (const limit of Object.values(limits)) limit.tick(now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  timer.unref();
  const lags = () => performance.now() - lateAt < LAG_MS;
  return { limiters: limits, lags, close: () => clearInterval(timer) };
}

/** Makes one limit; `tick` takes the measured event-loop lag. */
export function makeLimit({ most, least }: WorkLimits) {
  let limit: number = most;
  let underWay = 0;
  let lateTicks = 0;
  return {
    limit: () => limit,
    tick(lateMs: number) {
      lateTicks = lateMs > LATE_MS ? lateTicks + 1 : 0;
      if (lateTicks === 0) limit = Math.min(most, limit + most / 500);
      if (lateTicks < STANDING_TICKS) return;
      limit = Math.max(least, limit * Math.max(DEEPEST_CUT, LATE_MS / lateMs));
    },
    begin() {
      if (underWay >= limit) return false;
      underWay += 1;
      return true;
    },
    finish() {
      underWay -= 1;
    },
  };
}
