import { describe, expect, it } from 'vitest';
import { recordViews, type View } from '../../src/data/statistics/activity.ts';
import { sealDueHours } from '../../src/data/statistics/hours.ts';
import { takeSnapshot } from '../../src/data/statistics/snapshots.ts';
import { readMerchantActivity } from '../../src/data/statistics/stats.ts';
import { latestSnapshotInstant, merchantStats } from '../../src/domain/stats.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { testDatabase } from '../support/database.ts';

const sql = await testDatabase();
await importFeed(
  sql,
  [
    { kind: 'merchant', id: 7, name: 'Aurora' },
    { kind: 'merchant', id: 8, name: 'Poente' },
    ...[1, 2, 3].map((id) => ({ kind: 'product', id, merchant_id: 7, name: `Produto ${id}` })),
    { kind: 'offer', id: 50, merchant_id: 7, title: 'Oferta 50' },
  ].map((record) => JSON.stringify(record)),
  { replace: false, skipInvalid: false, analyser: openAnalyser() },
);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = new Date(Math.floor(Date.now() / 1000) * 1000 - 1000);
const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
const view = (id: number, ms: number, source: View['source'] = 'user'): View => ({
  kind: id === 50 ? 'offer' : 'product',
  id,
  source,
  at: at(ms),
});

describe('the rolling 24 hours', () => {
  it('covers [now - 24 h, now) to the event; ties are ordered by id', async () => {
    await recordViews(sql, [
      view(1, -DAY - 1),
      view(1, -DAY),
      view(2, -1),
      view(2, 0),
      view(3, -HOUR, 'agent'),
      view(50, -2 * HOUR),
    ]);
    const stats = merchantStats(7, await readMerchantActivity(sql, 7, now));
    expect(stats.products.map(({ id, viewsCount }) => [id, viewsCount])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(stats).toMatchObject({
      merchantName: 'Aurora',
      productViewsCount: 3,
      productUserViewsCount: 2,
      productAgentViewsCount: 1,
      offerViewsCount: 1,
      totalViewsCount: 4,
    });
    expect(stats.offers).toEqual([
      { id: 50, name: 'Oferta 50', viewsCount: 1, userViewsCount: 1, agentViewsCount: 0 },
    ]);
    expect(stats).not.toHaveProperty('comparisonDate');
  });

  it('agrees with a naive count over random events at every edge', async () => {
    const events: View[] = [];
    for (let hour = -30; hour <= 0; hour += 1) {
      for (const offset of [-1, 0, 1]) {
        const ms = Math.min(0, hour * HOUR + offset);
        events.push(view(1 + (Math.abs(hour) % 3), ms, hour % 2 ? 'user' : 'agent'));
      }
    }
    await sql`truncate view_event`;
    await recordViews(sql, events);
    for (const end of [0, -1, -HOUR, -2 * HOUR + 1, -5 * HOUR - 1]) {
      const limit = now.getTime() + end;
      const inside = events.filter((event) => {
        const instant = Date.parse(event.at ?? '');
        return instant >= limit - DAY && instant < limit;
      });
      const stats = merchantStats(7, await readMerchantActivity(sql, 7, new Date(limit)));
      expect(stats.productViewsCount).toBe(inside.length);
      expect(stats.productAgentViewsCount).toBe(
        inside.filter(({ source }) => source === 'agent').length,
      );
    }
  });
});

describe('the daily snapshot', () => {
  const due = latestSnapshotInstant(new Date());

  it('is taken once, for the 24 hours before 14:00 MSK, and late events never rewrite it', async () => {
    await sql`truncate view_event`;
    const inside = new Date(due.getTime() - HOUR).toISOString();
    await recordViews(sql, [
      { kind: 'product', id: 1, source: 'user', at: inside },
      { kind: 'product', id: 1, source: 'agent', at: inside },
      { kind: 'offer', id: 50, source: 'user', at: inside },
    ]);
    expect(await takeSnapshot(sql, due)).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('0 of the 24 hours'),
    });
    await sealDueHours(sql);
    expect(await Promise.all([takeSnapshot(sql, due), takeSnapshot(sql, due)])).toEqual(
      expect.arrayContaining([{ outcome: 'taken', merchants: 1 }, { outcome: 'already-taken' }]),
    );
    await recordViews(sql, [{ kind: 'product', id: 1, source: 'user', at: inside }]);
    expect(await takeSnapshot(sql, due)).toEqual({ outcome: 'already-taken' });
    const { baseline } = await readMerchantActivity(sql, 7, new Date(due.getTime() + 1));
    expect(baseline).toEqual({
      date: due.toISOString().slice(0, 10),
      productUser: 1,
      productAgent: 1,
      offerUser: 1,
    });
  });

  it('is the baseline strictly after its instant; an absent merchant has zeros in it', async () => {
    expect((await readMerchantActivity(sql, 7, due)).baseline).toBeNull();
    const { baseline } = await readMerchantActivity(sql, 8, new Date(due.getTime() + 1));
    expect(baseline).toMatchObject({ productUser: 0, productAgent: 0, offerUser: 0 });
  });

  it('is refused for an instant in the future or whose hours are not all sealed', async () => {
    expect(await takeSnapshot(sql, new Date(due.getTime() + DAY))).toMatchObject({
      outcome: 'refused',
    });
    expect(await takeSnapshot(sql, new Date(due.getTime() - 4 * DAY))).toMatchObject({
      outcome: 'refused',
    });
  });
});
