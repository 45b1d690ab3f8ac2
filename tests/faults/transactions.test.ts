import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { newDatabase } from '../support/service.ts';

describe('a transaction whose backend dies', async () => {
  const sql = openDatabase(await newDatabase('empty'), { max: 2 });
  afterAll(() => sql.end({ timeout: 1 }));
  const killOthers = async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
  };
  const merchants = async () => {
    const [row] = await sql`select count(*) as count from merchant`;
    return row?.count;
  };

  it.each(['between two statements', 'within a statement'])(
    'fails %s, leaves nothing behind, and the process and its pool go on',
    async (when) => {
      const outcome = sql.begin(async (tx) => {
        await tx`insert into merchant (id, name, name_key) values (1, 'A', 'a')`;
        if (when === 'between two statements') await killOthers();
        else setTimeout(killOthers, 100);
        if (when === 'within a statement') await tx`select pg_sleep(5)`;
        await new Promise((done) => setTimeout(done, 50));
        // Work that continues after the loss must not write outside the transaction.
        await tx`insert into merchant (id, name, name_key) values (2, 'B', 'b')`.catch(() => {});
        await tx`insert into merchant (id, name, name_key) values (3, 'C', 'c')`;
      });
      await expect(outcome).rejects.toThrow();
      expect(await merchants()).toBe(0);
    },
  );

  it('still commits and rolls back', async () => {
    await sql.begin((tx) => tx`insert into merchant (id, name, name_key) values (4, 'D', 'd')`);
    const failing = sql.begin(async (tx) => {
      await tx`insert into merchant (id, name, name_key) values (5, 'E', 'e')`;
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await merchants()).toBe(1);
  });
});

describe('a command on a server that is slow to let it in', () => {
  it('waits for its connection', async () => {
    const url = new URL(await newDatabase('empty'));
    const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
    proxy.set('slow', 1500);
    url.port = String(proxy.port);
    const sql = openDatabase(url.href, { max: 1 });
    try {
      expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    } finally {
      await sql.end({ timeout: 1 });
      await proxy.close();
    }
  });
});
