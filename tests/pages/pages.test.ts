import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { htmlFaults, testBrowser } from '../support/browser.ts';
import { pageKinds } from '../support/page-kinds.ts';
import { sharedService } from '../support/service.ts';

const { url, databaseUrl } = sharedService();
const browser = await testBrowser();
const kinds = await pageKinds(databaseUrl);
const urls = kinds.all.map((path) => url + path);

describe.each([false, true])('with scripting %s', (javaScriptEnabled) => {
  it('Offer pages are public HTML at {base_url}/offers/{id} and show title, description, merchant and validity without scripting', async () => {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    const sql = openDatabase(databaseUrl, { max: 1 });
    const [offer] = await sql<{ title: string; text: string; merchant: string; until: Date }[]>`
      select o.title, coalesce(o.enriched_copy, o.description) as text, m.name as merchant, o.valid_until as until
      from offer o join merchant m on m.id = o.merchant_id where o.id = ${Number(kinds.offer.slice(8))}`;
    await sql.end();
    const response = await page.goto(url + kinds.offer);
    expect(response?.status()).toBe(200);
    expect(await page.locator('h1').textContent()).toBe(offer?.title);
    const text = await page.locator('main').innerText();
    expect(text).toContain(offer?.merchant);
    expect(text).toContain(offer?.text);
    expect(await page.locator('.until time').first().getAttribute('datetime')).toBe(
      offer?.until.toISOString(),
    );
    expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
    await context.close();
  });

  it('the home page tells what the service is, with live counts and links', async () => {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(url);
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/\d+ produtos e \d+ ofertas de \d+ lojistas/);
    expect(await page.locator('.cards a').count()).toBeGreaterThan(8);
    const places = page.locator('section', { hasText: 'Lojas por bairro' });
    expect(await places.locator('h3').first().innerText()).toMatch(/^São Paulo \d+ lojas$/);
    await places.getByRole('link', { name: 'Pinheiros' }).click();
    expect(await page.locator('h1').innerText()).toBe('Lojas em Pinheiros, São Paulo');
    await page.goBack();
    await page.getByRole('link', { name: 'Veja como conectar' }).click();
    expect(await page.locator('main').innerText()).toContain('/mcp');
    expect(await page.locator('[lang="en"]').innerText()).toMatch(/read-only/);
    await context.close();
  });
});

describe('pages', () => {
  it('carry the canonical link, the service name, lang, OpenGraph and structured data', async () => {
    const page = await browser.newPage();
    await page.goto(url + kinds.offer);
    const base = url.replace('127.0.0.1', 'localhost');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(base + kinds.offer);
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    expect(await page.locator('meta[property="og:site_name"]').getAttribute('content')).toBe(
      'Vitrine',
    );
    const blocks = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(blocks).toHaveLength(1);
    const types = JSON.parse(blocks[0] ?? '')['@graph'].map(
      (node: object) => Object(node)['@type'],
    );
    expect(types).toEqual(
      expect.arrayContaining(['Product', 'Organization', 'Store', 'BreadcrumbList']),
    );
    await page.close();
  });

  it('are valid HTML', async () => {
    for (const address of urls) expect(await htmlFaults(address)).toEqual([]);
  });

  it('are at most 14 KB compressed', async () => {
    for (const address of urls) {
      const response = await fetch(address, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'gzip' },
      });
      const size = Number(response.headers.get('content-length'));
      expect([address, size > 0 && size <= 14_336]).toEqual([address, true]);
    }
  });
});
