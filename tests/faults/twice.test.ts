import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { recordViews } from '../../src/data/statistics/activity.ts';
import {
  advanceWindow,
  dropOldStatistics,
  preparePartitions,
  sealDueHours,
} from '../../src/data/statistics/hours.ts';
import { takeSnapshot } from '../../src/data/statistics/snapshots.ts';
import { latestSnapshotInstant } from '../../src/domain/stats.ts';
import { LONG } from '../support/long.ts';
import { cloneDatabase, newDatabase, runCommand } from '../support/service.ts';

const ROUNDS = LONG ? 40 : 4;
const HOUR = 3_600_000;

describe('two of every job at once', () => {
  it('seal, sum up, count, drop and purge everything once, beside writers', async () => {
    const url = await newDatabase('empty');
    const pools = [openDatabase(url, { max: 8 }), openDatabase(url, { max: 8 })];
    const [sql] = pools;
    if (sql === undefined) throw new Error('no pool');
    await sql`insert into item_owner select 'product', id, '-infinity', 1 + id % 5 from generate_series(1, 50) id`;
    const due = latestSnapshotInstant(new Date());
    const now = Date.now() - 1000;
    const views = (round: number) =>
      Array.from({ length: 48 }, (_, index) => ({
        kind: 'product' as const,
        id: 1 + index,
        source: 'user' as const,
        at: new Date(now - index * HOUR + round).toISOString(),
      }));
    const at = (hours: number) =>
      new Date(Math.floor(now / HOUR) * HOUR - hours * HOUR).toISOString();
    for (let round = 0; round < ROUNDS; round += 1) {
      // Work for every job: an expired partition, hours not sealed yet.
      const old = at(60 + round);
      await sql`select ensure_partition('view_event', ${old}::text::timestamptz, '1 hour')`;
      await sql`insert into hour_seal (hour) values (${old}::text::timestamptz)`;
      await Promise.all(
        pools.flatMap((pool, index) => [
          sealDueHours(pool),
          takeSnapshot(pool, due),
          advanceWindow(pool),
          preparePartitions(pool),
          dropOldStatistics(pool),
          recordViews(pool, views(round), `batch ${round} ${index}`),
        ]),
      );
    }
    const [counted] = await sql`select
      (select count(*) from view_event)::int as events,
      (select sum(product_user) from merchant_hour)::int as sealed,
      (select count(*) from view_event where at < (select max(hour) + interval '1 hour' from hour_seal))::int as due,
      (select count(*) from snapshot_run)::int as snapshots`;
    expect(counted).toMatchObject({ events: 2 * 48 * ROUNDS, snapshots: 1 });
    expect(counted?.sealed).toBe(counted?.due);
    for (const pool of pools) await pool.end({ timeout: 1 });
  });

  it('migrate a new database once', async () => {
    const url = await cloneDatabase(inject('clusterUrl'), 'template1');
    const both = await Promise.all(
      [1, 2].map(() => runCommand('db-migrate', [], { DATABASE_URL: url })),
    );
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });
});
