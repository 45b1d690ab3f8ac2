import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { ask } from '../support/ask.ts';
import { toolCall } from '../support/http.ts';
import { LONG } from '../support/long.ts';
import { type Part, startTopology, type Topology } from '../support/topology.ts';

let cluster: Topology;

beforeAll(async () => {
  if (LONG) cluster = await startTopology();
}, 120_000);
afterAll(async () => {
  await cluster?.close();
});

const VIEWED = 10_001;
/** Viewed only by this test. */
const COUNTED = 10_040;
const statsOf = (id: number) => `/api/public/v1/products/${id}/stats`;

/** What is asked while a part is away: by name, as the table of outages in docs/operate.md has it. */
const ASKED = {
  page: (url: string) => ask(url, '/products/10001'),
  showcase: (url: string) => ask(url, '/gpt/products.json?limit=3'),
  'product statistics': (url: string) => ask(url, statsOf(COUNTED)),
  'merchant statistics': (url: string) => ask(url, '/api/public/v1/merchants/101/stats'),
  search: (url: string) =>
    ask(url, '/mcp', { body: toolCall('search_local_products', { query: 'pizza' }) }),
  details: (url: string) => ask(url, '/mcp', { body: toolCall('get_offer', { offer_id: 50_001 }) }),
  view: (url: string) =>
    ask(url, '/mcp', { body: toolCall('get_product', { product_id: VIEWED }) }),
};
type Kind = keyof typeof ASKED;
const KINDS = Object.keys(ASKED) as Kind[];

const views = { asked: 0, answered: 0 };
/** Counts of COUNTED over time; the last one is current. */
const counts: { at: number; count: number }[] = [];
const counted = () => counts.at(-1)?.count ?? 0;

/** An answer is right if current, or at the edge if current within the last 30 seconds. */
function isRight(url: string, shown: number): boolean {
  const from = performance.now() - 30_000;
  const shownLately = counts.filter((_, at) => (counts[at + 1]?.at ?? Infinity) > from);
  return url === cluster.edge.url
    ? shownLately.some(({ count }) => count === shown)
    : shown === counted();
}

/** Asks one server everything; returns the status of each kind. A 200 has to be right. */
async function askAll(url: string): Promise<Record<Kind, number>> {
  const answers = await Promise.all(
    KINDS.map(async (kind) => {
      if (kind === 'view') views.asked += 1;
      const answer = await ASKED[kind](url);
      if (kind === 'view' && answer.status === 200) views.answered += 1;
      if (kind === 'product statistics' && answer.status === 200) {
        expect(isRight(url, JSON.parse(answer.text).viewsCount)).toBe(true);
      }
      if (kind === 'search' && answer.status === 200) {
        expect(JSON.parse(answer.text).result.structuredContent.result_count).toBeGreaterThan(0);
      }
      if (answer.status === 500) expect(answer.headers['retry-after']).toBe('1');
      return [kind, answer.status] as const;
    }),
  );
  return Object.fromEntries(answers) as Record<Kind, number>;
}

const WELL = Object.fromEntries(KINDS.map((kind) => [kind, 200])) as Record<Kind, number>;

/** The truth, from the primary. */
async function countOf(sql: Sql, id: number): Promise<number> {
  const [row] = await sql<
    { views: number }[]
  >`select views from product_total where product_id = ${id}`;
  return row?.views ?? 0;
}

type Outage = {
  name: string;
  part: () => Part;
  /** Whom to ask meanwhile. */
  asked?: () => string[];
  /** What degrades, once the outage has lasted for a while. */
  degraded?: Partial<Record<Kind, number>>;
  settleMs?: number;
};

const both = () => cluster.servers.map(({ url }) => url);
const frozen = (part: () => Topology['primary']): Part => ({
  stop: async () => part().signal('SIGSTOP'),
  start: async () => part().signal('SIGCONT'),
});
const NO_STATISTICS = { 'product statistics': 500, 'merchant statistics': 500 } as const;

