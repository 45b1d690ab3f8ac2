/** Pieces of live work that may be under way: with more, all of them come too late. */
const MAX_LIVE_WORK = 512;
/** A timer that fires this late tells of work that waits, in ms. */
const LATE_MS = 40;
const TICK_MS = 20;
/** A burst is not an overload: nothing is refused before so long without a timely tick. */
const PATIENCE_MS = 500;
/** How much more of the work is refused with each late tick, and how much less with each timely one. */
const SHED_MORE = 0.05;
const SHED_LESS = 0.01;
const SHED_MOST = 0.9;

export type LoadShedder = {
  /** True when one more piece of work may begin; `finish` tells its end. */
  begin(): boolean;
  finish(): void;
  close(): void;
};

/**
 * Watches how far the process lags behind and refuses a share of the live work when it does so for long:
 * an answer "come back in a second" costs little, and the others stay in time.
 */
export function makeLoadShedder(): LoadShedder {
  let underWay = 0;
  const lag = makeLagWatch();
  let dealt = 0;
  const timer = setInterval(() => lag.tick(performance.now()), TICK_MS);
  timer.unref();

  return {
    begin() {
      // Refusals are dealt out evenly: every time the sum of shares passes a whole, one is refused.
      dealt += lag.share();
      if (dealt >= 1) {
        dealt -= 1;
        return false;
      }
      if (underWay >= MAX_LIVE_WORK) return false;
      underWay += 1;
      return true;
    },
    finish() {
      underWay -= 1;
    },
    close: () => clearInterval(timer),
  };
}

/** Turns the instants of a timer that should fire every TICK_MS into the share of work to refuse. */
export function makeLagWatch() {
  let last: number | null = null;
  let lateSince: number | null = null;
  let share = 0;
  return {
    share: () => share,
    tick(now: number) {
      const late = last !== null && now - last > TICK_MS + LATE_MS;
      if (!late) {
        lateSince = null;
        share = Math.max(0, share - SHED_LESS);
      } else {
        lateSince ??= last ?? now;
        const patience = share > 0 ? 0 : PATIENCE_MS;
        if (now - lateSince > patience) share = Math.min(SHED_MOST, share + SHED_MORE);
      }
      last = now;
    },
  };
}
