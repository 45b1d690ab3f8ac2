import { describe, expect, it } from 'vitest';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { readSchema, schemaFault } from '../../src/data/migrate.ts';
import { freePort } from '../support/port.ts';
import { newDatabase, runCommand, startService } from '../support/service.ts';

const databaseWith = async (change: (sql: Sql) => Promise<unknown>) => {
  const url = await newDatabase('sample');
  const sql = openDatabase(url, { max: 1 });
  await change(sql);
  await sql.end();
  return url;
};
const addMigration = (name: string) => (sql: Sql) =>
  sql`
  insert into schema_migration (name, sha256) values (${name}, 'of a newer program')`;
const lacking = (sql: Sql) => sql`delete from schema_migration where name = '0023_changes.sql'`;
const migrate = (url: string) => runCommand('db-migrate', [], { DATABASE_URL: url });

describe('a schema', () => {
  it('of this program is supported', async () => {
    await databaseWith(async (sql) => {
      const schema = await readSchema(sql);
      expect(schema).toEqual({ missing: [], unknown: [], halfway: [] });
      expect(schemaFault(schema)).toBe(null);
    });
  });

  it('that is newer is left alone by db:migrate, which says that going back is safe', async () => {
    const url = await databaseWith(addMigration('9001_more.sql'));
    const { code, stderr } = await migrate(url);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^vitrine: the schema is newer than this program, which does not know 9001_more\.sql\. Nothing was migrated.* going back to it is safe\n$/,
    );
    // Other commands run on it, as the previous program does after a rollback.
    const snapshot = await runCommand('stats-snapshot', [], { DATABASE_URL: url });
    expect(snapshot.stderr).toBe('');
    expect(snapshot.code).toBe(0);
  });

  it('that changed what this program calls is left alone by every command', async () => {
    const url = await databaseWith(addMigration('9001_other.breaking.sql'));
    for (const command of ['db-migrate', 'stats-snapshot']) {
      const { code, stderr } = await runCommand(command, [], { DATABASE_URL: url });
      expect([command, code]).toEqual([command, 1]);
      expect(stderr).toMatch(
        /does not run on it: 9001_other\.breaking\.sql\. Run the program that/,
      );
    }
  });

  it('that is both newer and older is left alone', async () => {
    const url = await databaseWith(async (sql) => {
      await addMigration('9001_more.sql')(sql);
      await lacking(sql);
    });
    for (const command of ['db-migrate', 'stats-snapshot']) {
      const { stderr } = await runCommand(command, [], { DATABASE_URL: url });
      expect(stderr).toMatch(/this program needs 0023_changes\.sql: run the program that has all/);
    }
  });
});

/** A database as made by the migrations before 0020, or by the first few of them. */
const ofBefore = (howMany?: number) => async (sql: Sql) => {
  const [first] = await sql`
    with all_of_today as (delete from schema_migration)
    insert into schema_migration (name, sha256) values ('0001_catalog.sql', 'of then') returning name`;
  const { halfway } = await readSchema(sql);
  expect([first?.name, ...halfway]).toHaveLength(17);
  await sql`
    insert into schema_migration (name, sha256)
    select name, 'of then' from unnest(${halfway.slice(0, howMany)}::text[]) as name`;
};
const outcome = async (url: string, command = 'db-migrate') => {
  const { code, stdout, stderr } = await runCommand(command, [], { DATABASE_URL: url });
  return { code, said: stdout + stderr };
};

