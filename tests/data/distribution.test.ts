import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOffer, readProduct } from '../../src/data/catalog/catalog.ts';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { recordViews, setReactions } from '../../src/data/statistics/activity.ts';
import { advanceWindow, sealDueHours } from '../../src/data/statistics/hours.ts';
import { takeSnapshot } from '../../src/data/statistics/snapshots.ts';
import { readMerchantActivity, readProductStats } from '../../src/data/statistics/stats.ts';
import { type OwnCluster, startOwnCluster } from '../support/cluster.ts';

/**
 * Tables that would be spread over nodes, by the column that tells where a row lives: what a merchant's
 * items had with the merchant, what anybody may ask about a product alone with the product.
 */
const SPREAD: Record<string, string> = {
  view_event: 'merchant_id',
  view_hour: 'merchant_id',
  merchant_hour: 'merchant_id',
  merchant_snapshot: 'merchant_id',
  window_view: 'merchant_id',
  window_merchant: 'merchant_id',
  product_total: 'product_id',
  reaction: 'product_id',
};

let cluster: OwnCluster;
let sql: Sql;

beforeAll(async () => {
  cluster = await startOwnCluster([
    'shared_preload_libraries=pg_stat_statements',
    // The statements inside functions too.
    'pg_stat_statements.track=all',
  ]);
  sql = openDatabase(cluster.url, { max: 1 });
  await sql`create extension pg_stat_statements`;
});
afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await cluster?.remove();
});

/** The statements that a piece of work ran, those inside functions too. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  await sql`select pg_stat_statements_reset()`;
  await work();
  const rows = await sql<{ query: string }[]>`
    select query from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'`;
  return rows.map(({ query }) => query.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim());
}

/** Whom a statement asks for rows of a table: says the key, or goes through the parts each for itself. */
function carriesKey(statement: string, table: string): boolean {
  const key = SPREAD[table] ?? '';
  const columns = new RegExp(`insert into ${table}(?: as \\w+)? \\(([^)]*)\\)`).exec(
    statement,
  )?.[1];
  const written = columns?.split(', ').includes(key) ?? false;
  const told = new RegExp(
    `\\b${key}\\b (?:=|<> all)|using \\(${key}\\)|group by [^()]*\\b${key}\\b|select (?:\\w+\\.)?${key}\\b`,
  ).test(statement);
  return written || told;
}

const tablesOf = (statement: string) =>
  Object.keys(SPREAD).filter((table) =>
    new RegExp(`(?:from|join|into|update|from \\w+ \\w+,) ${table}\\b`).test(statement),
  );

/** Jobs that go through every part, once a minute or more seldom: each node does its own. */
const EVERY_PART: [statement: string, why: string][] = [
  ['delete from window_view where by_user =', 'forgets what has left the window'],
];

function faultsOf(statements: string[]): string[] {
  return statements.flatMap((statement) =>
    EVERY_PART.some(([fragment]) => statement.includes(fragment))
      ? []
      : tablesOf(statement)
          .filter((table) => !carriesKey(statement, table))
          .map((table) => `${table}: ${statement}`),
  );
}

const MERCHANT = 101;
const HOUR_MS = 3_600_000;
/** A full hour for which no snapshot was taken: the sample has one for 14:00 MSK, 11:00 UTC. */
function untakenHour(): Date {
  const last = new Date(Math.floor(Date.now() / HOUR_MS - 1) * HOUR_MS);
  return last.getUTCHours() === 11 ? new Date(last.getTime() - HOUR_MS) : last;
}
const view = (hoursBack: number) => ({
  kind: 'product' as const,
  id: 10_001,
  source: 'user' as const,
  at: new Date(Date.now() - hoursBack * HOUR_MS).toISOString(),
});

/** What runs for every request or every batch of events. */
const HOT: Record<string, [tables: string[], work: () => Promise<unknown>]> = {
  'product statistics': [['product_total'], () => readProductStats(sql, [10_001, 10_002])],
  'merchant statistics': [
    ['view_event', 'view_hour', 'window_merchant', 'merchant_snapshot'],
    () => readMerchantActivity(sql, MERCHANT),
  ],
  'merchant statistics of a large merchant': [
    // The events of its last minutes too, through a function that Postgres inlines: see below.
    ['window_view', 'window_merchant', 'merchant_snapshot'],
    async () => {
      await sql`select choose_window_merchants(1)`;
      await sql`select pg_stat_statements_reset()`;
      await readMerchantActivity(sql, MERCHANT);
    },
  ],
  'views, new and late': [
    [
      ...['view_event', 'view_hour', 'merchant_hour', 'product_total'],
      ...['window_view', 'window_merchant'],
    ],
    () => recordViews(sql, [view(0), view(5)]),
  ],
  reactions: [
    ['reaction', 'product_total'],
    () => setReactions(sql, [{ productId: 10_001, user: 'a', reaction: 'like' }]),
  ],
  // Of tables that every node has a copy of: the catalog is small beside the views.
  details: [[], () => Promise.all([readProduct(sql, 10_001), readOffer(sql, 50_001)])],
};

describe('a database sharded by merchant', () => {
  it.each(Object.entries(HOT))('%s: every statement carries its key', async (_, [tables, work]) => {
    const statements = await statementsOf(work);
    expect(new Set(statements.flatMap(tablesOf))).toEqual(new Set(tables));
    expect(faultsOf(statements)).toEqual([]);
  });

  it('functions that Postgres inlines carry it as well', async () => {
    const rows = await sql<{ body: string }[]>`
      select p.prosrc as body from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and l.lanname = 'sql'`;
    const bodies = rows.map(({ body }) => body.replace(/\s+/g, ' '));
    expect(bodies.flatMap(tablesOf)).toContain('view_event');
    expect(faultsOf(bodies)).toEqual([]);
  });

  it('the jobs work shard by shard', async () => {
    const statements = await statementsOf(async () => {
      const [oldest] = await sql<{ hour: Date }[]>`select min(hour) as hour from hour_seal`;
      await sql`delete from hour_seal where hour = ${oldest?.hour.toISOString() ?? ''}::text::timestamptz`;
      await sql`delete from view_hour where hour = ${oldest?.hour.toISOString() ?? ''}::text::timestamptz`;
      await sql`delete from merchant_hour where hour = ${oldest?.hour.toISOString() ?? ''}::text::timestamptz`;
      await sql`select pg_stat_statements_reset()`;
      await sealDueHours(sql);
      await sql`update window_state set until = until - interval '5 minutes'`;
      await advanceWindow(sql);
      await takeSnapshot(sql, untakenHour());
    });
    const tables = new Set(statements.flatMap(tablesOf));
    for (const table of [
      'view_event',
      'view_hour',
      'merchant_hour',
      'window_view',
      'merchant_snapshot',
    ]) {
      expect([table, tables.has(table)]).toEqual([table, true]);
    }
    expect(faultsOf(statements)).toEqual([]);
  });

  it('and one that forgets the key is found', async () => {
    const forgotten = await statementsOf(
      () => sql`select count(*) from view_event where at >= now() - interval '1 hour'`,
    );
    expect(faultsOf(forgotten)).toHaveLength(1);
  });
});
