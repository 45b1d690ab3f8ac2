import { describe, expect, it } from 'vitest';
import { displayFaults, htmlFaults, testBrowser } from '../support/browser.ts';
import { getJson } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const browser = await testBrowser();

describe('the reference page /docs', () => {
  it('shows every operation, error and schema of the description, without scripting', async () => {
    const { body } = await getJson(`${url}/openapi.json`);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${url}/docs`);
    const headings = await page.locator('h3').allTextContents();
    for (const [path, item] of Object.entries(body.paths as Record<string, object>)) {
      for (const method of Object.keys(item)) {
        expect(headings).toContain(`${method.toUpperCase()} ${path}`);
      }
    }
    const { schemas } = body.components as { schemas: object };
    for (const name of Object.keys(schemas)) expect(headings).toContain(name);
    const text = await page.locator('main').innerText();
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

  it('has no accessibility faults and fits a phone, light and dark', async () => {
    expect(await displayFaults(browser, [`${url}/docs`])).toEqual([]);
  });

  it('is valid HTML', async () => {
    expect(await htmlFaults(`${url}/docs`)).toEqual([]);
  });
});
