import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type CatalogChange, submitCatalog } from '../../src/data/catalog/queue.ts';
import { openDatabase } from '../../src/data/connection/client.ts';
import { latestSnapshotInstant } from '../../src/domain/stats.ts';
import { merchant, product } from '../support/feed-records.ts';
import { postRpc, toolCall } from '../support/http.ts';
import { LONG } from '../support/long.ts';
import { AMPLE_QUOTAS, newDatabase, runCommand, startService } from '../support/service.ts';

const KILLS = LONG ? 30 : 4;
const folder = mkdtempSync(join(tmpdir(), 'vitrine-crash-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a command and ends it by SIGKILL after so long, unless it ended by itself. */
async function killAfter(ms: number, name: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args], {
    env: { ...process.env, BASE_URL: '', ...env },
    stdio: 'ignore',
  });
  children.push(child);
  const ended = new Promise((done) => child.once('exit', done));
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  await ended;
  clearTimeout(timer);
}

/** An instant within what a command takes, sooner or later at random. */
const someInstant = (longestMs: number) => 300 + Math.random() * longestMs;

function writeFeed(name: string, version: number): string {
  const file = join(folder, name);
  const lines = [
    { kind: 'merchant', id: 1, name: `Loja ${version}` },
    ...Array.from({ length: 3000 }, (_, index) => ({
      kind: 'product',
      id: index + 1,
      merchant_id: 1,
      name: `Item ${version}`,
    })),
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

describe('ended by SIGKILL at any instant', () => {
  it('an import has happened or it has not; two at a time do not mix', async () => {
    const url = await newDatabase('empty');
    const env = { DATABASE_URL: url };
    const sql = openDatabase(url, { max: 1 });
    const files = [writeFeed('odd.ndjson', 1), writeFeed('even.ndjson', 2)];
    const versions = async () => {
      const rows = await sql`select name, count(*) as count from product group by name`;
      const [owner] = await sql`select name from merchant`;
      expect(rows.length).toBeLessThanOrEqual(1);
      if (rows[0] === undefined) return null;
      expect(rows[0].count).toBe(3000);
      expect(owner?.name).toBe(String(rows[0].name).replace('Item', 'Loja'));
      return rows[0].name;
    };
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killAfter(
        someInstant(2500),
        'catalog-import',
        [files[kill % 2] ?? '', '--replace'],
        env,
      );
      await versions();
    }
    const both = await Promise.all(
      files.map((file) => runCommand('catalog-import', [file, '--replace'], env)),
    );
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await versions()).not.toBeNull();
    await sql.end({ timeout: 1 });
  });

  it('changes that were submitted are applied, once, in order and batch by batch', async () => {
    const url = await newDatabase('empty');
    const sql = openDatabase(url, { max: 2 });
    const reader = openDatabase(url, { max: 1 });
    const env = { DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' };
    const feed = join(folder, 'three.ndjson');
    const lines = [merchant(1), ...[1, 2, 3].map((id) => product(id, { name: 'Item 0' }))];
    writeFileSync(feed, lines.map((line) => JSON.stringify(line)).join('\n'));
    await runCommand('catalog-import', [feed], env);
    let version = 0;
    let submitting = true;
    // Each batch gives two products the same name, and adds one to a third's brand.
    const submitter = (async () => {
      while (submitting) {
        const next = version + 1;
        const set = { name: `Item ${next}` };
        const changes: CatalogChange[] = [
          ...[1, 2].map((id) => ({ op: 'patch' as const, kind: 'product' as const, id, set })),
          { op: 'upsert', record: product(next + 10, { name: `Item ${next}` }) as never },
        ];
        if ((await submitCatalog(sql, changes, `batch ${next}`)) > 0) version = next;
        await new Promise((done) => setTimeout(done, 20));
      }
    })();
    let seen = 0;
    const look = async () => {
      const rows = await reader<{ name: string }[]>`select name from product where id in (1, 2)`;
      const [one, two] = rows.map(({ name }) => Number(name.slice(5)));
      expect(two).toBe(one);
      expect(one).toBeGreaterThanOrEqual(seen);
      seen = one ?? 0;
    };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const runners = [1, 2].map(() => killAfter(500 + someInstant(3000), 'jobs', [], env));
      const watch = setInterval(() => void look(), 50);
      await Promise.all(runners);
      clearInterval(watch);
    }
    submitting = false;
    await submitter;
    const last = killAfter(60_000, 'jobs', [], env);
    const waiting = async () =>
      (await sql`select from catalog_batch where changes is not null`).length;
    await expect.poll(waiting, { timeout: 50_000, interval: 200 }).toBe(0);
    await look();
    expect(seen).toBe(version);
    const [row] = await sql`select count(*) as added from product where id > 10`;
    expect(row?.added).toBe(version);
    expect(await sql`select from catalog_change_fault`).toHaveLength(0);
    for (const child of children) child.kill('SIGKILL');
    await last;
    await Promise.all([sql.end({ timeout: 1 }), reader.end({ timeout: 1 })]);
  });

  it('sealing and snapshot are finished by the next start, each hour and merchant once', async () => {
    const url = await newDatabase('empty');
    const sql = openDatabase(url, { max: 2 });
    await sql`insert into item_owner select 'product', id, '-infinity', id % 50 from generate_series(1, 500) id`;
    const due = latestSnapshotInstant(new Date());
    const from = new Date(due.getTime() - 24 * 3_600_000).toISOString();
    await sql`
      select record_views((select jsonb_agg(jsonb_build_object('kind', 'product', 'source', 'user',
        'id', 1 + n % 500, 'at', ${from}::text::timestamptz + n * interval '4.3 seconds'))
      from generate_series(0, 19999) n))`;
    const env = { DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' };
    for (let kill = 0; kill < KILLS; kill += 1) {
      await Promise.all([
        killAfter(someInstant(1500), 'jobs', [], env),
        killAfter(someInstant(1500), 'jobs', [], env),
      ]);
    }
    expect(await runCommand('stats-snapshot', [], env)).toMatchObject({ code: 0 });
    const [hours] = await sql`
      select sum(product_user) as views from merchant_hour
      where hour >= ${from}::text::timestamptz and hour < ${due.toISOString()}::text::timestamptz`;
    const [snapshot] = await sql`
      select sum(product_user) as views, count(*) as merchants, min(taken_at) as at
      from merchant_snapshot`;
    expect(Number(hours?.views)).toBe(20_000);
    expect(Number(snapshot?.views)).toBe(20_000);
    expect(snapshot).toMatchObject({ merchants: 50, at: due });
    await sql.end({ timeout: 1 });
  });

  it('the server has recorded every view that it acknowledged, and none twice', async () => {
    const url = await newDatabase('sample');
    const sql = openDatabase(url, { max: 1 });
    const views = async () => {
      const [row] = await sql`select views from product_total where product_id = 10001`;
      return Number(row?.views);
    };
    for (let kill = 0; kill < Math.ceil(KILLS / 3); kill += 1) {
      const service = await startService({ ...AMPLE_QUOTAS, DATABASE_URL: url });
      const before = await views();
      let asked = 0;
      let answered = 0;
      const ask = async () => {
        for (;;) {
          asked += 1;
          const call = toolCall('get_product', { product_id: 10_001 });
          const { status } = await postRpc(service.url, call);
          if (status === 200) answered += 1;
        }
      };
      const ended = new Promise((done) => service.process.once('exit', done));
      setTimeout(() => service.process.kill('SIGKILL'), someInstant(700));
      await Promise.allSettled(Array.from({ length: 20 }, ask));
      await ended;
      const recorded = (await views()) - before;
      expect(answered).toBeGreaterThan(0);
      expect(recorded).toBeGreaterThanOrEqual(answered);
      expect(recorded).toBeLessThanOrEqual(asked);
    }
    await sql.end({ timeout: 1 });
  });
});
