import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, getJson, postRpc, toolCall } from '../support/http.ts';
import { startRedis } from '../support/redis.ts';
import { type Service, startService } from '../support/service.ts';

const merchant = '/api/public/v1/merchants/1/stats';
const search = (limit: number) => toolCall('search_local_products', { city: 'São Paulo', limit });

describe('429 answers', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      MERCHANT_STATS_REQUESTS_PER_HOUR: '3',
      CATALOG_RECORDS_PER_MINUTE: '25',
      MCP_REQUESTS_PER_MINUTE: '12',
    });
  });
  afterAll(() => service.stop());

  it('carry Retry-After in whole seconds, at least 1, and the RATE_LIMIT_EXCEEDED error', async () => {
    for (let request = 0; request < 3; request += 1) {
      const { status, headers } = await getJson(service.url + merchant);
      expect(status).toBe(200);
      expect(headers.get('ratelimit')).toBeNull();
    }
    const { status, headers, body } = await getJson(service.url + merchant);
    expect(status).toBe(429);
    const seconds = headers.get('retry-after') ?? '';
    expect(seconds).toMatch(/^[1-9]\d*$/);
    expect(Number(seconds)).toBeLessThanOrEqual(3600);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('ratelimit-policy')).toBe('"merchant-stats";q=3;w=3600');
    expect(headers.get('ratelimit')).toMatch(/^"merchant-stats";r=0;t=\d+$/);
    expect(body).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      error: 'Rate limit exceeded',
      message: 'Rate limit exceeded',
    });
    expect(body.resolution).toContain(`${seconds} seconds`);
  });

  it('are per endpoint: product statistics have a budget of their own', async () => {
    expect((await getJson(`${service.url}/api/public/v1/products/1/stats`)).status).toBe(200);
  });

  it('come from /mcp with HTTP 429 when the shared record limit is exceeded, the page shortened first', async () => {
    const first = await postRpc(service.url, search(20));
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit')).toMatch(/^"catalog-records";r=5;t=/);
    const { structuredContent } = await callTool(service.url, 'search_local_products', {
      city: 'São Paulo',
      limit: 20,
    });
    expect(structuredContent).toMatchObject({ result_count: 5 });
    expect(JSON.stringify(structuredContent?.messages)).toMatch(/Shortened to 5 of 20/);
    const refused = await postRpc(service.url, search(1));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    const showcase = await getJson(`${service.url}/gpt/products.json`);
    expect(showcase.status).toBe(429);
    const overview = await callTool(service.url, 'catalog_overview', {});
    expect(overview.structuredContent).toHaveProperty('counts');
  });

  it('come from the showcase as well, where HEAD is free', async () => {
    const own = await startService({ CATALOG_RECORDS_PER_MINUTE: '25' });
    try {
      for (let request = 0; request < 3; request += 1) {
        const head = await fetch(`${own.url}/gpt/products.json`, { method: 'HEAD' });
        expect([head.status, await head.text()]).toEqual([200, '']);
        expect(head.headers.get('ratelimit')).toMatch(/^"catalog-records";r=25;t=/);
        expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
      }
      const get = await getJson(`${own.url}/gpt/products.json`);
      expect(get.headers.get('ratelimit')).toMatch(/^"catalog-records";r=5;t=/);
      expect((await getJson(`${own.url}/gpt/products.json`)).body.result_count).toBe(5);
      const head = await fetch(`${own.url}/gpt/products.json`, { method: 'HEAD' });
      expect(head.status).toBe(429);
    } finally {
      await own.stop();
    }
  });

  it('come from /mcp after MCP_REQUESTS_PER_MINUTE requests, whatever they return', async () => {
    let last = 200;
    for (let request = 0; request < 12 && last !== 429; request += 1) {
      last = (await postRpc(service.url, { jsonrpc: '2.0', id: 1, method: 'ping' })).status;
    }
    expect(last).toBe(429);
  });
});

