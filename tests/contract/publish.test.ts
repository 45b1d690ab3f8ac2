import { mkdtempSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getJson } from '../support/http.ts';
import { searchProducts } from '../support/mcp.ts';
import { launchService, newDatabase, runCommand, type Service } from '../support/service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-publish-'));
const feed = join(dataDir, 'feed.ndjson');
const record = (value: object) => JSON.stringify(value);
const merchant = record({ kind: 'merchant', id: 1, name: 'Padaria Sol' });
const store = record({
  kind: 'store',
  id: 1,
  merchant_id: 1,
  name: 'Sol',
  address: 'Rua A, 1',
  district: 'Lapa',
  city: 'São Paulo',
});
const product = (id: number, name: string) => record({ kind: 'product', id, merchant_id: 1, name });
const offer = (id: number, more: object = {}) =>
  record({ kind: 'offer', id, merchant_id: 1, title: `Oferta ${id}`, ...more });

let service: Service;
let env: Record<string, string>;

beforeAll(async () => {
  env = {
    DATABASE_URL: await newDatabase('empty'),
    DATA_DIR: dataDir,
    BASE_URL: 'https://v.example',
    ALLOWED_HOSTS: 'localhost,127.0.0.1',
  };
  writeFileSync(
    feed,
    [
      merchant,
      store,
      product(10, 'Pão francês'),
      product(11, 'Sonho de creme'),
      offer(50),
      offer(51),
    ].join('\n'),
  );
  expect(await runCommand('catalog-import', [feed, '--replace'], env)).toMatchObject({ code: 0 });
  service = await launchService({ env, publish: true });
});
afterAll(() => service.stop());

/** Waits until the server has followed the switch to a new release. */
async function until(check: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await check()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('the server did not follow the new release');
}
const status = async (path: string) => (await fetch(service.url + path)).status;

describe('a published feed', () => {
  it('replaces the catalog: pages, documents and search follow it', async () => {
    expect(await status('/offers/50')).toBe(200);
    expect(await status('/products/10')).toBe(200);
    const { body } = await getJson(`${service.url}/gpt.json`);
    expect(body.counts).toMatchObject({ products: 2, offers: 2, merchants: 1, stores: 1 });
    const found = await searchProducts(service.url, { query: 'pão' });
    expect(found.products[0]).toMatchObject({
      id: 10,
      product_url: 'https://v.example/products/10',
    });
  });

  it('is rendered anew only where it changed, and withdrawn pages are 410', async () => {
    const before = await fetch(`${service.url}/products/10`);
    writeFileSync(
      feed,
      [merchant, store, product(10, 'Pão francês'), product(12, 'Bolo de fubá'), offer(51)].join(
        '\n',
      ),
    );
    const imported = await runCommand('catalog-import', [feed, '--replace'], env);
    expect(imported.stdout).toMatch(/2 removed/);
    expect(await runCommand('catalog-publish', [], env)).toMatchObject({ code: 0 });
    await until(async () => (await status('/offers/50')) === 410);
    expect(await status('/products/12')).toBe(200);
    expect(await status('/products/11')).toBe(410);
    const gone = await getJson(`${service.url}/offers/50`);
    expect(gone.body).toMatchObject({ code: 'GONE' });
    expect(gone.headers.get('cache-control')).toBe('no-store');
    const page = await fetch(`${service.url}/offers/50`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(410);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    const html = await page.text();
    expect(html).toMatch(/<meta name="robots" content="noindex">/);
    expect(html).toMatch(/<form action="\/buscar" method="get">/);
    expect(await (await fetch(`${service.url}/sitemaps/offers/1`)).text()).not.toContain(
      '/offers/50<',
    );
    const found = await searchProducts(service.url, { query: 'sonho de creme' });
    expect(found.products.map(({ id }) => id)).not.toContain(11);
    const after = await fetch(`${service.url}/offers/51`);
    expect(after.headers.get('last-modified')).toBe(
      (await fetch(`${service.url}/offers/51`)).headers.get('last-modified'),
    );
    expect(before.status).toBe(200);
  });

  it('links pages that did not change, keeps their Last-Modified, and renders all with --full', async () => {
    const modified = async () =>
      (await fetch(`${service.url}/products/12`)).headers.get('last-modified');
    const before = await modified();
    const again = await runCommand('catalog-publish', [], env);
    expect(again.stdout).toMatch(/Nothing changed/);
    const full = await runCommand('catalog-publish', ['--full'], env);
    expect(full.stdout).toMatch(/3 rendered, 0 unchanged/);
    expect(await modified()).toBe(before);
  });

  it('keeps the current release and two old ones; current is a link', async () => {
    const root = join(dataDir, 'releases');
    expect(readdirSync(root).filter((name) => name.startsWith('r-'))).toHaveLength(3);
    expect(readdirSync(root)).toContain(readlinkSync(join(root, 'current')));
  });

  it('is refused with file, line, field and reason when a line is bad, and nothing changes', async () => {
    writeFileSync(
      feed,
      [merchant, record({ kind: 'product', id: 13, merchant_id: 1, name: 'x', cor: 1 })].join('\n'),
    );
    const refused = await runCommand('catalog-import', [feed], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${feed}:2: cor is not a field of this kind of record`);
    const skipped = await runCommand('catalog-import', [feed, '--skip-invalid'], env);
    expect(skipped.code).toBe(3);
    expect(skipped.stderr).toContain(`skipped ${feed}:2: cor`);
    const missing = await runCommand('catalog-import', ['/nowhere.ndjson'], env);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('there is no file /nowhere.ndjson');
  });

  it('is told when prices are not in the currency of the price filters', async () => {
    const priced = (id: number, currency: string) =>
      record({ kind: 'product', id, merchant_id: 1, name: 'x', price: { amount: 100, currency } });
    const importing = (...lines: string[]) =>
      runCommand('catalog-import', ['-', '--dry-run'], env, Buffer.from(lines.join('\n')));
    const dollars = await importing(merchant, priced(91, 'BRL'), priced(92, 'USD'));
    expect(dollars).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 record has a price that is not in BRL: '),
    });
    const reais = await importing(merchant, priced(91, 'BRL'));
    expect(reais.stderr).not.toContain('BRL');
  });

  it('comes by standard input too, compressed, and tells before what it would change', async () => {
    const lines = [record({ kind: 'merchant', id: 1, name: 'Outro nome' }), product(90, 'Novo')];
    const input = gzipSync(lines.join('\n'));
    const dry = await runCommand('catalog-import', ['-', '--dry-run'], env, input);
    expect(dry).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Indexing') });
    expect(dry.stdout).toBe(
      [
        'Would add 1 record:',
        '  product 90 "Novo"',
        'Would change 1 record:',
        '  merchant 1 "Outro nome"',
        'Would remove 0 records',
        'Nothing was changed: this was a dry run',
        '',
      ].join('\n'),
    );
    const real = await runCommand('catalog-import', ['-'], env, input);
    expect(real.stdout).toContain('; 1 new, 1 changed, 0 removed, 0 skipped');
    const again = await runCommand('catalog-import', ['-'], env, input);
    expect(again.stdout).toContain('; 0 new, 0 changed, 0 removed, 0 skipped');
  });
});
