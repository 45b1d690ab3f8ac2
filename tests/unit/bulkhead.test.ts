import { describe, expect, it } from 'vitest';
import { openBulkhead } from '../../src/data/connection/bulkhead.ts';

describe('the bulkhead in front of the database', () => {
  it('refuses work at once while too much is in flight, and admits it again afterwards', async () => {
    const bulkhead = openBulkhead(2);
    let release = () => {};
    const held = new Promise<string>((done) => {
      release = () => done('late');
    });
    const first = bulkhead.run(() => held);
    const second = bulkhead.run(() => held);
    await expect(bulkhead.run(async () => 'more')).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      retryAfterSeconds: 1,
    });
    release();
    expect(await Promise.all([first, second])).toEqual(['late', 'late']);
    expect(await bulkhead.run(async () => 'again')).toBe('again');
  });

  it('admits a burst, and refuses more than a quarter of it when the oldest does not end', async () => {
    const bulkhead = openBulkhead(8);
    const stuck = () => bulkhead.run(() => new Promise(() => {})).catch(() => 'failed');
    const burst = [stuck(), stuck(), stuck()];
    expect(bulkhead.inFlight()).toBe(3);
    await expect.poll(bulkhead.oldestMs).toBeGreaterThan(250);
    await expect(bulkhead.run(async () => 'more')).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
    });
    expect(await Promise.all(burst)).toEqual(['failed', 'failed', 'failed']);
  });

  it('rejects at the deadline, and counts what still runs', async () => {
    const bulkhead = openBulkhead(1);
    const started = performance.now();
    await expect(bulkhead.run(() => new Promise(() => {}))).rejects.toMatchObject({ status: 500 });
    expect(performance.now() - started).toBeGreaterThan(900);
    await expect(bulkhead.run(async () => 'next')).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
    });
  });
});