describe('a client', () => {
  it('is its address behind the trusted proxies, counted from the right; IPv6 clients are /64s', async () => {
    const service = await startService({
      MERCHANT_STATS_REQUESTS_PER_HOUR: '1',
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
      CLIENT_QUOTAS: '{"198.51.100.0/24": 3}',
    });
    const from = async (forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded };
      return (await getJson(service.url + merchant, { headers })).status;
    };
    try {
      expect(await from('203.0.113.1')).toBe(200);
      expect(await from('203.0.113.1')).toBe(429);
      expect(await from('1.1.1.1, 203.0.113.1')).toBe(429);
      expect(await from('2.2.2.2, 203.0.113.1, 10.1.2.3')).toBe(429);
      expect(await from('203.0.113.2')).toBe(200);
      expect(await from('2001:db8:1:2::5')).toBe(200);
      expect(await from('2001:db8:1:2:ffff::9')).toBe(429);
      expect(await from('2001:db8:1:3::5')).toBe(200);
      expect(await from('::ffff:203.0.113.2')).toBe(429);
      for (const expected of [200, 200, 200, 429])
        expect(await from('198.51.100.7')).toBe(expected);
    } finally {
      await service.stop();
    }
  });

  it('cannot choose its address without a trusted proxy', async () => {
    const service = await startService({ MERCHANT_STATS_REQUESTS_PER_HOUR: '1' });
    const status = async (forwarded: string) =>
      (await getJson(service.url + merchant, { headers: { 'x-forwarded-for': forwarded } })).status;
    try {
      expect(await status('203.0.113.1')).toBe(200);
      expect(await status('203.0.113.2')).toBe(429);
    } finally {
      await service.stop();
    }
  });
});

/** Starts so many servers on one database and one quota store; memory belongs to one process alone. */
async function startTogether(store: string, count: number, env: Record<string, string>) {
  const redis = store === 'redis' ? await startRedis() : null;
  const all = { ...env, RATE_LIMIT_STORE: redis?.url ?? store };
  const first = await startService(all);
  const others = Array.from({ length: count - 1 }, () =>
    startService({ ...all, DATABASE_URL: first.databaseUrl }),
  );
  const services = [first, ...(await Promise.all(others))];
  return {
    urls: services.map(({ url }) => url),
    countedAlone: () => services.some((service) => service.log().includes('each process counts')),
    async stop() {
      for (const service of services) await service.stop();
      await redis?.stop();
    },
  };
}

/**
 * Runs a race and checks what came of it. On a machine so loaded that the store took half a second, the
 * servers counted for themselves, as promised, and said so: then the race is run again.
 */
async function raceTogether<T>(
  start: () => ReturnType<typeof startTogether>,
  race: (urls: string[]) => Promise<T>,
  check: (result: T) => void,
): Promise<void> {
  for (let left = 3; left > 0; left -= 1) {
    const { urls, countedAlone, stop } = await start();
    try {
      const result = await race(urls);
      if (countedAlone() && left > 1) continue;
      check(result);
      return;
    } finally {
      await stop();
    }
  }
}

describe.each([
  ['memory', 1],
  ['redis', 1],
  ['redis', 2],
])('RATE_LIMIT_STORE %s, processes: %i', (store, processes) => {
  const start = () =>
    startTogether(store, processes, {
      MERCHANT_STATS_REQUESTS_PER_HOUR: '20',
      CATALOG_RECORDS_PER_MINUTE: '40',
      MCP_REQUESTS_PER_MINUTE: '1000',
    });
  const race = <T>(urls: string[], ask: (url: string) => Promise<T>) =>
    Promise.all(Array.from({ length: 50 }, (_, index) => ask(urls[index % processes] ?? '')));

  it('lets exactly the quota through when 50 requests race, and charges exactly the records returned', async () => {
    const take = async (url = '', limit = 3): Promise<number> => {
      const { status, headers, body } = await postRpc(url, search(limit));
      if (status === 429) return 0;
      if (status === 500) {
        // A loaded machine sheds some of so many: they took nothing, and come again as they were told.
        await delay(Number(headers.get('retry-after')) * 1000);
        return take(url, limit);
      }
      expect(status).toBe(200);
      const { structuredContent } = body.result as { structuredContent: { result_count: number } };
      return structuredContent.result_count;
    };
    await raceTogether(
      start,
      async (urls) => {
        const answers = await race(urls, (url) => getJson(url + merchant));
        const taken = await race(urls, (url) => take(url));
        const raced = taken.reduce((total, count) => total + count, 0);
        // What racing searches left can still be had, and no more.
        let all = raced;
        for (let more = 1; more > 0; all += more) more = await take(urls[0], 20);
        return { statuses: answers.map(({ status }) => status), raced, all };
      },
      ({ statuses, raced, all }) => {
        expect(statuses.filter((status) => status === 200)).toHaveLength(20);
        expect(statuses.filter((status) => status === 429)).toHaveLength(30);
        expect(raced).toBeLessThanOrEqual(40);
        expect(all).toBe(40);
      },
    );
  });
});
