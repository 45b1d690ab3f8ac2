import { readFileSync } from 'node:fs';
import { HtmlValidate } from 'html-validate';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { sharedService } from '../support/service.ts';

const { url, databaseUrl } = sharedService();
const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
let browser: Browser;
let offerPath = '';
let productPath = '';

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const sql = openDatabase(databaseUrl, { max: 1 });
  const [offer] = await sql<{ id: number; product_id: number }[]>`
    select id, product_id from offer o
    where is_public(o, now()) and id > 0 and product_id is not null and valid_until is not null
    order by id limit 1`;
  await sql.end();
  offerPath = `/offers/${offer?.id}`;
  productPath = `/products/${offer?.product_id}`;
});
afterAll(() => browser.close());

describe.each([false, true])('with scripting %s', (javaScriptEnabled) => {
  it('Offer pages are public HTML at {base_url}/offers/{id} and show title, description, merchant and validity without scripting', async () => {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    const sql = openDatabase(databaseUrl, { max: 1 });
    const [offer] = await sql<{ title: string; text: string; merchant: string; until: Date }[]>`
      select o.title, coalesce(o.enriched_copy, o.description) as text, m.name as merchant, o.valid_until as until
      from offer o join merchant m on m.id = o.merchant_id where o.id = ${Number(offerPath.slice(8))}`;
    await sql.end();
    const response = await page.goto(url + offerPath);
    expect(response?.status()).toBe(200);
    expect(await page.locator('h1').textContent()).toBe(offer?.title);
    const text = await page.locator('main').innerText();
    expect(text).toContain(offer?.merchant);
    expect(text).toContain(offer?.text);
    expect(await page.locator('time').last().getAttribute('datetime')).toBe(
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
    expect(text).toMatch(/\d+\s+produtos/);
    expect(text).toContain('/mcp');
    expect(await page.locator('[lang="en"]').innerText()).toMatch(/read-only/);
    await context.close();
  });
});

describe('pages', () => {
  const paths = () => ['/', offerPath, productPath, '/offers/-1', '/nothing-here'];

  it('carry the canonical link, the service name, lang, OpenGraph and structured data', async () => {
    const page = await browser.newPage();
    await page.goto(url + offerPath);
    const base = url.replace('127.0.0.1', 'localhost');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(base + offerPath);
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    expect(await page.locator('meta[property="og:site_name"]').getAttribute('content')).toBe(
      'Vitrine',
    );
    const blocks = await page.locator('script[type="application/ld+json"]').allTextContents();
    const types = blocks.map((block) => JSON.parse(block)['@type']);
    expect(types).toEqual(expect.arrayContaining(['Product', 'LocalBusiness', 'BreadcrumbList']));
    await page.close();
  });

  it('have no accessibility faults (WCAG 2.2 AA), at 320 and 1280 px, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 1280]) {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
        const page = await context.newPage();
        for (const path of paths()) {
          await page.goto(url + path);
          await page.evaluate(axeSource);
          const faults = await page.evaluate(async () => {
            const { axe } = window as unknown as { axe: typeof import('axe-core') };
            const result = await axe.run({
              runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
            });
            return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
          });
          expect([path, colorScheme, width, faults]).toEqual([path, colorScheme, width, []]);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect([path, width, overflow]).toEqual([path, width, 0]);
        }
        await context.close();
      }
    }
  });

  it('are valid HTML', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:recommended'],
      // Astro writes void elements and inline styles its own way; both are valid HTML.
      rules: { 'void-style': 'off', 'no-trailing-whitespace': 'off', 'doctype-style': 'off' },
    });
    for (const path of paths()) {
      const html = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
      const report = await validator.validateString(html);
      const messages = report.results.flatMap(({ messages: list }) =>
        list.map(({ ruleId, message, line }) => `${path}:${line} ${ruleId} ${message}`),
      );
      expect(messages).toEqual([]);
    }
  });

  it('are at most 10 KB compressed', async () => {
    for (const path of paths()) {
      const response = await fetch(url + path, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'br' },
      });
      const size = Number(response.headers.get('content-length'));
      expect([path, size > 0 && size <= 10_240]).toEqual([path, true]);
    }
  });
});
