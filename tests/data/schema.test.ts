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
const lacking = (sql: Sql) => sql`delete from schema_migration where name like '0016%'`;
const migrate = (url: string) => runCommand('db-migrate', [], { DATABASE_URL: url });

describe('a schema', () => {
  it('of this program is the one that it runs on', async () => {
    await databaseWith(async (sql) => {
      const schema = await readSchema(sql);
      expect(schema).toEqual({ missing: [], unknown: [] });
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
    // Other commands run on it, as the program before does after a roll-back.
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
      expect(stderr).toMatch(/this program needs 0016_versions\.sql: run the program that has all/);
    }
  });
});

describe('/readyz', () => {
  it.each([
    ['without a schema', (sql: Sql) => sql`drop table schema_migration`, /the schema lacks 0001_/],
    [
      'with one of an older program',
      lacking,
      /the schema lacks 0016_versions\.sql: run db:migrate/,
    ],
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
