import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { getJson, postRpc, toolCall } from '../support/http.ts';
import { AMPLE_QUOTAS, newDatabase, runCommand, startService } from '../support/service.ts';

const HOUR_MS = 3_600_000;
const preload = pathToFileURL(join(import.meta.dirname, '../support/shifted-clock.mjs')).href;

/** The environment of a process whose clock is off by so many hours. */
const shifted = (hours: number) => ({
  NODE_OPTIONS: `--import=${preload}`,
  CLOCK_SHIFT_MS: String(hours * HOUR_MS),
});

const getProduct = toolCall('get_product', { product_id: 10_001 });

describe.each([50, -50])('a server whose clock is off by %i hours', (hours) => {
  it('gives the same statistics, and records its agent views when they happen', async () => {
    const url = await newDatabase('sample');
    const sql = openDatabase(url, { max: 1 });
    const service = await startService({ ...AMPLE_QUOTAS, ...shifted(hours), DATABASE_URL: url });
    try {
      const right = await startService({ ...AMPLE_QUOTAS, DATABASE_URL: url });
      const path = '/api/public/v1/merchants/101/stats';
      const [ours, theirs] = await Promise.all(
        [service, right].map(async (server) => (await getJson(server.url + path)).body),
      );
      expect(ours?.totalViewsCount).toBeGreaterThan(0);
      expect(ours).toEqual(theirs);
      await right.stop();
      expect((await postRpc(service.url, getProduct)).status).toBe(200);
      expect(
        await sql`
        select item_id from view_event
        where item_id = 10001 and metric = 2 and at between now() - interval '1 minute' and now()`,
      ).toHaveLength(1);
    } finally {
      await service.stop();
      await sql.end({ timeout: 1 });
    }
  });

  it('takes no snapshot for another day than the one that is due', async () => {
    const url = await newDatabase('sample');
    const sql = openDatabase(url, { max: 1 });
    const before = await sql`select taken_at from snapshot_run`;
    const env = { DATABASE_URL: url, ...shifted(hours) };
    const { code, stderr } = await runCommand('stats-snapshot', [], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(hours > 0 ? /lies in the future/ : /hours before .* are sealed/);
    expect(await sql`select taken_at from snapshot_run`).toEqual(before);
    await sql.end({ timeout: 1 });
  });

  it('keeps a used-up quota used up, for no longer than its window', async () => {
    const service = await startService({
      MERCHANT_STATS_REQUESTS_PER_HOUR: '2',
      ...shifted(hours),
    });
    const ask = () => getJson(`${service.url}/api/public/v1/merchants/101/stats`);
    try {
      for (const expected of [200, 200, 429]) expect((await ask()).status).toBe(expected);
      const showsTime = async () => {
        const { body } = await getJson(`${service.url}/gpt/products.json?limit=1`);
        return ((Date.parse(String(body.generated_at)) - Date.now()) / HOUR_MS).toFixed(0);
      };
      expect(await showsTime()).toBe(String(hours));
      service.process.kill('SIGUSR2');
      await expect.poll(showsTime).toMatch(/^-?0$/);
      // With the clock set back, the window has not ended; set forward, it has, and another begins.
      const seen: number[] = [];
      for (let time = 0; time < 3; time += 1) {
        const { status, headers } = await ask();
        seen.push(status);
        if (status === 429) expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3600);
      }
      expect(seen).toEqual(hours > 0 ? [429, 429, 429] : [200, 200, 429]);
    } finally {
      await service.stop();
    }
  });
});

describe('a clock that is set back between two publishes', () => {
  it('makes no changed page look unchanged', async () => {
    const env = {
      DATABASE_URL: await newDatabase('sample'),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'vitrine-clock-')),
    };
    expect(await runCommand('catalog-publish', [], env)).toMatchObject({ code: 0 });
    const service = await startService(env);
    const ask = async (headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.url}/products/10001.md`, { headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    try {
      const old = await ask();
      const since = { 'if-modified-since': old.headers.get('last-modified') ?? '' };
      expect((await ask(since)).status).toBe(304);
      const sql = openDatabase(env.DATABASE_URL, { max: 1 });
      await sql`update product set description = 'Texto novo' where id = 10001`;
      await sql`update catalog_state set updated_at = now()`;
      await sql.end({ timeout: 1 });
      const publish = await runCommand('catalog-publish', [], { ...env, ...shifted(-50) });
      expect(publish).toMatchObject({ code: 0 });
      await expect
        .poll(async () => (await ask()).text, { timeout: 10_000 })
        .toContain('Texto novo');
      expect((await ask(since)).status).toBe(200);
      const tag = { 'if-none-match': old.headers.get('etag') ?? '' };
      expect((await ask(tag)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
