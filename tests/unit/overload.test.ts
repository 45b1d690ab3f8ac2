import { describe, expect, it } from 'vitest';
import { makeLimit } from '../../src/server/overload.ts';

describe('the concurrency limit', () => {
  it('admits work up to the limit, and again when some is finished', () => {
    const limit = makeLimit({ most: 2, least: 1 });
    expect([limit.begin(), limit.begin(), limit.begin()]).toEqual([true, true, false]);
    limit.finish();
    expect([limit.begin(), limit.begin()]).toEqual([true, false]);
  });

  it('is cut in proportion to the lag, not below its floor, and rises again', () => {
    const limit = makeLimit({ most: 100, least: 10 });
    limit.tick(15);
    // The first two late ticks may be a short burst.
    for (const late of [40, 40, 0, 40, 40]) limit.tick(late);
    expect(limit.limit()).toBe(100);
    limit.tick(40);
    expect(limit.limit()).toBe(50);
    // After any pause, at most to a fifth at once.
    limit.tick(60_000);
    expect(limit.limit()).toBe(10);
    for (let tick = 0; tick < 250; tick += 1) limit.tick(0);
    expect(limit.limit()).toBeCloseTo(60);
    for (let tick = 0; tick < 500; tick += 1) limit.tick(0);
    expect(limit.limit()).toBe(100);
  });
});
