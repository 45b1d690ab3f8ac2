import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { readSchema } from '../../src/data/migrate.ts';
import { freePort } from '../support/port.ts';
import { AMPLE_QUOTAS, newDatabase, runCommand, startService } from '../support/service.ts';

const url = await newDatabase('sample');
const owner = openDatabase(url, { max: 2 });
const opened: Sql[] = [owner];
afterAll(() => Promise.all(opened.map((sql) => sql.end())));

/** A user of this database that is a member of a role and of nothing else. */
async function userOf(role: string): Promise<{ url: string; sql: Sql }> {
  const [{ name } = { name: '' }] = await owner<{ name: string }[]>`
    select current_database() || '_' || ${role} as name`;
  await owner.unsafe(`create role ${name} login in role ${role}`);
  const own = new URL(url);
  own.username = name;
  const sql = openDatabase(own.href, { max: 2 });
  opened.push(sql);
  return { url: own.href, sql };
}

const MALL = ['mall_activity', 'mall_catalog'];
const ROLES = ['vitrine_web', 'vitrine_jobs', ...MALL];
const users = Object.fromEntries(
  await Promise.all(ROLES.map(async (role) => [role, await userOf(role)] as const)),
) as Record<string, { url: string; sql: Sql }>;
const as = (role: string): Sql => users[role]?.sql ?? owner;

