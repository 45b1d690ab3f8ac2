import { describe, expect, it } from 'vitest';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { getJson } from '../support/http.ts';
import { freePort } from '../support/port.ts';
import { startRedis } from '../support/redis.ts';
import { type Service, startService } from '../support/service.ts';

const QUOTA = 5;
const path = '/api/public/v1/merchants/1/stats';

async function statuses(service: Service, times: number): Promise<number[]> {
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1) {
    seen.push((await getJson(service.url + path)).status);
  }
  return seen;
}

const admitted = (seen: number[]) => seen.filter((status) => status === 200).length;

async function start(store: string) {
  const opsPort = await freePort();
  const service = await startService({
    MERCHANT_STATS_REQUESTS_PER_HOUR: String(QUOTA),
    RATE_LIMIT_STORE: store,
    OPS_PORT: String(opsPort),
  });
  const metric = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  return { service, metric };
}

/** Requests from time to time make the process look for its store again. */
async function untilBack(service: Service, metric: (name: string) => Promise<number>) {
  await expect
    .poll(
      async () => {
        await getJson(service.url + path);
        return metric('vitrine_quota_store_away');
      },
      { timeout: 15_000, interval: 200 },
    )
    .toBe(0);
}

describe('when the shared quota store is away', () => {
  it.each(['ends', 'freezes'])(
    'Redis %s: each process keeps a quota of its own, says so, and shares again afterwards',
    async (fault) => {
      let redis = await startRedis();
      const { service, metric } = await start(redis.url);
      try {
        expect(await statuses(service, QUOTA + 1)).toEqual([...Array(QUOTA).fill(200), 429]);
        if (fault === 'ends') await redis.stop();
        else redis.signal('SIGSTOP');
        expect(admitted(await statuses(service, QUOTA + 3))).toBe(QUOTA);
        expect(await metric('vitrine_quota_store_away')).toBe(1);
        expect(service.log()).toContain('the quota store is away');
        if (fault === 'ends') redis = await startRedis(redis.port);
        else redis.signal('SIGCONT');
        await untilBack(service, metric);
        expect(service.log()).toContain('the quota store is back');
        expect(service.log()).not.toContain('127.0.0.1"');
      } finally {
        await service.stop();
        await redis.stop();
      }
    },
  );

  it('starts without its Redis, and uses it once it is there', async () => {
    const port = await freePort();
    const { service, metric } = await start(`redis://127.0.0.1:${port}`);
    expect(admitted(await statuses(service, QUOTA + 1))).toBe(QUOTA);
    const redis = await startRedis(port);
    try {
      await untilBack(service, metric);
      expect((await getJson(service.url + path)).headers.get('ratelimit-policy')).toBeNull();
    } finally {
      await service.stop();
      await redis.stop();
    }
  });

  it('abandons a Redis connection that died silently', async () => {
    const redis = await startRedis();
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: redis.port });
    const { service, metric } = await start(`redis://127.0.0.1:${proxy.port}`);
    try {
      await statuses(service, 1);
      proxy.set('silent');
      expect(admitted(await statuses(service, 2))).toBe(2);
      expect(await metric('vitrine_quota_store_away')).toBe(1);
      proxy.set('pass');
      await untilBack(service, metric);
    } finally {
      await service.stop();
      await proxy.close();
      await redis.stop();
    }
  });
});
