import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordViews, type View } from '../../src/data/activity.ts';
import type { Sql } from '../../src/data/client.ts';
import { advanceWindow, sealDueHours } from '../../src/data/hours.ts';
import { takeSnapshot } from '../../src/data/snapshots.ts';
import { readMerchantActivity } from '../../src/data/stats.ts';
import { latestSnapshotInstant } from '../../src/domain/window.ts';
import { testDatabase } from '../support/database.ts';

const sql = await testDatabase();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MERCHANTS = [1, 2];
/** Minutes that the end of the sliding window lies behind the clock. */
const WINDOW_LAGS = [0, 1, 20, 59, 61];

// Items 10..13 belong to merchant 1 (offers 50, 51 too), 20..21 to merchant 2, 30 to nobody.
const OWNERS = new Map([
  [10, 1],
  [11, 1],
  [12, 1],
  [13, 1],
  [50, 1],
  [51, 1],
  [20, 2],
  [21, 2],
]);
for (const [item, merchant] of OWNERS) {
  const kind = item >= 50 ? 'offer' : 'product';
  await sql`insert into item_owner values (${kind}, ${item}, '-infinity', ${merchant})`;
}

type Event = { item: number; agent: boolean; at: number };

/** The obvious computation: look at every event. */
function naive(events: Event[], merchant: number, t: number) {
  const counts = new Map<string, number>();
  for (const { item, agent, at } of events) {
    if (OWNERS.get(item) !== merchant || at < t - DAY || at >= t) continue;
    const key = `${item >= 50 ? 'offer' : 'product'} ${item} ${agent ? 'agent' : 'user'}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort());
}

async function served(merchant: number, t: number, db: Sql = sql) {
  const { items } = await readMerchantActivity(db, merchant, new Date(t));
  const rows = items.flatMap(({ kind, id, user, agent }) => [
    ...(user > 0 ? [[`${kind} ${id} user`, user] as const] : []),
    ...(agent > 0 ? [[`${kind} ${id} agent`, agent] as const] : []),
  ]);
  return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const toView = ({ item, agent, at }: Event): View => ({
  kind: item >= 50 ? 'offer' : 'product',
  id: item,
  source: agent && item < 50 ? 'agent' : 'user',
  at: new Date(at).toISOString(),
});

/** Events near the edges of hours and of the window, and anywhere. */
const eventsNear = (now: number) => {
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
async function openWindow(db: Sql, instant: number) {
  await db`update window_state
    set until = date_trunc('minute', ${new Date(instant).toISOString()}::text::timestamptz)`;
  await db`select choose_window_merchants(1)`;
}

async function reset() {
  await sql`truncate view_event, view_hour, merchant_hour, hour_seal, window_merchant, window_view,
    snapshot_run, merchant_snapshot`;
  await sql`update window_state set until = null`;
}

describe('statistics against the obvious computation', () => {
  it('agree for random histories: before sealing, after it, and with late events', async () => {
    const now = Date.now() - 1000;
    const history = fc.record({
      early: eventsNear(now),
      late: eventsNear(now),
      large: fc.boolean(),
      windowLag: fc.constantFrom(...WINDOW_LAGS),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ early, late, large, windowLag }) => {
        await reset();
        const instants = [now, now - 1, now - HOUR - 1, Math.floor(now / HOUR) * HOUR];
        const check = async (events: Event[]) => {
          for (const merchant of MERCHANTS) {
            for (const t of instants)
              expect(await served(merchant, t)).toEqual(naive(events, merchant, t));
          }
        };
        await recordViews(sql, early.map(toView));
        await check(early);
        await sealDueHours(sql);
        // Every merchant counts as large: the sliding window takes part, behind the clock and then moved on.
        if (large) await openWindow(sql, now - windowLag * MINUTE);
        await check(early);
        await recordViews(sql, late.map(toView));
        await check([...early, ...late]);
        await advanceWindow(sql);
        await check([...early, ...late]);
      }),
      { numRuns: 25 },
    );
  });

  it.each(WINDOW_LAGS)('agree at the edges of a window that ended %i minutes ago', async (lag) => {
    await reset();
    const now = Date.now() - 1000;
    const ended = Math.floor(now / MINUTE - lag) * MINUTE;
    const events = [ended, ended - DAY, now, now - DAY]
      .flatMap((edge) => [-2, -1, 0, 1].map((ms) => edge + ms))
      .filter((at) => at <= now)
      .map((at) => ({ item: 10, agent: false, at }));
    const history = [{ item: 10, agent: false, at: now - 3 * HOUR }, ...events];
    await recordViews(sql, history.map(toView));
    await sealDueHours(sql);
    await openWindow(sql, now - lag * MINUTE);
    expect(await served(1, now)).toEqual(naive(history, 1, now));
    await recordViews(sql, events.map(toView));
    expect(await served(1, now)).toEqual(naive([...history, ...events], 1, now));
    await sql`select advance_window(${new Date(now).toISOString()}::text::timestamptz)`;
    expect(await served(1, now)).toEqual(naive([...history, ...events], 1, now));
  });

  it('agree in the snapshot: the hours before 14:00 MSK, without what came after it was taken', async () => {
    await reset();
    const due = latestSnapshotInstant(new Date()).getTime();
    const at = (ms: number, item: number, agent = false) => ({ item, agent, at: due + ms });
    const events = [
      at(-DAY - 1, 10),
      at(-DAY, 10),
      at(-DAY, 11, true),
      at(-1, 50),
      at(-1, 20),
      at(0, 12),
    ];
    const recordable = events.filter((event) => event.at > Date.now() - 47.9 * HOUR);
    await recordViews(sql, recordable.map(toView));
    await sealDueHours(sql);
    expect(await takeSnapshot(sql, new Date(due))).toEqual({ outcome: 'taken', merchants: 2 });
    await recordViews(sql, [toView(at(-1, 10))]);
    const inside = recordable.filter((event) => event.at >= due - DAY && event.at < due);
    const count = (merchant: number, test: (event: Event) => boolean) =>
      inside.filter((event) => OWNERS.get(event.item) === merchant && test(event)).length;
    for (const merchant of MERCHANTS) {
      const { baseline } = await readMerchantActivity(sql, merchant, new Date(due + 1));
      expect(baseline).toMatchObject({
        productUser: count(merchant, ({ item, agent }) => item < 50 && !agent),
        productAgent: count(merchant, ({ item, agent }) => item < 50 && agent),
        offerUser: count(merchant, ({ item }) => item >= 50),
      });
    }
  });

  it('lose and double nothing when hours are sealed while late events arrive', async () => {
    await reset();
    const now = Date.now() - 1000;
    const events = Array.from({ length: 2000 }, (_, index) => ({
      item: [10, 11, 20, 50][index % 4] ?? 10,
      agent: false,
      at: now - 3 * HOUR - (index % 40) * HOUR,
    }));
    const batches = Array.from({ length: 40 }, (_, part) =>
      events.filter((_, index) => index % 40 === part),
    );
    await Promise.all([
      ...batches.map((batch) => recordViews(sql, batch.map(toView))),
      sealDueHours(sql),
      sealDueHours(sql),
    ]);
    for (const merchant of MERCHANTS)
      expect(await served(merchant, now)).toEqual(naive(events, merchant, now));
    const [sums] = await sql<{ hours: number; merchants: number }[]>`
      select (select sum(views)::bigint from view_hour) as hours,
        (select sum(product_user + product_agent + offer_user)::bigint from merchant_hour) as merchants`;
    expect(sums).toEqual({ hours: 2000, merchants: 2000 });
  });

  it('lose and double nothing when the window moves while events of its minutes arrive', async () => {
    await reset();
    const now = Date.now() - 1000;
    await recordViews(sql, [
      { kind: 'product', id: 10, source: 'user', at: new Date(now - 3 * HOUR).toISOString() },
    ]);
    await sealDueHours(sql);
    await openWindow(sql, now - 30 * MINUTE);
    const events = Array.from({ length: 1600 }, (_, index) => ({
      item: [10, 11, 20, 50][index % 4] ?? 10,
      agent: false,
      at: now - (index % 50) * MINUTE - (index % 3 === 0 ? DAY - 30 * MINUTE : 0),
    }));
    const moves = [20, 10, 5, 1, 0].map((back) => new Date(now - back * MINUTE).toISOString());
    await Promise.all([
      ...Array.from({ length: 40 }, (_, part) =>
        recordViews(sql, events.filter((_, index) => index % 40 === part).map(toView)),
      ),
      (async () => {
        for (const at of moves) await sql`select advance_window(${at}::text::timestamptz)`;
      })(),
    ]);
    const [state] = await sql<
      { windows: number }[]
    >`select count(*) as windows from window_merchant`;
    expect(state?.windows).toBe(1);
    events.push({ item: 10, agent: false, at: now - 3 * HOUR });
    for (const merchant of MERCHANTS)
      expect(await served(merchant, now)).toEqual(naive(events, merchant, now));
  });

  it('do not depend on the time zone of the session that records', async () => {
    await reset();
    const now = Date.now() - 1000;
    const events = [now - DAY, now - DAY - 1, now - HOUR, now - 30 * 60_000].map((at) => ({
      item: 10,
      agent: false,
      at,
    }));
    await sql.begin(async (tx) => {
      await tx`set local timezone = 'Asia/Kolkata'`;
      await tx`select record_views(${JSON.stringify(events.map(toView))}::text::jsonb)`;
      await tx`select seal_hour(hour_of(now() - interval '3 hours'))`;
    });
    expect(await served(1, now)).toEqual(naive(events, 1, now));
  });
});

describe('statistics on days when clocks change, and on a leap day', () => {
  it.each([
    ['Europe/Berlin', '2027-03-28T12:34:56.789Z'],
    ['Europe/Berlin', '2027-10-31T05:00:00.000Z'],
    ['America/New_York', '2026-11-01T18:59:59.999Z'],
    ['America/Sao_Paulo', '2028-02-29T12:00:00.001Z'],
    ['UTC', '2028-03-01T00:00:00.000Z'],
  ])('in %s at %s are those of 24 hours of 60 minutes', async (zone, instant) => {
    await reset();
    const t = Date.parse(instant);
    const events: Event[] = [];
    for (let hour = -26; hour <= 1; hour += 1) {
      for (const ms of [-1, 0, 1]) {
        events.push({
          item: 10 + (Math.abs(hour) % 4),
          agent: hour % 2 === 0,
          at: t + hour * HOUR + ms,
        });
        const edge = Math.floor(t / HOUR) * HOUR + hour * HOUR + ms;
        events.push({ item: 20, agent: false, at: edge });
      }
    }
    await sql.begin(async (tx) => {
      await tx`select set_config('timezone', ${zone}, true)`;
      // Such events lie too far away for record_views: they are put where it would have put them.
      for (const { item, agent, at } of events) {
        const stamp = new Date(at).toISOString();
        await tx`select ensure_partition('view_event', hour_of(${stamp}::text::timestamptz), '1 hour')`;
        await tx`
          insert into view_event values (${stamp}::text::timestamptz, ${item}, ${OWNERS.get(item) ?? null},
            ${agent ? 2 : 1})`;
      }
      const sealed = Math.floor(t / HOUR) * HOUR;
      for (let hour = 26; hour >= 1; hour -= 1) {
        await tx`select seal_hour(${new Date(sealed - hour * HOUR).toISOString()}::text::timestamptz)`;
      }
      const check = async () => {
        for (const merchant of MERCHANTS) {
          expect(await served(merchant, t, tx as unknown as Sql)).toEqual(
            naive(events, merchant, t),
          );
        }
      };
      await check();
      await openWindow(tx as unknown as Sql, t - 40 * MINUTE);
      await check();
      await tx`select advance_window(${instant}::text::timestamptz)`;
      await check();
    });
  });
});
