import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { type Answer, ask } from '../support/ask.ts';
import { toolCall } from '../support/http.ts';
import { LONG } from '../support/long.ts';
import { openLoad } from '../support/open-load.ts';
import { startTopology, type Topology } from '../support/topology.ts';

let cluster: Topology;
let sql: Sql;

beforeAll(async () => {
  cluster = await startTopology();
  sql = openDatabase(cluster.primary.url, { max: 2 });
}, 120_000);
afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await cluster?.close();
});

const PRODUCT = 10_001;
const productStats = `/api/public/v1/products/${PRODUCT}/stats`;
const everywhere = () => [cluster.edge.url, ...cluster.servers.map(({ url }) => url)];
const viewsIn = ({ text }: Answer) => JSON.parse(text).viewsCount as number;

async function statuses(asked: Promise<Answer>[]): Promise<Record<number, number>> {
  const seen: Record<number, number> = {};
  for (const { status } of await Promise.all(asked)) seen[status] = (seen[status] ?? 0) + 1;
  return seen;
}

describe('quotas across two servers', () => {
  it('are exact: requests of one client through the edge and to either server', async () => {
    const client = '203.0.113.1';
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const asked = Array.from({ length: 60 }, () =>
      everywhere().map((url) => ask(url, '/mcp', { client, body: list })),
    ).flat();
    expect(await statuses(asked)).toEqual({ 200: 120, 429: 60 });
  });

  it('are exact: records of one client, however the pages race', async () => {
    const client = '203.0.113.2';
    const search = toolCall('search_local_products', { query: 'tênis', limit: 7 });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        everywhere().map((url) => ask(url, '/mcp', { client, body: search })),
      ).flat(),
    );
    const returned = answers
      .filter(({ status }) => status === 200)
      .map(({ text }) => JSON.parse(text).result.structuredContent.result_count as number);
    const sum = returned.reduce((total, count) => total + count, 0);
    expect(sum).toBeLessThanOrEqual(40);
    // What is left is less than a page: it can still be had, to the last record.
    const rest = await ask(cluster.servers[0].url, '/mcp', { client, body: search });
    if (sum < 40)
      expect(JSON.parse(rest.text).result.structuredContent.result_count).toBe(
        Math.min(7, 40 - sum),
      );
    else expect(rest.status).toBe(429);
  });
});

describe('reads beside a streaming replica', () => {
  it('come from the replica, whose lag is measured', async () => {
    for (const server of cluster.servers) {
      await expect
        .poll(() => server.metric('vitrine_replica_lag_seconds'), { timeout: 10_000 })
        .toBeLessThan(3);
      const before = (await server.metric('vitrine_reads_total{from="replica"}')) ?? 0;
      await ask(server.url, productStats);
      expect(await server.metric('vitrine_reads_total{from="replica"}')).toBeGreaterThan(before);
    }
  });

  it('count what a back end records, on both servers; agent views go to the primary', async () => {
    const [first, second] = cluster.servers;
    const before = viewsIn(await ask(first.url, productStats));
    await sql`select record_views(${JSON.stringify([
      { kind: 'product', id: PRODUCT, source: 'user' },
    ])}::text::jsonb)`;
    await ask(second.url, '/mcp', { body: toolCall('get_product', { product_id: PRODUCT }) });
    for (const { url } of cluster.servers) {
      await expect.poll(async () => viewsIn(await ask(url, productStats))).toBe(before + 2);
    }
  });

  it('go to the primary when the replica falls behind, and are never older than they say', async () => {
    const standby = openDatabase(cluster.replica.url, { max: 1 });
    const [first] = cluster.servers;
    const known = viewsIn(await ask(first.url, productStats));
    await standby`select pg_wal_replay_pause()`;
    try {
      await sql`select record_views(${JSON.stringify([
        { kind: 'product', id: PRODUCT, source: 'user' },
      ])}::text::jsonb)`;
      const recordedAt = performance.now();
      for (;;) {
        const asked = performance.now();
        const answer = await ask(first.url, productStats);
        if (viewsIn(answer) === known + 1) break;
        // An answer without the view says that it is at least as old as the view.
        const age = Number(answer.headers.age ?? 0);
        expect(age * 1000).toBeGreaterThanOrEqual(asked - recordedAt);
        expect(age).toBeLessThanOrEqual(4);
        await new Promise((again) => setTimeout(again, 100));
      }
      expect(await first.metric('vitrine_replica_lag_seconds')).toBeGreaterThan(1);
    } finally {
      await standby`select pg_wal_replay_resume()`;
      await standby.end();
    }
    await expect
      .poll(() => first.metric('vitrine_replica_lag_seconds'), { timeout: 10_000 })
      .toBeLessThan(2);
    expect(viewsIn(await ask(first.url, productStats))).toBe(known + 1);
  });
});

