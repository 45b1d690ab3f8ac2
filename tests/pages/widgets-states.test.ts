import type { BrowserContextOptions } from 'playwright';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../support/browser.ts';
import { type EmbedOptions, embedCounters, textOf } from '../support/counters.ts';
import { AMPLE_QUOTAS, sharedService, startService } from '../support/service.ts';

const { url } = sharedService();
const browser = await testBrowser();

const embed = (html: string, options: BrowserContextOptions & Partial<EmbedOptions> = {}) =>
  embedCounters(browser, html, { origin: url, ...options });

const PRODUCT = '<vitrine-product-stats product-id="10001"></vitrine-product-stats>';
const MERCHANT = '<vitrine-merchant-stats merchant-id="101" rows="3"></vitrine-merchant-stats>';

describe('the counters', () => {
  it('fit a narrow column whatever the counts, and tell long ones in full as well', async () => {
    const { page, close } = await embed('', { viewport: { width: 300, height: 900 } });
    await page.route('**/products/10001/stats', async (route) => {
      const response = await route.fetch();
      const counts = { viewsCount: 123_456_789_012, likesCount: 999_999, dislikesCount: 999_999 };
      await route.fulfill({ response, json: { productId: 10001, ...counts } });
    });
    await page.evaluate((html) => {
      document.body.innerHTML = html;
    }, PRODUCT + MERCHANT);
    await textOf(page, 'vitrine-product-stats', /^999/);
    await textOf(page, 'vitrine-merchant-stats', /^\d/);
    const views = page.locator('vitrine-product-stats dd').first();
    expect(await views.innerText()).toMatch(/^123,5\sbi$/);
    expect(await views.getAttribute('title')).toBe('123.456.789.012');
    for (const cell of await page.locator('dt, dd').all()) {
      const spare = await cell.evaluate((element) => element.clientWidth - element.scrollWidth);
      expect([await cell.innerText(), spare]).toEqual([await cell.innerText(), 0]);
    }
    await close();
  });

  it('give up on a service that never answers, and offer another try', async () => {
    const { page, close } = await embed('');
    await page.clock.install();
    await page.route('**/stats', () => {});
    const asked = page.waitForRequest('**/stats');
    await page.evaluate((html) => {
      document.body.innerHTML = html;
    }, PRODUCT);
    await asked;
    await page.clock.fastForward(21_000);
    await page.getByRole('button', { name: 'Tentar de novo' }).waitFor();
    await close();
  });

  it('explain a limit and its end, in either language', async () => {
    const own = await startService({ ...AMPLE_QUOTAS, PRODUCT_STATS_REQUESTS_PER_HOUR: '1' });
    const other = PRODUCT.replace('10001', '10002');
    const { page, close } = await embed('', { origin: own.url });
    try {
      await page.evaluate((html) => {
        document.body.innerHTML = html;
      }, PRODUCT);
      await textOf(page, 'vitrine-product-stats', /^\d/);
      await page.evaluate((html) => {
        document.body.innerHTML = `${html}<div lang="en">${html}</div>`;
      }, other);
      await page.getByText(/Os números voltam em \d+ minutos/).waitFor();
      await page.getByText(/The counts are back in \d+ minutes/).waitFor();
      expect(await page.getByRole('status').count()).toBe(2);
    } finally {
      await close();
      await own.stop();
    }
  });

  it('offer a retry when the service is down, and none for an invalid id', async () => {
    const { page, close } = await embed('');
    await page.route('**/products/10001/stats', (route) => route.abort());
    await page.evaluate((html) => {
      document.body.innerHTML = html;
    }, PRODUCT + MERCHANT.replace('101', 'x'));
    await page.getByText('Não há números para este código.').waitFor();
    await page.getByText('Os números não carregaram.').waitFor();
    await page.unroute('**/products/10001/stats');
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await textOf(page, 'vitrine-product-stats', /^\d/);
    expect(await page.getByRole('button').count()).toBe(0);
    await close();
  });
});
