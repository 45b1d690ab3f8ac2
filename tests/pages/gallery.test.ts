import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { displayFaults, testBrowser } from '../support/browser.ts';
import { embedCounters, textOf } from '../support/counters.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const browser = await testBrowser();

describe('the gallery /widgets', () => {
  it('has no accessibility faults and fits a phone, light and dark', async () => {
    const shown = (page: Page) => textOf(page, 'vitrine-merchant-stats', /^\d/);
    expect(await displayFaults(browser, [`${url}/widgets`], shown)).toEqual([]);
  });

  it('has snippets that can be copied and work as they stand', async () => {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const gallery = await context.newPage();
    await gallery.goto(`${url}/widgets`);
    await gallery.getByRole('button', { name: 'Copiar' }).nth(1).click();
    await gallery.getByRole('button', { name: 'Copiado' }).waitFor();
    const copied = await gallery.evaluate(() => navigator.clipboard.readText());
    const [, , , , , module = ''] = (await gallery.locator('pre.snippet').allTextContents()).slice(
      -6,
    );
    await context.close();
    expect(copied).toContain('<vitrine-merchant-stats');
    const { page, close } = await embedCounters(browser, copied + module, {
      origin: url,
    });
    await textOf(page, 'vitrine-merchant-stats', 'Visualizações nas últimas 24 horas');
    await page.locator('ul a').first().waitFor();
    expect(await page.locator('ul li').first().textContent()).toMatch(/\(Vitrine\)$/);
    await close();
  });
});
