import { describe, expect, it } from 'vitest';
import { recordViews } from '../../src/data/statistics/activity.ts';
import { sealDueHours } from '../../src/data/statistics/hours.ts';
import { testDatabase } from '../support/database.ts';
import {
  DAY,
  HOUR,
  MERCHANTS,
  MINUTE,
  naive,
  openWindow,
  ownItems,
  reset,
  served,
  toView,
  WINDOW_LAGS,
} from '../support/view-history.ts';

const sql = await testDatabase();
await ownItems(sql);

describe('the sliding window of large merchants', () => {
  it.each(WINDOW_LAGS)('agree at the edges of a window that ended %i minutes ago', async (lag) => {
    await reset(sql);
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
    expect(await served(sql, 1, now)).toEqual(naive(history, 1, now));
    await recordViews(sql, events.map(toView));
    expect(await served(sql, 1, now)).toEqual(naive([...history, ...events], 1, now));
    await sql`select advance_window(${new Date(now).toISOString()}::text::timestamptz)`;
    expect(await served(sql, 1, now)).toEqual(naive([...history, ...events], 1, now));
  });

  it('lose and double nothing when the window moves while events of its minutes arrive', async () => {
    await reset(sql);
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
      expect(await served(sql, merchant, now)).toEqual(naive(events, merchant, now));
  });
});
