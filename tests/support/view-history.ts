import fc from 'fast-check';
import type { Sql } from '../../src/data/connection/client.ts';
import type { View } from '../../src/data/statistics/activity.ts';
import { readMerchantActivity } from '../../src/data/statistics/stats.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const MERCHANTS = [1, 2];
/** Minutes that the end of the sliding window lies behind the clock. */
export const WINDOW_LAGS = [0, 1, 20, 59, 61];

// Items 10..13 belong to merchant 1 (offers 50, 51 too), 20..21 to merchant 2, 30 to nobody.
export const OWNERS = new Map([
  [10, 1],
  [11, 1],
  [12, 1],
  [13, 1],
  [50, 1],
  [51, 1],
  [20, 2],
  [21, 2],
]);
/** Tells the catalog's history who owns the items. */
export async function ownItems(db: Sql) {
  for (const [item, merchant] of OWNERS) {
    const kind = item >= 50 ? 'offer' : 'product';
    await db`insert into item_owner values (${kind}, ${item}, '-infinity', ${merchant})`;
  }
}

export type Event = { item: number; agent: boolean; at: number };

/** The obvious computation: look at every event. */
export function naive(events: Event[], merchant: number, t: number) {
  const counts = new Map<string, number>();
  for (const { item, agent, at } of events) {
    if (OWNERS.get(item) !== merchant || at < t - DAY || at >= t) continue;
    const key = `${item >= 50 ? 'offer' : 'product'} ${item} ${agent ? 'agent' : 'user'}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort());
}

/** What the service says, in the shape of `naive`. */
export async function served(db: Sql, merchant: number, t: number) {
  const { items } = await readMerchantActivity(db, merchant, new Date(t));
  const rows = items.flatMap(({ kind, id, user, agent }) => [
    ...(user > 0 ? [[`${kind} ${id} user`, user] as const] : []),
    ...(agent > 0 ? [[`${kind} ${id} agent`, agent] as const] : []),
  ]);
  return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** An event as record_views takes it. */
export const toView = ({ item, agent, at }: Event): View => ({
  kind: item >= 50 ? 'offer' : 'product',
  id: item,
  source: agent && item < 50 ? 'agent' : 'user',
  at: new Date(at).toISOString(),
});

/** Events near the edges of hours and of the window, and anywhere. */
export const eventsNear = (now: number) => {
  const thisHour = Math.floor(now / HOUR) * HOUR;
  const instant = fc.oneof(
    fc
      .tuple(fc.integer({ min: -46, max: 0 }), fc.constantFrom(-1, 0, 1))
      .map(([hour, ms]) => thisHour + hour * HOUR + ms),
    fc.constantFrom(-1, 0, 1).map((ms) => now - DAY + ms),
    fc
      .tuple(fc.constantFrom(...WINDOW_LAGS), fc.constantFrom(0, DAY), fc.constantFrom(-1, 0, 1))
      .map(([lag, back, ms]) => Math.floor(now / MINUTE - lag) * MINUTE - back + ms),
    fc.integer({ min: now - 46 * HOUR, max: now - 1 }),
  );
  const event = fc.record({
    item: fc.constantFrom(...OWNERS.keys(), 30),
    agent: fc.boolean(),
    at: instant.map((ms) => Math.min(ms, now - 1)),
  });
  return fc
    .array(event, { minLength: 1, maxLength: 60 })
    .map((list) => list.map((one) => ({ ...one, agent: one.agent && one.item < 50 })));
};

/** Gives every merchant a window that ends at the last full minute before an instant. */
export async function openWindow(db: Sql, instant: number) {
  await db`update window_state
    set until = date_trunc('minute', ${new Date(instant).toISOString()}::text::timestamptz)`;
  await db`select choose_window_merchants(1)`;
}

/** Forgets every view. */
export async function reset(db: Sql) {
  await db`truncate view_event, view_hour, merchant_hour, hour_seal, window_merchant, window_view,
    snapshot_run, merchant_snapshot`;
  await db`update window_state set until = null`;
}
