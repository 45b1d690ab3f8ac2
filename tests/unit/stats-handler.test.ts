import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/http/call.ts';
import type { Live } from '../../src/live/live.ts';
import { merchantStatsHandler } from '../../src/live/stats.ts';

const call: Call = {
  method: 'GET',
  path: '/api/public/v1/merchants/7/stats',
  query: () => new URLSearchParams(),
  header: () => undefined,
  id: 'test',
  client: '127.0.0.1',
  readBody: async () => new Uint8Array(),
};

const NOW = Date.parse('2026-11-20T12:00:30.400Z');

/** The part of Live that the handler uses, with an answer of a given age. */
const liveWithAge = (ageMs: number) =>
  ({
    clock: () => new Date(NOW),
    quotas: { consume: async () => ({ remaining: 1, headers: {} }) },
    stats: { merchant: async () => ({ value: { body: '{}', etag: '"e"' }, ageMs }) },
  }) as unknown as Live;

describe('an answer from our own cache', () => {
  it.each([
    [0, undefined],
    [1, '1'],
    [1000, '1'],
    [1001, '2'],
    [2000, '2'],
  ])(
    'that is %i ms old carries Age %s: with max-age, no cache keeps it beyond 30 seconds',
    async (ageMs, age) => {
      const { status, headers } = await merchantStatsHandler(call, liveWithAge(ageMs));
      expect(status).toBe(200);
      expect(headers.age).toBe(age);
      const maxAge = Number(/^public, max-age=(\d+)$/.exec(headers['cache-control'] ?? '')?.[1]);
      const keptMs = (maxAge - Number(headers.age ?? 0)) * 1000;
      expect(ageMs + keptMs).toBeLessThanOrEqual(30_000);
      // A cache that kept it for a while takes the longer of Age and the time since Date.
      if (ageMs > 0) expect(Date.parse(headers.date ?? '')).toBeLessThanOrEqual(NOW - ageMs);
    },
  );
});