const relations = (
  await owner<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v')
      and not relispartition
    order by 1`
).map(({ name }) => name);
const columns = new Map(
  (
    await owner<{ name: string; first: string }[]>`
      select relname as name, attname as first from pg_attribute join pg_class on oid = attrelid
      where attnum = 1 and relnamespace = current_schema()::regnamespace`
  ).map(({ name, first }) => [name, first]),
);

/** What a role may do with a table (a partition is reached by its parent alone), tried. */
async function tryAll(role: string, table: string): Promise<string[]> {
  const column = columns.get(table) ?? 'x';
  const attempts = {
    select: `select * from ${table} limit 0`,
    insert: `insert into ${table} (${column}) overriding system value select ${column} from ${table} where false`,
    update: `update ${table} set ${column} = default where false`,
    delete: `delete from ${table} where false`,
    truncate: `truncate ${table}`,
    lock: `do $$ begin lock table ${table} in access exclusive mode; end $$`,
    alter: `alter table ${table} add column more int`,
    drop: `drop table ${table} cascade`,
  };
  const done: string[] = [];
  for (const [verb, statement] of Object.entries(attempts)) {
    const refused = await as(role)
      .unsafe(statement)
      .then(
        () => null,
        (error: Error) => error.message,
      );
    if (refused === null) done.push(verb);
    else if (!/permission denied|must be owner|is not a table/.test(refused))
      done.push(`${verb}: ${refused}`);
  }
  return done;
}

const event = JSON.stringify([{ kind: 'product', id: 10001, source: 'user' }]);

describe('the roles of a mall', () => {
  it.each(MALL)('%s can do nothing to any table', async (role) => {
    const allowed: Record<string, string[]> = {};
    for (const table of relations) {
      const done = await tryAll(role, table);
      if (done.length > 0) allowed[table] = done;
    }
    expect(allowed).toEqual(role === 'mall_catalog' ? { catalog_change_fault: ['select'] } : {});
  });

  it('call their own functions, which work for them, and none of the others', async () => {
    const calls: Record<string, { by: string[]; call: (sql: Sql) => Promise<unknown> }> = {
      record_views: {
        by: ['mall_activity', 'vitrine_web', 'vitrine_jobs'],
        call: (sql) => sql`select record_views(${event}::text::jsonb)`,
      },
      'record_views, tolerant': {
        by: ['mall_activity', 'vitrine_jobs'],
        call: (sql) =>
          sql`select * from record_views(${event}::text::jsonb, 'k', tolerant := true)`,
      },
      set_reaction: {
        by: ['mall_activity', 'vitrine_jobs'],
        call: (sql) => sql`select set_reaction(10001, 'ana', 'like')`,
      },
      submit_catalog: {
        by: ['mall_catalog', 'vitrine_jobs'],
        call: (sql) => sql`select submit_catalog('[{"op":"delete","kind":"offer","id":1}]')`,
      },
      ensure_view_partitions: {
        by: ['vitrine_jobs'],
        call: (sql) => sql`select ensure_view_partitions(now())`,
      },
      seal_hour: { by: ['vitrine_jobs'], call: (sql) => sql`select seal_hour(hour_of(now()))` },
      analyze_table: { by: ['vitrine_jobs'], call: (sql) => sql`select analyze_table('offer')` },
      drop_view_partition: {
        by: ['vitrine_jobs'],
        call: (sql) => sql`
          select drop_view_partition(min(inhrelid::regclass::text)) from pg_inherits
          where inhparent = 'view_event'::regclass`,
      },
      grant_roles: { by: [], call: (sql) => sql`select grant_roles()` },
    };
    for (const [name, { by, call }] of Object.entries(calls)) {
      const can: string[] = [];
      for (const role of ROLES) {
        const fault = await as(role)
          .begin(async (tx) => {
            await call(tx);
            throw new Error('undone');
          })
          .catch((error: Error) => error.message);
        if (fault === 'undone') can.push(role);
        else expect(fault).toMatch(/permission denied/);
      }
      expect([name, can.toSorted()]).toEqual([name, by.toSorted()]);
    }
    // No other function lends the rights of its owner.
    const lending = await owner<{ name: string }[]>`
      select distinct proname as name from pg_proc
      where prosecdef and pronamespace = current_schema()::regnamespace`;
    expect(lending.every(({ name }) => name in calls)).toBe(true);
  });

  it('cannot send them elsewhere by a search_path or a temporary table', async () => {
    const before = await owner`select views from product_total where product_id = 10001`;
    await as('mall_activity').begin(async (tx) => {
      await tx`create temp table product_total (product_id bigint primary key, views bigint)`;
      await tx`create temp table view_event (at timestamptz, item_id bigint, merchant_id bigint, metric smallint)`;
      await tx`set local search_path = pg_temp, public`;
      await tx`select record_views(${event}::text::jsonb)`;
      const [row] = await tx`select count(*)::int as count from pg_temp.view_event`;
      expect(row?.count).toBe(0);
    });
    const after = await owner`select views from product_total where product_id = 10001`;
    expect(after[0]?.views).toBe(before[0]?.views + 1);
  });
});

describe('the roles of the service', () => {
  it('web reads what it serves, and writes nothing', async () => {
    for (const table of relations) {
      const done = await tryAll('vitrine_web', table);
      expect([table, done.filter((verb) => verb !== 'select')]).toEqual([table, []]);
    }
    const hidden = ['reaction', 'view_batch', 'catalog_batch', 'catalog_fault'];
    for (const table of hidden) expect(await tryAll('vitrine_web', table)).toEqual([]);
  });

  it('jobs work on every table of the schema, whose form is not theirs', async () => {
    for (const table of relations.filter((name) => name !== 'schema_migration')) {
      const done = (await tryAll('vitrine_jobs', table)).filter((verb) => verb !== 'lock');
      const isView = table === 'catalog_change_fault';
      const expected = isView ? ['select'] : ['select', 'insert', 'update', 'delete'];
      expect([table, done]).toEqual([table, expected]);
    }
  });

  it('serve with web: ready, statistics, searches, details with their agent views', async () => {
    const opsPort = String(await freePort());
    const service = await startService({
      ...AMPLE_QUOTAS,
      DATABASE_URL: users.vitrine_web?.url ?? '',
      OPS_PORT: opsPort,
    });
    expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200);
    for (const kind of ['products/10001', 'merchants/101']) {
      const status = async () => (await fetch(`${service.url}/api/public/v1/${kind}/stats`)).status;
      await expect.poll(status, { timeout: 20_000, message: kind }).toBe(200);
    }
    const call = async (name: string, args: object) => {
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name, arguments: args },
        }),
      });
      const { result } = (await response.json()) as { result?: { isError?: boolean } };
      return { result: result && { isError: result.isError ?? false } };
    };
    // A busy machine may answer late; retrying does not hide a missing privilege.
    for (const [name, args] of [
      ['search_local_products', { query: 'tênis de corrida' }],
      ['search_local_offers', { query: 'pizza' }],
      ['catalog_overview', {}],
      ['get_product', { product_id: 10001 }],
    ] as const) {
      const isError = async () => (await call(name, args)).result?.isError ?? 'no answer';
      await expect.poll(isError, { timeout: 20_000, message: name }).toBe(false);
    }
    await service.stop();
    expect(service.log()).not.toMatch(/permission denied/);
    const [row] = await owner`
      select count(*)::int as count from view_event where item_id = 10001 and metric = 2`;
    expect(row?.count).toBeGreaterThan(0);
  });

  it('commands work with jobs: import, snapshot, a migration that is not needed', async () => {
    const env = { DATABASE_URL: users.vitrine_jobs?.url ?? '' };
    const feed = Buffer.from('{"kind":"merchant","id":9001,"name":"Livraria Aurora"}\n');
    for (const [name, args, input] of [
      ['db-migrate', []],
      ['catalog-import', ['-'], feed],
      ['stats-snapshot', []],
    ] as [string, string[], Buffer?][]) {
      const { code, stderr } = await runCommand(name, args, env, input);
      expect([name, code, stderr.includes('denied')]).toEqual([name, 0, false]);
    }
    expect(await readSchema(as('vitrine_jobs'))).toEqual({ missing: [], unknown: [], halfway: [] });
  });
});
