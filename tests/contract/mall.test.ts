import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { applyQueue } from '../../src/feed/changes.ts';
import { newDatabase, runCommand } from '../support/service.ts';

const FOLDER = 'scripts/deploy/mall';
const analyser = openAnalyser();
const run = async (sql: Sql, file: string) => {
  await sql.unsafe(readFileSync(`${FOLDER}/${file}`, 'utf8')).simple();
};

/** Typical changes of a mall, in a few statements. */
async function live(mall: Sql): Promise<void> {
  await mall`insert into mall.shop values (1, 'Aurora', 'Rua A, 1', 'Lapa', 'São Paulo')`;
  await mall`insert into mall.shop values (2, 'Brisa', 'Rua B, 2', 'Moema', 'São Paulo')`;
  await mall`
    insert into mall.item (id, shop_id, title, price_cents, stock)
    select n, 1 + n % 2, 'Item ' || n, n, n % 3 from generate_series(1, 6000) n`;
  await mall`update mall.item set price_cents = price_cents + 100 where id <= 5500`;
  await mall.begin(async (tx) => {
    await tx`update mall.item set title = 'Tênis de corrida' where id = 7`;
    await tx`update mall.item set hidden = true where id = 8`;
    await tx`delete from mall.item where id = 9`;
  });
  const failed = mall.begin(async (tx) => {
    await tx`delete from mall.item`;
    throw new Error('changed their mind');
  });
  await failed.catch(() => {});
  await mall`update mall.shop set name = 'Aurora Nova' where id = 1`;
  await mall`delete from mall.item where shop_id = 2`;
  await mall`delete from mall.shop where id = 2`;
}

async function expectTheMall(vitrine: Sql): Promise<void> {
  const [row] = await vitrine`
    select count(*) as products, sum(price_amount)::bigint as prices, count(*) filter (where in_stock) as stocked
    from product`;
  const numbers = Array.from({ length: 3000 }, (_, at) => 2 * at + 2).filter((n) => n !== 8);
  expect(row).toEqual({
    products: numbers.length,
    prices: numbers.reduce((sum, n) => sum + n + (n <= 5500 ? 100 : 0), 0),
    stocked: numbers.filter((n) => n % 3 > 0).length,
  });
  expect([...(await vitrine`select id, name from merchant`)]).toEqual([
    { id: 1, name: 'Aurora Nova' },
  ]);
  expect(await vitrine`select from store`).toHaveLength(1);
  expect(await vitrine`select from catalog_change_fault`).toHaveLength(0);
}

const applyAll = async (sql: Sql) => {
  while ((await applyQueue(sql, analyser)).changes > 0);
};

describe('the examples for a mall with tables of its own', () => {
  it('triggers in the same database submit what commits', async () => {
    const sql = openDatabase(await newDatabase('empty'), { max: 2 });
    for (const file of ['tables.sql', 'triggers.sql']) await run(sql, file);
    await live(sql);
    await applyAll(sql);
    await expectTheMall(sql);
    await sql.end();
  });

  describe('in a database of its own', () => {
    const workers: ChildProcess[] = [];
    let mallUrl: string;
    let url: string;
    let mall: Sql;
    let sql: Sql;
    beforeAll(async () => {
      [mallUrl, url] = await Promise.all([newDatabase('empty'), newDatabase('empty')]);
      mall = openDatabase(mallUrl, { max: 2 });
      sql = openDatabase(url, { max: 2 });
      for (const file of ['tables.sql', 'triggers.sql', 'outbox.sql']) await run(mall, file);
    });
    afterAll(async () => {
      for (const worker of workers) worker.kill('SIGKILL');
      await Promise.all([mall.end(), sql.end()]);
    });
    const startWorker = () => {
      const worker = spawn(process.execPath, [`${FOLDER}/outbox.mjs`], {
        env: { ...process.env, MALL_DATABASE_URL: mallUrl, VITRINE_DATABASE_URL: url },
        stdio: 'ignore',
      });
      workers.push(worker);
      return worker;
    };

    it('an outbox is brought once and in order, by workers that are killed as well', async () => {
      const living = live(mall);
      for (let kill = 0; kill < 3; kill += 1) {
        const worker = startWorker();
        await new Promise((done) => setTimeout(done, 300 + Math.random() * 500));
        worker.kill('SIGKILL');
      }
      await living;
      startWorker();
      startWorker();
      const waiting = async () => (await mall`select from mall.outbox`).length;
      await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
      await applyAll(sql);
      await expectTheMall(sql);
    });

    it('a nightly feed finds the same', async () => {
      const feed = spawn(process.execPath, [`${FOLDER}/feed.mjs`], {
        env: { ...process.env, MALL_DATABASE_URL: mallUrl },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const chunks: Buffer[] = [];
      for await (const chunk of feed.stdout) chunks.push(chunk as Buffer);
      const env = { DATABASE_URL: url };
      const args = ['-', '--replace'];
      const { stdout } = await runCommand('catalog-import', args, env, Buffer.concat(chunks));
      expect(stdout).toContain('; 0 new, 0 changed, 0 removed, 0 skipped');
    });
  });
});
