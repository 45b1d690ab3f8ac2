import { describe, expect, it } from 'vitest';
import { openGate } from '../../src/data/connection/gate.ts';

describe('the gate in front of the database', () => {
  it('refuses work at once while too much is under way, and lets it in again afterwards', async () => {
    const gate = openGate(2);
    let release = () => {};
    const held = new Promise<string>((done) => {
      release = () => done('late');
    });
    const first = gate.run(() => held);
    const second = gate.run(() => held);
    await expect(gate.run(async () => 'more')).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      retryAfterSeconds: 1,
    });
    release();
    expect(await Promise.all([first, second])).toEqual(['late', 'late']);
    expect(await gate.run(async () => 'again')).toBe('again');
  });

  it('lets a burst in, and refuses more than a quarter of it when the oldest does not end', async () => {
    const gate = openGate(8);
    const stuck = () => gate.run(() => new Promise(() => {})).catch(() => 'failed');
    const burst = [stuck(), stuck(), stuck()];
    expect(gate.inFlight()).toBe(3);
    await expect.poll(gate.oldestMs).toBeGreaterThan(250);
    await expect(gate.run(async () => 'more')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(await Promise.all(burst)).toEqual(['failed', 'failed', 'failed']);
  });

  it('lets nobody wait longer than the deadline, and counts what still runs', async () => {
    const gate = openGate(1);
    const started = performance.now();
    await expect(gate.run(() => new Promise(() => {}))).rejects.toMatchObject({ status: 500 });
    expect(performance.now() - started).toBeGreaterThan(900);
    await expect(gate.run(async () => 'next')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });
});