const OUTAGES: Outage[] = [
  { name: 'the first server', part: () => cluster.servers[0], asked: () => [cluster.edge.url] },
  { name: 'the second server', part: () => cluster.servers[1], asked: () => [cluster.edge.url] },
  { name: 'one job runner', part: () => cluster.jobs[0] },
  { name: 'the other job runner', part: () => cluster.jobs[1] },
  { name: 'the sync to the second server', part: () => cluster.sync },
  { name: 'Redis', part: () => cluster.redis },
  { name: 'the replica', part: () => cluster.replica },
  { name: 'the replica, frozen,', part: () => frozen(() => cluster.replica) },
  // Longer than statistics may lag: none are served then.
  { name: 'the primary', part: () => cluster.primary, degraded: NO_STATISTICS, settleMs: 4500 },
  {
    name: 'the primary, frozen,',
    part: () => frozen(() => cluster.primary),
    degraded: NO_STATISTICS,
    settleMs: 4500,
  },
];

describe.runIf(LONG)('a part is stopped and comes back, without a wrong answer', () => {
  it.each(OUTAGES)('$name', async ({ part, asked = both, degraded = {}, settleMs = 1500 }) => {
    const sql = openDatabase(cluster.primary.url, { max: 1 });
    counts.push({ at: performance.now(), count: await countOf(sql, COUNTED) });
    const viewedBefore = await countOf(sql, VIEWED);
    await sql.end();
    Object.assign(views, { asked: 0, answered: 0 });
    const stopped = part();
    await stopped.stop();
    try {
      const from = performance.now();
      while (performance.now() - from < settleMs) {
        for (const url of asked()) await askAll(url);
        await new Promise((again) => setTimeout(again, 100));
      }
      for (const url of asked()) expect(await askAll(url)).toEqual({ ...WELL, ...degraded });
    } finally {
      await stopped.start();
    }
    for (const url of [cluster.edge.url, ...both()]) {
      // The edge may still keep statistics of before; servers of a part that just returned may not know yet.
      await expect.poll(() => askAll(url), { timeout: 30_000 }).toEqual(WELL);
    }
    // Every view that was answered is counted, once.
    const after = openDatabase(cluster.primary.url, { max: 1 });
    await expect
      .poll(async () => (await countOf(after, VIEWED)) - viewedBefore, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(views.answered);
    expect((await countOf(after, VIEWED)) - viewedBefore).toBeLessThanOrEqual(views.asked);
    await after`select record_views(${JSON.stringify([
      { kind: 'product', id: COUNTED, source: 'user' },
    ])}::text::jsonb)`;
    counts.push({ at: performance.now(), count: counted() + 1 });
    await after.end();
    for (const url of both()) {
      await expect
        .poll(async () => JSON.parse((await ask(url, statsOf(COUNTED))).text).viewsCount, {
          timeout: 10_000,
        })
        .toBe(counted());
    }
  });

  it('both servers: the edge still serves pages, and statistics only for their 30 seconds', async () => {
    const { edge, servers } = cluster;
    const path = statsOf(10_041);
    const kept = await ask(edge.url, path);
    const countedAt = Date.parse(String(kept.headers.date));
    await Promise.all(servers.map((server) => server.stop()));
    try {
      expect((await ask(edge.url, '/products/10001')).status).toBe(200);
      expect(await ask(edge.url, '/gpt/products.json')).toMatchObject({ status: 500 });
      for (;;) {
        const answer = await ask(edge.url, path);
        if (answer.status === 500) break;
        expect([answer.status, answer.text]).toEqual([200, kept.text]);
        expect(Date.now() - countedAt).toBeLessThan(31_000);
        await new Promise((again) => setTimeout(again, 500));
      }
    } finally {
      await Promise.all(servers.map((server) => server.start()));
    }
    await expect
      .poll(async () => (await ask(edge.url, path)).status, { timeout: 10_000 })
      .toBe(200);
  });

  it('a publish is made by the other job runner, and reaches both servers', async () => {
    const sql = openDatabase(cluster.primary.url, { max: 1 });
    await cluster.jobs[0].stop();
    await sql`update product set brand = 'Marca de teste' where id = 10001`;
    await sql`update catalog_state set updated_at = clock_timestamp()`;
    await sql.end();
    for (const url of [cluster.edge.url, ...both()]) {
      await expect
        .poll(async () => (await ask(url, '/products/10001')).text.includes('Marca de teste'), {
          timeout: 30_000,
        })
        .toBe(true);
    }
    await cluster.jobs[0].start();
  });
});
