/**
 * A timer that fires this much too late tells of work that waits, in ms: who is refused is to know within
 * 50 ms. With 40 the process answered a tenth more, and refused half of the others only after 50 ms.
 */
const LATE_MS = 20;
const TICK_MS = 10;
/** So many late timers in a row are no longer the burst of a moment, which is better answered than refused. */
const STANDING_TICKS = 3;
/** After a late timer the process is taken to lag for so long, in ms. */
const LAG_MS = 1000;
/** A pause that no work of ours explains, such as a suspended machine, counts for no more than this. */
const DEEPEST_CUT = 0.2;

/** How many pieces of a kind of work may be under way: as a rule, and at the very least. */
export type WorkLimits = { most: number; least: number };

/**
 * Kinds of live work: a catalog call takes milliseconds of the processor, any other a fraction of one. The
 * most is what a burst may be: of catalog calls as many as the gate of the database lets in, because one
 * that is refused there has cost something already. The least keeps the database busy.
 */
export const WORK_LIMITS = {
  catalog: { most: 256, least: 16 },
  other: { most: 4096, least: 128 },
} as const satisfies Record<string, WorkLimits>;

/** Admits work of one kind. */
export type WorkLimiter = {
  /** True when one more piece of work may begin; `finish` tells its end. */
  begin(): boolean;
  finish(): void;
};

/**
 * Limits how much live work is under way at once. While the process keeps up the limit is wide; when it
 * lags behind, the limit is cut by as much as it lags, and widens again bit by bit. What is refused costs
 * little, and what is admitted stays in time.
 */
export function watchOverload(): {
  limiters: Record<keyof typeof WORK_LIMITS, WorkLimiter>;
  /** True while the process lags behind its callers, and shortly after. */
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

/** One limit; `tick` is told how much too late a timer fired, in ms. */
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
