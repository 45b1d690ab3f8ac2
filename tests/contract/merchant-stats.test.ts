import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { takeSnapshot } from '../../src/data/statistics/snapshots.ts';
import { latestSnapshotInstant, merchantStatsSchema } from '../../src/domain/stats.ts';
import { getJson } from '../support/http.ts';
import { newDatabase, runCommand, sharedService, startService } from '../support/service.ts';

const { url, databaseUrl } = sharedService();
const stats = (id: string | number, base = url) => `${base}/api/public/v1/merchants/${id}/stats`;

async function busiestMerchant(): Promise<number> {
  const sql = openDatabase(databaseUrl, { max: 1 });
  const [row] = await sql<{ merchant_id: number }[]>`
    select merchant_id from view_event where merchant_id is not null
    group by 1 order by count(*) desc limit 1`;
  await sql.end();
  return row?.merchant_id ?? 0;
}

describe('GET /api/public/v1/merchants/{merchantId}/stats', () => {
  it('answers MerchantStats whose totals and tables agree', async () => {
    const id = await busiestMerchant();
    const { status, headers, body } = await getJson(stats(id));
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=30');
    const parsed = merchantStatsSchema.parse(body);
    expect(parsed.merchantId).toBe(id);
    expect(parsed.merchantName).not.toBe('');
    expect(parsed.totalViewsCount).toBe(parsed.productViewsCount + parsed.offerViewsCount);
    expect(parsed.productViewsCount).toBe(
      parsed.productUserViewsCount + parsed.productAgentViewsCount,
    );
    const sum = (rows: { viewsCount: number }[]) =>
      rows.reduce((total, { viewsCount }) => total + viewsCount, 0);
    expect(sum(parsed.products)).toBe(parsed.productViewsCount);
    expect(sum(parsed.offers)).toBe(parsed.offerViewsCount);
    expect(parsed.products.length).toBeGreaterThan(1);
    expect(parsed.period).toBe('24h');
    expect(parsed.scheduledAt).toBe('14:00 MSK');
  });

  it('lists only items that have views, ordered by viewsCount descending, ties by id', async () => {
    const { products, offers } = merchantStatsSchema.parse(
      (await getJson(stats(await busiestMerchant()))).body,
    );
    for (const rows of [products, offers]) {
      expect(rows.every(({ viewsCount }) => viewsCount > 0)).toBe(true);
      const sorted = rows.toSorted((a, b) => b.viewsCount - a.viewsCount || a.id - b.id);
      expect(rows).toEqual(sorted);
    }
    expect(offers.every(({ agentViewsCount }) => agentViewsCount === 0)).toBe(true);
  });

  it('counts views of offers that are not public, and names only what had a page', async () => {
    const database = await newDatabase('empty');
    const sql = openDatabase(database, { max: 1 });
    await sql`insert into merchant (id, name, name_key) values (5, 'Boa', 'boa')`;
    await sql`
      insert into offer (id, merchant_id, title, status, app_only_top, valid_from, valid_until,
        quality_score, media, updated_at)
      select id, 5, title, status, app_only, now() + starts, now() + ends, 0, '[]', now()
      from (values
        (1, 'Current', 'active', false, null::interval, null::interval),
        (2, 'Over', 'active', false, null, '-1 hour'),
        (3, 'Hidden', 'hidden', false, null, null),
        (4, 'Inactive', 'inactive', false, null, null),
        (5, 'In the app only', 'active', true, null, null),
        (6, 'To come', 'active', false, '1 hour', null)
      ) offers (id, title, status, app_only, starts, ends)`;
    await sql`insert into item_owner select 'offer', id, '-infinity', 5 from offer`;
    await sql`
      select record_views(jsonb_agg(jsonb_build_object('kind', 'offer', 'id', id, 'source', 'user')))
      from offer`;
    await sql.end();
    const service = await startService({ DATABASE_URL: database });
    try {
      const { offers } = merchantStatsSchema.parse((await getJson(stats(5, service.url))).body);
      expect(offers.map(({ name }) => name)).toEqual(['Current', 'Over', '', '', '', '']);
    } finally {
      await service.stop();
    }
  });

  it('compares with the latest previous daily snapshot, which comparisonDate names', async () => {
    const { body } = await getJson(stats(await busiestMerchant()));
    const { comparisons, comparisonDate, ...rest } = merchantStatsSchema.parse(body);
    expect(comparisonDate).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(comparisons.productViews.count).toBe(rest.productViewsCount);
    expect(comparisons.productUserViews.count).toBe(rest.productUserViewsCount);
    expect(comparisons.productAgentViews.count).toBe(rest.productAgentViewsCount);
    expect(comparisons.offerViews.count).toBe(rest.offerViewsCount);
    expect(comparisons.totalViews.count).toBe(rest.totalViewsCount);
    expect(comparisons.totalViews.previousCount).toBe(
      comparisons.productViews.previousCount + comparisons.offerViews.previousCount,
    );
    expect(comparisons.totalViews.previousCount).toBeGreaterThan(0);
  });

  it('returns zero totals and empty arrays with 200 for a merchant without activity', async () => {
    const { status, body } = await getJson(stats(987654321));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      merchantId: 987654321,
      merchantName: '',
      totalViewsCount: 0,
      products: [],
      offers: [],
    });
    expect((body.comparisons as Record<string, unknown>).totalViews).toEqual({
      count: 0,
      previousCount: 0,
      changePercent: 0,
    });
  });

  it('omits comparisonDate until a baseline exists, and has it after npm run stats:snapshot', async () => {
    const env = { DATABASE_URL: await newDatabase('empty') };
    const service = await startService(env);
    try {
      const before = await getJson(stats(1, service.url));
      expect(before.body).not.toHaveProperty('comparisonDate');
      const at = latestSnapshotInstant(new Date()).toISOString();
      const first = await runCommand('stats-snapshot', [], env);
      expect(first).toMatchObject({ code: 0, stdout: `Snapshot of ${at} taken for 0 merchants\n` });
      const again = await runCommand('stats-snapshot', ['--at', at], env);
      expect(again).toMatchObject({ code: 0, stdout: `Snapshot of ${at} was taken before\n` });
      expect((await getJson(stats(1, service.url))).body.comparisonDate).toBe(at.slice(0, 10));
      const wrong = await runCommand('stats-snapshot', ['--at', '2026-01-01T10:00:00Z'], env);
      expect(wrong.code).toBe(1);
      expect(wrong.stderr).toMatch(/14:00 MSK/);
    } finally {
      await service.stop();
    }
  });

  it('gives changePercent null when the baseline is zero and the current count is positive', async () => {
    const database = await newDatabase('empty');
    const sql = openDatabase(database, { max: 1 });
    await sql`insert into merchant (id, name, name_key) values (5, 'Boa', 'boa')`;
    await sql`insert into item_owner values ('product', 50, '-infinity', 5)`;
    await takeSnapshot(sql, latestSnapshotInstant(new Date()));
    await sql`select record_views('[{"kind":"product","id":50,"source":"user"}]')`;
    await sql.end();
    const service = await startService({ DATABASE_URL: database });
    try {
      const { body } = await getJson(stats(5, service.url));
      expect((body.comparisons as Record<string, unknown>).productViews).toEqual({
        count: 1,
        previousCount: 0,
        changePercent: null,
      });
      expect(body.products).toEqual([
        { id: 50, name: '', viewsCount: 1, userViewsCount: 1, agentViewsCount: 0 },
      ]);
    } finally {
      await service.stop();
    }
  });

  it.each(['0', '-5', '1.5', 'x', '%31', '9007199254740992'])(
    'answers 400 INVALID_MERCHANT_ID for the ID "%s"',
    async (id) => {
      const { status, body } = await getJson(stats(id));
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'INVALID_MERCHANT_ID',
        error: 'Merchant ID must be a positive integer',
        message: 'Merchant ID must be a positive integer',
      });
      expect(body.resolution).toMatch(/positive integer merchant ID/);
    },
  );
});
