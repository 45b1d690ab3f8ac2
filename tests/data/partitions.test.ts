import { describe, expect, it } from 'vitest';
import { recordViews } from '../../src/data/statistics/activity.ts';
import { dropOldStatistics, preparePartitions } from '../../src/data/statistics/hours.ts';
import { readMerchantActivity } from '../../src/data/statistics/stats.ts';
import { testDatabase } from '../support/database.ts';

const sql = await testDatabase();
const HOUR = 3_600_000;

describe('a batch with a key', () => {
  it('is recorded once, however often it is sent', async () => {
    const batch = [
      {
        kind: 'product' as const,
        id: 10,
        source: 'user' as const,
        at: new Date(Date.now() - HOUR).toISOString(),
      },
    ];
    const results = await Promise.all([1, 2, 3, 4].map(() => recordViews(sql, batch, 'same-key')));
    expect(results.toSorted()).toEqual([0, 0, 0, 1]);
    expect(await recordViews(sql, batch, 'same-key')).toBe(0);
  });
});

describe('partitions', () => {
  it('are made ahead, and dropped when sealed and past their time', async () => {
    const names = async () => {
      const rows = await sql<{ name: string }[]>`
        select inhrelid::regclass::text as name from pg_inherits
        where inhparent = 'view_event'::regclass order by 1`;
      return rows.map(({ name }) => name);
    };
    const stamp = (ms: number) => new Date(ms).toISOString().replace(/\D/g, '').slice(0, 10);
    await preparePartitions(sql);
    expect(await names()).toContain(`view_event_${stamp(Date.now() + 20 * HOUR)}`);
    const old = Math.floor((Date.now() - 60 * HOUR) / HOUR) * HOUR;
    for (const hour of [old, old - HOUR]) {
      await sql`select ensure_partition('view_event', ${new Date(hour).toISOString()}::text::timestamptz, '1 hour')`;
    }
    await sql`insert into hour_seal (hour) values (${new Date(old).toISOString()}::text::timestamptz)`;
    expect(await dropOldStatistics(sql)).toBe(1);
    expect(await names()).not.toContain(`view_event_${stamp(old)}`);
    expect(await names()).toContain(`view_event_${stamp(old - HOUR)}`);
  });

  it('are made once by concurrent sessions', async () => {
    const hour = new Date(Math.floor((Date.now() - 80 * HOUR) / HOUR) * HOUR).toISOString();
    const [first, second] = [await sql.reserve(), await sql.reserve()];
    await first`begin`;
    await first`select ensure_partition('view_event', ${hour}::text::timestamptz, '1 hour')`;
    const other = second`select ensure_partition('view_event', ${hour}::text::timestamptz, '1 hour')`;
    const made = other.then(() => 'made', String);
    const waiting = async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and not granted`).length;
    await expect.poll(waiting).toBe(1);
    await first`commit`;
    expect(await made).toBe('made');
    for (const session of [first, second]) session.release();
  });

  it('in use by a reader are dropped at the next run, without blocking readers meanwhile', async () => {
    const old = Math.floor((Date.now() - 70 * HOUR) / HOUR) * HOUR;
    const stamp = new Date(old).toISOString();
    await sql`select ensure_partition('view_event', ${stamp}::text::timestamptz, '1 hour')`;
    await sql`insert into hour_seal (hour) values (${stamp}::text::timestamptz)`;
    await sql.begin(async (reader) => {
      await reader`select count(*) from view_event`;
      expect(await dropOldStatistics(sql)).toBe(0);
      expect(await readMerchantActivity(sql, 1)).toHaveProperty('items');
    });
    expect(await dropOldStatistics(sql)).toBe(1);
  });
});
