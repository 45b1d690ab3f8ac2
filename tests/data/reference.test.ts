import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordViews } from '../../src/data/statistics/activity.ts';
import { advanceWindow, sealDueHours } from '../../src/data/statistics/hours.ts';
import { takeSnapshot } from '../../src/data/statistics/snapshots.ts';
import { readMerchantActivity } from '../../src/data/statistics/stats.ts';
import { latestSnapshotInstant } from '../../src/domain/stats.ts';
import { testDatabase } from '../support/database.ts';
import {
  DAY,
  type Event,
  eventsNear,
  HOUR,
  MERCHANTS,
  MINUTE,
  naive,
  OWNERS,
  openWindow,
  ownItems,
  reset,
  served,
  toView,
  WINDOW_LAGS,
} from '../support/view-history.ts';

const sql = await testDatabase();
await ownItems(sql);

describe('statistics against a naive computation', () => {
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
        await reset(sql);
        const instants = [now, now - 1, now - HOUR - 1, Math.floor(now / HOUR) * HOUR];
        const check = async (events: Event[]) => {
          for (const merchant of MERCHANTS) {
            for (const t of instants)
              expect(await served(sql, merchant, t)).toEqual(naive(events, merchant, t));
          }
        };
        await recordViews(sql, early.map(toView));
        await check(early);
        await sealDueHours(sql);
        // Every merchant counts as large, so that the sliding window is used, first behind the clock, then advanced.
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

  it('agree in the snapshot: the hours before 14:00 MSK, without what came after it was taken', async () => {
    await reset(sql);
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
    await reset(sql);
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
      expect(await served(sql, merchant, now)).toEqual(naive(events, merchant, now));
    const [sums] = await sql<{ hours: number; merchants: number }[]>`
      select (select sum(views)::bigint from view_hour) as hours,
        (select sum(product_user + product_agent + offer_user)::bigint from merchant_hour) as merchants`;
    expect(sums).toEqual({ hours: 2000, merchants: 2000 });
  });

  it('do not depend on the time zone of the session that records', async () => {
    await reset(sql);
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
    expect(await served(sql, 1, now)).toEqual(naive(events, 1, now));
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
    await reset(sql);
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
      // Such events are too old for record_views: they are inserted as it would have done.
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
          expect(await served(tx, merchant, t)).toEqual(naive(events, merchant, t));
        }
      };
      await check();
      await openWindow(tx, t - 40 * MINUTE);
      await check();
      await tx`select advance_window(${instant}::text::timestamptz)`;
      await check();
    });
  });
});
