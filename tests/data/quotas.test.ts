import { describe, expect, it } from 'vitest';
import {
  addQuotaPoints,
  purgeExpiredQuotas,
  type QuotaCount,
  readQuotaPoints,
} from '../../src/data/quotas.ts';
import { testDatabase } from '../support/database.ts';

const HOUR_MS = 3_600_000;

/** The clock goes on between the count and the look at it. */
function expectCount({ points, msBeforeNext }: QuotaCount, expected: number): void {
  expect(points).toBe(expected);
  expect(msBeforeNext).toBeGreaterThan(0);
  expect(msBeforeNext).toBeLessThanOrEqual(HOUR_MS);
}

describe('quotas in Postgres', async () => {
  const sql = await testDatabase();

  it('count within a window, by the clock of the database', async () => {
    expectCount(await addQuotaPoints(sql, 'a', 3, HOUR_MS), 3);
    expectCount(await addQuotaPoints(sql, 'a', 2, HOUR_MS), 5);
    expect((await readQuotaPoints(sql, 'a', HOUR_MS))?.points).toBe(5);
    expect(await readQuotaPoints(sql, 'b', HOUR_MS)).toBeNull();
  });

  it.each([
    ['is over', -1000],
    ['ends later than it can, because the clock was set back', 25 * HOUR_MS],
  ])('begin a new window when the old one %s', async (_, shiftMs) => {
    await addQuotaPoints(sql, 'shifted', 600, HOUR_MS);
    await sql`update rate_limit set expire = (extract(epoch from now()) * 1000)::bigint + ${shiftMs}
      where key = 'shifted'`;
    expect(await readQuotaPoints(sql, 'shifted', HOUR_MS)).toBeNull();
    expectCount(await addQuotaPoints(sql, 'shifted', 1, HOUR_MS), 1);
  });

  it('never overflow, and are purged when their window is over', async () => {
    await sql`insert into rate_limit values ('full', 2147483647,
      (extract(epoch from now()) * 1000)::bigint + 1000)`;
    expect((await addQuotaPoints(sql, 'full', 1, HOUR_MS)).points).toBe(2_000_000_000);
    await sql`update rate_limit set expire = 1`;
    expect(await purgeExpiredQuotas(sql)).toBeGreaterThanOrEqual(3);
  });
});