describe.runIf(LONG)('a publish', () => {
  /** Names every product after a generation; the home page and the showcase show several of them. */
  async function publishGeneration(name: string): Promise<void> {
    await sql`update product set name = ${name}::text || ' ' || id`;
    await sql`update catalog_state set updated_at = clock_timestamp()`;
    await sql`select pg_notify('catalog_changed', '')`;
  }
  const generationsIn = (text: string) => new Set(text.match(/Geração \w+/g));
  // With a range the edge asks a server; without, it sends its own file.
  const PATHS = ['/', '/gpt/products.json?limit=20', '/products/10001', '/%6Clms.txt'];

  it('reaches the edge and both servers; no answer mixes two generations', async () => {
    await publishGeneration('Geração um');
    const isAt = (url: string, name: string) => async () => {
      const answer = await ask(url, '/gpt/products.json?limit=20');
      return [...generationsIn(answer.text)].join() === `Geração ${name}`;
    };
    for (const url of everywhere()) {
      await expect.poll(isAt(url, 'um'), { timeout: 30_000, interval: 100 }).toBe(true);
    }
    await publishGeneration('Geração dois');
    const pending = new Set(everywhere());
    let mixed = 0;
    let seen = 0;
    const until = Date.now() + 60_000;
    while (pending.size > 0 && Date.now() < until) {
      for (const url of everywhere()) {
        for (const path of PATHS) {
          const answer = await ask(url, path);
          const generations = generationsIn(answer.text);
          if (generations.size > 1) mixed += 1;
          if (generations.size > 0) seen += 1;
        }
        if (await isAt(url, 'dois')()) pending.delete(url);
      }
    }
    expect([...pending]).toEqual([]);
    expect(mixed).toBe(0);
    expect(seen).toBeGreaterThan(3);
  });

  it('has the same entity tags on both servers', async () => {
    const [first, second] = cluster.servers;
    for (const path of ['/', '/products/10001', '/gpt.json']) {
      const [a, b] = [await ask(first.url, path), await ask(second.url, path)];
      expect([path, a.headers.etag, a.text === b.text]).toEqual([path, b.headers.etag, true]);
    }
  });
});

describe.runIf(LONG)('a rolling restart under load', () => {
  it('fails no request: pages, showcase, statistics and catalog server', async () => {
    const body = () => JSON.stringify(toolCall('search_local_products', { query: 'pizza' }));
    const load = (path: string, perSecond: number, withBody = false) =>
      openLoad({
        url: cluster.edge.url + path,
        perSecond,
        seconds: 14,
        connections: 40,
        patienceMs: 10_000,
        ...(withBody ? { body } : {}),
      });
    const loads = [
      load('/products/10002', 30),
      load('/gpt/products.json', 40),
      load('/api/public/v1/products/10003/stats', 20),
      load('/api/public/v1/merchants/101/stats', 20),
      load('/mcp', 20, true),
    ];
    for (const server of cluster.servers) {
      await new Promise((done) => setTimeout(done, 1500));
      expect(await server.drain()).toBe(0);
      await server.start();
      // The edge tries a server that was away again after a second.
      await new Promise((done) => setTimeout(done, 1500));
    }
    const results = await Promise.all(loads);
    for (const { outcomes, sent } of results) expect(outcomes).toEqual({ 200: sent });
  });
});
