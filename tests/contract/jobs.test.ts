import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { latestSnapshotInstant } from '../../src/domain/stats.ts';
import { getJson, postRpc, toolCall } from '../support/http.ts';
import { searchProducts } from '../support/mcp.ts';
import { freePort } from '../support/port.ts';
import { AMPLE_QUOTAS, newDatabase, startService } from '../support/service.ts';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts the scheduler alone and waits until it runs. */
async function startJobs(
  databaseUrl: string,
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-jobs-')),
  more: Record<string, string> = {},
): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['scripts/jobs.ts'], {
    env: {
      ...process.env,
      BASE_URL: '',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await new Promise<void>((ready, fail) => {
    child.once('exit', (code) => fail(new Error(`jobs ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('jobs are running')) ready();
    });
  });
  child.removeAllListeners('exit');
  return child;
}

describe('npm run jobs', () => {
  it('catches up the snapshot that is due, once, on two instances at the same time', async () => {
    const url = await newDatabase('empty');
    const sql = openDatabase(url, { max: 1 });
    await sql`insert into item_owner values ('product', 1, '-infinity', 7)`;
    const due = latestSnapshotInstant(new Date());
    const inside = new Date(due.getTime() - 3_600_000).toISOString();
    await sql`select record_views(${JSON.stringify([
      { kind: 'product', id: 1, source: 'user', at: inside },
    ])}::text::jsonb)`;
    const [one, two] = await Promise.all([startJobs(url), startJobs(url)]);
    const runs = await sql<{ taken_at: Date; merchants: number }[]>`
      select taken_at, merchants from snapshot_run`;
    expect([...runs]).toEqual([{ taken_at: due, merchants: 1 }]);
    expect(await sql`select product_user from merchant_snapshot`).toEqual([{ product_user: 1 }]);
    await sql.end();
    for (const child of [one, two]) {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
  });
});

describe('a publish that is refused', () => {
  it('counts as a failed job at each run, and the metrics show how long changes have been waiting', async () => {
    const url = await newDatabase('sample');
    const opsPort = await freePort();
    const more = { OPS_PORT: String(opsPort), PUBLISH_CHECK_SECONDS: '1' };
    const jobs = await startJobs(url, undefined, more);
    const metric = async (name: string) => {
      const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      const line = text.split('\n').find((one) => one.startsWith(`${name} `));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const failures = () => metric('vitrine_job_seconds_count{job="publish",outcome="failed"}');
    expect([await failures(), await metric('vitrine_unpublished_seconds')]).toEqual([0, 0]);
    expect(await metric('vitrine_catalog_queue')).toBe(0);
    expect(await metric('vitrine_catalog_records{kind="product"}')).toBeGreaterThan(100);
    const sql = openDatabase(url, { max: 1 });
    await sql`delete from offer`;
    await sql`delete from product`;
    await sql.end();
    await expect.poll(failures, { timeout: 20_000 }).toBeGreaterThan(2);
    // Notifications can bring three refusals within the first second of waiting.
    await expect
      .poll(() => metric('vitrine_unpublished_seconds'), { timeout: 20_000 })
      .toBeGreaterThan(1);
    jobs.kill('SIGTERM');
  });
});

describe('changes that a mall submits by SQL', () => {
  it('are in search and on pages soon after their commit', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-submit-'));
    const url = await newDatabase('sample');
    const jobs = await startJobs(url, dataDir);
    const service = await startService({ ...AMPLE_QUOTAS, DATABASE_URL: url, DATA_DIR: dataDir });
    const sql = openDatabase(url, { max: 1 });
    const name = 'Bandolim de jacarandá Serenata';
    const [row] = await sql`
      select submit_catalog(${JSON.stringify([
        { op: 'patch', kind: 'product', id: 10_001, set: { name } },
        { op: 'delete', kind: 'product', id: 999_999_999 },
        { op: 'patch', kind: 'product', id: 999_999_999, set: { name } },
      ])}::text::jsonb, 'first') as queued`;
    expect(row?.queued).toBe(3);
    const found = async () =>
      (await searchProducts(service.url, { query: name })).products.map(({ id }) => id);
    await expect.poll(found, { timeout: 20_000 }).toContain(10_001);
    expect(await sql`select batch_key, position, id, field from catalog_change_fault`).toEqual([
      { batch_key: 'first', position: 3, id: 999_999_999, field: 'id' },
    ]);
    const page = async () => (await fetch(`${service.url}/products/10001`)).text();
    await expect.poll(page, { timeout: 20_000 }).toContain(name);
    await sql.end();
    const ended = new Promise((done) => jobs.once('exit', done));
    jobs.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await service.stop()).toBe(0);
  });
});

describe('agent views of get_product', () => {
  it('are counted once each when many come at the same time, and are durable at shutdown', async () => {
    const service = await startService({
      CATALOG_RECORDS_PER_MINUTE: '100000',
      MCP_REQUESTS_PER_MINUTE: '100000',
    });
    const [product] = (await searchProducts(service.url, { query: 'pizza', limit: 1 })).products;
    const id = product?.id ?? 0;
    const path = `/api/public/v1/products/${id}/stats`;
    const before = Number((await getJson(service.url + path)).body.viewsCount);
    const call = toolCall('get_product', { product_id: id });
    const calls = await Promise.all(Array.from({ length: 60 }, () => postRpc(service.url, call)));
    // One that missed its deadline, on a machine that is busy with other things, counts once or not at all.
    const answered = calls.filter(({ body }) => body.result !== undefined).length;
    expect(answered).toBeGreaterThan(0);
    const isCounted = (views: unknown) => {
      expect(Number(views) - before).toBeGreaterThanOrEqual(answered);
      expect(Number(views) - before).toBeLessThanOrEqual(60);
    };
    isCounted((await getJson(service.url + path)).body.viewsCount);
    expect(await service.stop()).toBe(0);
    const sql = openDatabase(service.databaseUrl, { max: 1 });
    const [row] = await sql`select views from product_total where product_id = ${id}`;
    isCounted(row?.views);
    await sql.end();
  });
});