describe('a schema of the migrations before 0020', () => {
  it('counts as having the current tables, and gets the functions', async () => {
    const url = await databaseWith(async (sql) => {
      await ofBefore()(sql);
      await sql`drop index offer_changed`;
      await sql`drop function words_like(text)`;
    });
    const { code, said } = await outcome(url);
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/^Applied .*functions\/catalog\.sql@1, /),
    ]);
    expect(said).not.toMatch(/002[0-3]_/);
    expect(await outcome(url)).toEqual({ code: 0, said: 'Nothing to migrate\n' });
    const sql = openDatabase(url, { max: 1 });
    const [row] = await sql`
      select count(*)::int as products, to_regprocedure('words_like(text)') as made from product`;
    expect(row?.products).toBeGreaterThan(0);
    expect(row?.made).not.toBe(null);
    await sql.end();
  });

  it('that is not complete is left to the version before, by every command', async () => {
    const url = await databaseWith(ofBefore(12));
    for (const command of ['db-migrate', 'stats-snapshot']) {
      const { code, said } = await outcome(url, command);
      expect([command, code]).toEqual([command, 1]);
      expect(said).toMatch(
        /lacks 0015_tolerant_views\.sql, 0016_.*: run db:migrate of the last version that has 0019_roles\.sql/,
      );
    }
  });
});

describe('functions', () => {
  it('are all applied when the text of one is another, with their rights', async () => {
    const url = await databaseWith(async (sql) => {
      await sql`update schema_migration set sha256 = 'other' where name = 'functions/catalog.sql@1'`;
      await sql`
        create or replace function set_reaction(product bigint, reacting_user text, reaction text)
        returns void language sql as 'select'`;
    });
    expect(await outcome(url)).toEqual({ code: 0, said: 'Applied functions/catalog.sql@1\n' });
    const sql = openDatabase(url, { max: 1 });
    const [row] = await sql<Record<string, unknown>[]>`
      select prosecdef as definer, proconfig::text as config,
        has_function_privilege('mall_activity', oid, 'execute') as granted,
        has_function_privilege('mall_catalog', oid, 'execute') as public
      from pg_proc where proname = 'set_reaction'`;
    expect(row).toEqual({
      definer: true,
      config: '{"search_path=public, pg_temp"}',
      granted: true,
      public: false,
    });
    await sql`select set_reaction(10001, 'ana', 'like')`;
    expect(await sql`select from reaction where user_key = 'ana'`).toHaveLength(1);
    await sql.end();
  });

  it('of a later revision are left alone, and those of an earlier one are replaced', async () => {
    const newer = await databaseWith(addMigration('functions/views.sql@99'));
    expect(await outcome(newer)).toEqual({
      code: 1,
      said: expect.stringMatching(/does not know functions\/views\.sql@99\..*is safe\n$/),
    });
    const older = await databaseWith(
      (sql) =>
        sql`update schema_migration set name = 'functions/views.sql@0' where name like '%views.sql@1'`,
    );
    const sql = openDatabase(older, { max: 1 });
    expect(schemaFault(await readSchema(sql))).toBe(
      'the schema lacks functions/views.sql@1: run db:migrate',
    );
    await sql.end();
    expect(await outcome(older)).toEqual({ code: 0, said: 'Applied functions/views.sql@1\n' });
  });
});

describe('/readyz', () => {
  it.each([
    ['without a schema', (sql: Sql) => sql`drop table schema_migration`, /the schema lacks 0020_/],
    ['with one of an older program', lacking, /the schema lacks 0023_changes\.sql: run db:migrate/],
    [
      'with one that it does not run on',
      addMigration('9001_other.breaking.sql'),
      /does not run on it: 9001_other\.breaking\.sql/,
    ],
  ])('is not ready on a database %s, and the log alone says why', async (_, change, reason) => {
    const url = await databaseWith(change);
    const opsPort = String(await freePort());
    const service = await startService({ DATABASE_URL: url, OPS_PORT: opsPort });
    const ask = () => fetch(`http://127.0.0.1:${opsPort}/readyz`);
    const answer = await ask();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      database: true,
      schema: false,
      published: true,
      accepting: true,
    });
    await ask();
    expect(service.log().match(/not ready/g)).toHaveLength(1);
    expect(service.log()).toMatch(reason);
    await service.stop();
  });

  it('stays ready on a newer schema that this program runs on, as during a rolling upgrade', async () => {
    const url = await databaseWith(addMigration('9001_more.sql'));
    const opsPort = String(await freePort());
    const service = await startService({ DATABASE_URL: url, OPS_PORT: opsPort });
    expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200);
    await service.stop();
  });
});
