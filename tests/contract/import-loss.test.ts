import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { getJson } from '../support/http.ts';
import { searchProducts } from '../support/mcp.ts';
import { launchService, newDatabase, runCommand, type Service } from '../support/service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-import-loss-'));
const feed = join(dataDir, 'feed.ndjson');
const env: Record<string, string> = { DATA_DIR: dataDir, BASE_URL: 'https://v.example' };
let service: Service;

function writeMall(products: number): void {
  const records = [
    { kind: 'merchant', id: 1, name: 'Padaria Sol' },
    {
      kind: 'store',
      id: 1,
      merchant_id: 1,
      name: 'Sol',
      address: 'Rua A, 1',
      district: 'Lapa',
      city: 'São Paulo',
    },
    ...Array.from({ length: products }, (_, index) => ({
      kind: 'product',
      id: index + 1,
      merchant_id: 1,
      name: `Pão francês ${index + 1}`,
    })),
  ];
  writeFileSync(feed, records.map((record) => JSON.stringify(record)).join('\n'));
}
const load = (...flags: string[]) =>
  runCommand('catalog-import', [feed, '--replace', ...flags], env);
const publish = (...flags: string[]) => runCommand('catalog-publish', flags, env);
const state = async () => {
  const sql = openDatabase(env.DATABASE_URL ?? '', { max: 1 });
  const [row] = await sql`
    select updated_at, (select count(*) from product) as products from catalog_state`;
  await sql.end();
  return row;
};

beforeAll(async () => {
  env.DATABASE_URL = await newDatabase('empty');
  writeMall(40);
  expect(await load()).toMatchObject({ code: 0, stderr: expect.stringContaining('100 %') });
  service = await launchService({
    env: { ...env, ALLOWED_HOSTS: 'localhost,127.0.0.1' },
    publish: true,
  });
});
afterAll(() => service.stop());

describe('catalog:import --replace of a file that lacks more than half', () => {
  it('ends with 1 and one clear line, and search, counts and pages stay', async () => {
    const before = await state();
    writeFileSync(feed, '');
    const refused = await load();
    expect(refused.code).toBe(1);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toBe(
      `vitrine: ${feed} lacks 40 of 40 products: more than half would be removed, so nothing was ` +
        'applied. If the file is right, import it again with --force\n',
    );
    expect(await state()).toEqual(before);
    const found = await searchProducts(service.url, { query: 'pão' });
    expect(found.products.length).toBeGreaterThan(0);
    expect((await publish()).stdout).toMatch(/Nothing changed/);
  });

  it('removes nothing beside a line that tells no kind and id, and says so', async () => {
    writeMall(10);
    writeFileSync(
      feed,
      `${readFileSync(feed, 'utf8')}\n{"kind":"product","id":11,"merchant_id":1,`,
    );
    const { code, stdout, stderr } = await load('--skip-invalid');
    expect([code, stdout]).toEqual([3, expect.stringMatching(/0 removed, 1 skipped/)]);
    expect(stderr).toContain(`skipped ${feed}:13: (line) is not valid JSON`);
    expect(stderr).toMatch(/; tells no kind and id, so it keeps no record\nnothing was removed: /);
    expect(await state()).toMatchObject({ products: 40 });
  });

  it('is applied with --force, and the publisher follows without one', async () => {
    writeMall(3);
    expect((await load('--force')).stdout).toMatch(/37 removed/);
    expect((await publish()).stdout).toMatch(/3 pages;.* 37 withdrawn/);
    const status = async () => (await fetch(`${service.url}/products/30`)).status;
    await expect.poll(status, { timeout: 5000 }).toBe(410);
    const { body } = await getJson(`${service.url}/gpt.json`);
    expect(body.counts).toMatchObject({ products: 3, merchants: 1 });
    const found = await searchProducts(service.url, { query: 'pão' });
    expect(found.products.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  });
});
