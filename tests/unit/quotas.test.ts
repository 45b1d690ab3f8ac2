import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { clientKey } from '../../src/http/client-address.ts';
import { makeOutageGuard, memoryLimiter } from '../../src/http/quota-stores.ts';
import { openQuotas } from '../../src/http/quotas.ts';

const events = { rejected: () => {}, storeLost: () => {}, storeBack: () => {} };
const openMemory = (env: Record<string, string>) => openQuotas(readConfig(env), events);

describe('quotas in memory', () => {
  it('forget the client whose window began first when there are too many', async () => {
    const limiter = memoryLimiter({ keyPrefix: 'x', points: 2, duration: 60 }, 3);
    for (const client of ['a', 'b', 'c', 'a', 'd']) await limiter.consume(client, 1);
    expect(await limiter.get('a')).toBeNull();
    expect((await limiter.get('b'))?.consumedPoints).toBe(1);
    await limiter.consume('b', 1);
    await expect(limiter.consume('b', 1)).rejects.toMatchObject({ consumedPoints: 3 });
  });

  it('give back what a refused request for several records took, so that a smaller one passes', async () => {
    const quotas = await openMemory({ CATALOG_RECORDS_PER_MINUTE: '40' });
    await quotas.consume('catalog-records', 'c', 35);
    await expect(quotas.consume('catalog-records', 'c', 20)).rejects.toMatchObject({ status: 429 });
    expect(await quotas.peek('catalog-records', 'c')).toMatchObject({ remaining: 5 });
    expect(await quotas.consume('catalog-records', 'c', 5)).toMatchObject({ remaining: 0 });
  });

  it('of an agreed IPv6 address are those of its /64, which is what is counted', async () => {
    for (const agreed of ['2001:db8:1:2::5', '2001:db8:1:2::5/128', '2001:db8:1::/48']) {
      const quotas = await openMemory({ CLIENT_QUOTAS: `{"${agreed}": 3}` });
      const left = async (address: string) =>
        (await quotas.peek('catalog-records', clientKey(address))).remaining;
      expect(await left('2001:db8:1:2::5')).toBe(120);
      expect(await left('2001:db8:2:2::5')).toBe(40);
    }
  });

  it('of an agreed IPv6 address are no IPv4 client’s, though ::1 shares its /64 with mapped ones', async () => {
    const quotas = await openMemory({ CLIENT_QUOTAS: '{"::1": 3}' });
    expect(await quotas.peek('catalog-records', clientKey('::1'))).toMatchObject({
      remaining: 120,
    });
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9'])
      expect((await quotas.peek('catalog-records', clientKey(address))).remaining).toBe(40);
  });

  it('never let more through than the budget, whatever is asked for in whatever order', async () => {
    const asks = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(asks, async (sizes) => {
        const quotas = await openMemory({ CATALOG_RECORDS_PER_MINUTE: '40' });
        const results = await Promise.allSettled(
          sizes.map((size) => quotas.consume('catalog-records', 'c', size).then(() => size)),
        );
        const taken = results.reduce(
          (sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0),
          0,
        );
        expect(taken).toBeLessThanOrEqual(40);
        const { remaining } = await quotas
          .peek('catalog-records', 'c')
          .catch(() => ({ remaining: 0 }));
        expect(remaining).toBe(40 - taken);
      }),
    );
  });
});

describe('the guard in front of a shared store', () => {
  it('counts locally while the store is down, retries it periodically, and logs loss and return once', async () => {
    let now = 0;
    const told: string[] = [];
    const guard = makeOutageGuard(
      { storeLost: () => told.push('lost'), storeBack: () => told.push('back') },
      () => now,
    );
    let tried = 0;
    let away = true;
    const ask = () =>
      guard(
        async () => {
          tried += 1;
          if (away) throw new Error('refused');
          return 'shared';
        },
        async () => 'own',
      );
    expect([await ask(), await ask(), await ask()]).toEqual(['own', 'own', 'own']);
    expect(tried).toBe(1);
    now += 600;
    expect([await ask(), await ask()]).toEqual(['own', 'own']);
    expect(tried).toBe(2);
    away = false;
    now += 600;
    expect([await ask(), await ask()]).toEqual(['shared', 'shared']);
    expect(told).toEqual(['lost', 'back']);
  });
});
