import { describe, expect, it, vi } from 'vitest';
import { batchReads } from '../../src/data/statistics/batch-reads.ts';
import { makeViewWriter } from '../../src/data/statistics/view-writer.ts';
import { makeFreshCache } from '../../src/live/fresh-cache.ts';

const tick = () => new Promise((done) => setTimeout(done, 5));

describe('reads of single ids', () => {
  it('that are asked in one tick become one read of many', async () => {
    const readMany = vi.fn(async (_: number[]) => (id: number) => id * 10);
    const read = batchReads(readMany);
    expect(await Promise.all([1, 2, 2, 9].map(read))).toEqual([10, 20, 20, 90]);
    expect(readMany).toHaveBeenCalledTimes(1);
    expect(readMany).toHaveBeenCalledWith([1, 2, 9]);
  });

  it('run in at most two batches at a time, and a failed batch fails only its own callers', async () => {
    let running = 0;
    let most = 0;
    const read = batchReads(async (ids: number[]) => {
      running += 1;
      most = Math.max(most, running);
      await tick();
      running -= 1;
      if (ids.includes(13)) throw new Error('unlucky');
      return (id) => id;
    });
    const results: PromiseSettledResult<number>[][] = [];
    for (let round = 0; round < 8; round += 1) {
      void Promise.allSettled([read(round), read(round === 3 ? 13 : 100)]).then((result) =>
        results.push(result),
      );
      await new Promise(setImmediate);
    }
    await vi.waitFor(() => expect(results).toHaveLength(8));
    expect(most).toBe(2);
    expect(results.flat().some(({ status }) => status === 'rejected')).toBe(true);
    expect(await read(7)).toBe(7);
  });
});

describe('a fresh cache', () => {
  /** A read that takes `cost` ms of a clock that stands still otherwise. */
  const setUp = (cost: number, maxEntries = 10) => {
    const clock = { now: 1000 };
    const read = vi.fn(async (id: number) => {
      const value = `${id}@${clock.now}`;
      await Promise.resolve();
      clock.now += cost;
      return value;
    });
    const options = { maxAgeMs: 100, costFactor: 5, maxEntries, now: () => clock.now };
    return { clock, read, get: makeFreshCache(read, options) };
  };

  it('shares one reading among callers at the same time', async () => {
    const { read, get } = setUp(10);
    const answers = await Promise.all([get(1), get(1), get(1)]);
    expect(new Set(answers.map(({ value }) => value))).toEqual(new Set(['1@1000']));
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('serves a value for five times its cost, counted from the start of its reading', async () => {
    const { clock, read, get } = setUp(10);
    await get(1);
    clock.now = 1050;
    expect(await get(1)).toEqual({ value: '1@1000', ageMs: 50 });
    clock.now = 1061;
    expect(await get(1)).toEqual({ value: '1@1061', ageMs: 0 });
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('serves a value longer the more it is asked for', async () => {
    const { clock, get } = setUp(10);
    await get(1);
    for (let reuse = 0; reuse < 4; reuse += 1) await get(1);
    clock.now = 1090;
    expect((await get(1)).ageMs).toBe(90);
  });

  it('serves nothing older than its limit, however expensive', async () => {
    const { clock, get } = setUp(80);
    await get(1);
    clock.now = 1100;
    expect((await get(1)).ageMs).toBe(100);
    clock.now = 1101;
    expect((await get(1)).value).toBe('1@1101');
  });

  it('keeps no failure and no more entries than it may', async () => {
    let fail = true;
    const read = vi.fn(async (id: number) => {
      if (fail) throw new Error('away');
      return id;
    });
    const get = makeFreshCache(read, {
      maxAgeMs: 1000,
      costFactor: 5,
      maxEntries: 2,
      now: () => 0,
    });
    await expect(get(1)).rejects.toThrow('away');
    fail = false;
    expect((await get(1)).value).toBe(1);
    await get(2);
    await get(3);
    await get(1);
    expect(read).toHaveBeenCalledTimes(5);
  });
});

describe('the writer of agent views', () => {
  const view = (id: number) => ({ kind: 'product', id, source: 'agent' }) as const;
  const refusal = (code: string, words: string) =>
    Object.assign(new Error(words), { code, severity: 'ERROR' });

  it('acknowledges a view when its batch is recorded, and sends what arrives meanwhile together', async () => {
    const batches: number[][] = [];
    const writer = makeViewWriter(
      async (views) => {
        batches.push(views.map(({ id }) => id));
        await tick();
      },
      () => {},
    );
    await Promise.all([writer.write(view(1)), writer.write(view(2))]);
    const first = writer.write(view(3));
    await Promise.resolve();
    await Promise.all([first, writer.write(view(4)), writer.write(view(5))]);
    expect(batches.flat().toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(batches.length).toBeLessThan(5);
    expect(writer.pending()).toBe(0);
  });

  it('repeats a batch under the same key when its outcome is unknown, and tells how long it waited', async () => {
    const keys: string[] = [];
    const ages: number[] = [];
    const writer = makeViewWriter(
      async (views, key) => {
        keys.push(key);
        ages.push(views[0]?.ageMs ?? 0);
        if (keys.length < 3) throw new Error('connection lost');
      },
      () => {},
    );
    await writer.write(view(1));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(ages[2]).toBeGreaterThan(ages[0] ?? Number.POSITIVE_INFINITY);
  });

  it('blocks no caller on what Postgres refuses, logs it once, and writes everything once it recovers', async () => {
    let mended = false;
    let tries = 0;
    const recorded: number[] = [];
    const told: unknown[] = [];
    const writer = makeViewWriter(
      async (views) => {
        tries += 1;
        if (!mended) throw refusal('42501', 'permission denied for function record_views');
        recorded.push(...views.map(({ id }) => id));
      },
      (error) => told.push(error),
    );
    await writer.write(view(1));
    await writer.write(view(2));
    await Promise.all([writer.write(view(3)), writer.drain(1)]);
    expect(writer.pending()).toBe(3);
    expect(tries).toBeLessThan(4);
    expect(told).toHaveLength(1);
    mended = true;
    await writer.drain(5000);
    expect(recorded).toEqual([1, 2, 3]);
    expect(writer.pending()).toBe(0);
  });

  it('drops a batch that Postgres refuses for its data, and goes on', async () => {
    const recorded: number[] = [];
    const told: unknown[] = [];
    const writer = makeViewWriter(
      async (views) => {
        if (views.some(({ id }) => id === 1)) throw refusal('22023', 'refused');
        recorded.push(...views.map(({ id }) => id));
      },
      (error) => told.push(error),
    );
    await writer.write(view(1));
    await writer.write(view(2));
    expect(recorded).toEqual([2]);
    expect(told).toHaveLength(1);
  });

  it('refuses views beyond its bound, and drains what waits', async () => {
    let release = () => {};
    const gate = new Promise<void>((open) => {
      release = open;
    });
    let recorded = 0;
    const writer = makeViewWriter(
      async (views) => {
        await gate;
        recorded += views.length;
      },
      () => {},
    );
    const writes = Array.from({ length: 20_500 }, (_, id) => writer.write(view(id + 1)));
    const settled = Promise.allSettled(writes);
    release();
    await writer.drain(5000);
    const refused = (await settled).filter(({ status }) => status === 'rejected').length;
    expect(refused).toBeGreaterThan(0);
    expect(recorded).toBe(20_500 - refused);
  });
});
