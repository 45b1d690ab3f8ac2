import { describe, expect, it } from 'vitest';
import { htmlFaults, testBrowser } from '../support/browser.ts';
import { getJson } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const browser = await testBrowser();

describe('the reference page /docs', () => {
  it('shows every operation and error of the description, without scripting', async () => {
    const { body } = await getJson(`${url}/openapi.json`);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${url}/docs`);
    const text = await page.locator('main').innerText();
    for (const path of Object.keys(body.paths as object)) expect(text).toContain(path);
    const headings = await page.locator('h3').allTextContents();
    for (const name of ['Error', 'ProductStats', 'MerchantStats']) expect(headings).toContain(name);
    expect(text).toContain('Merchant ID must be a positive integer');
    expect(text).toContain('Retry-After');
    expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
    for (const link of await page.locator('main a[href^="#"]').all()) {
      const target = (await link.getAttribute('href')) ?? '';
      expect([target, await page.locator(`[id="${target.slice(1)}"]`).count()]).toEqual([
        target,
        1,
      ]);
    }
    await context.close();
  });

  it('has a table of arguments for each of the five tools, with a call, in at most 60 KB', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${url}/docs`);
    const { tools } = (await getJson(`${url}/gpt.json`)).body.mcp as { tools: { name: string }[] };
    expect(tools).toHaveLength(5);
    for (const { name } of tools) {
      expect(await page.locator(`#${name}`).count()).toBe(1);
      if (name === 'catalog_overview') continue;
      const table = page.getByRole('table', { name: `Arguments of ${name}` });
      expect([name, await table.locator('tbody tr').count()]).not.toEqual([name, 0]);
    }
    const search = page.getByRole('table', { name: 'Arguments of search_local_products' });
    expect(await search.innerText()).toMatch(/radius_meters[\s\S]*5000 by default/);
    const menu = await page.locator('.docs-contents').boundingBox();
    const content = await page.locator('.docs').boundingBox();
    expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThan(content?.x ?? 0);
    const html = await (await fetch(`${url}/docs`)).text();
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(60 * 1024);
    await page.close();
  });

  it('is valid HTML', async () => {
    expect(await htmlFaults(`${url}/docs`)).toEqual([]);
  });
});
