import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { displayFaults, testBrowser } from '../support/browser.ts';
import { textOf } from '../support/counters.ts';
import { pageKinds } from '../support/page-kinds.ts';
import { sharedService } from '../support/service.ts';

const { url, databaseUrl } = sharedService();
const browser = await testBrowser();

describe('accessibility faults (WCAG 2.2 AA) and what is too wide, at 320 and 1280 px, light and dark', () => {
  // Four times every page.
  it('are on no kind of page', async () => {
    const { all } = await pageKinds(databaseUrl);
    expect(
      await displayFaults(
        browser,
        all.map((path) => url + path),
      ),
    ).toEqual([]);
  }, 240_000);

  it('are not in the API reference', async () => {
    expect(await displayFaults(browser, [`${url}/docs`])).toEqual([]);
  });

  it('are not in the gallery of counters', async () => {
    const shown = (page: Page) => textOf(page, 'vitrine-merchant-stats', /^\d/);
    expect(await displayFaults(browser, [`${url}/widgets`], shown)).toEqual([]);
  });
});
