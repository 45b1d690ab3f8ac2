import { describe, expect, it } from 'vitest';
import { testBrowser } from '../support/browser.ts';
import { embedCounters, textOf } from '../support/counters.ts';
import { JITTER_MS, setHidden, shows, watchCounter } from '../support/live-counters.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const browser = await testBrowser();
const watch = (html: string, at?: string) => watchCounter(browser, url, html, at);

const PRODUCT = '<vitrine-product-stats product-id="10001"></vitrine-product-stats>';
const MERCHANT = '<vitrine-merchant-stats merchant-id="101" rows="3"></vitrine-merchant-stats>';
const COUNTER = 'vitrine-product-stats';

describe('a counter in view', () => {
  it('refetches when caches expire, and not before', async () => {
    const { page, close, asked, pass } = await watch(PRODUCT);
    await pass(28_500);
    expect(asked()).toBe(1);
    await pass(JITTER_MS + 1500);
    await shows(page, 1002);
    await pass(28_500);
    expect(asked()).toBe(2);
    await pass(JITTER_MS + 1500);
    await shows(page, 1003);
    await close();
  });

  it('takes the age of an answer into account, where the page may read it', async () => {
    const { page, close, answer, asked, pass } = await watch('', `${url}/widgets`);
    answer({ headers: { 'cache-control': 'public, max-age=30', age: '20' } });
    const first = asked();
    await pass(30_000 + JITTER_MS);
    expect(asked()).toBe(first + 1);
    await pass(8500);
    expect(asked()).toBe(first + 1);
    await pass(1500 + JITTER_MS);
    expect(asked()).toBe(first + 2);
    // However old or unstorable an answer is: not without a pause.
    answer({ headers: { 'cache-control': 'no-store', age: '99' } });
    await pass(10_000 + JITTER_MS);
    const last = asked();
    await pass(500);
    expect(asked()).toBe(last);
    await page.close();
    await close();
  });

  it('asks once for the same product, however many show it', async () => {
    const { page, close, asked, pass } = await watch(PRODUCT + PRODUCT);
    await pass(30_000 + JITTER_MS);
    await shows(page, 1002);
    await textOf(page, `${COUNTER} >> nth=1`, /^1\.?002$/);
    expect(asked()).toBe(2);
    await close();
  });

  it('changes nothing but the number: focus, elements and silence stay', async () => {
    const { page, close, pass } = await watch(PRODUCT);
    await page.locator(`${COUNTER} a`).focus();
    await page.locator(COUNTER).evaluate((counter) => {
      const root = counter.shadowRoot as ShadowRoot;
      const log: string[] = [];
      Object.assign(window, { log });
      new MutationObserver((changes) => {
        for (const { type, target, attributeName } of changes) {
          log.push(`${type} ${attributeName ?? target.parentElement?.tagName ?? ''}`);
        }
      }).observe(root, {
        ...{ subtree: true, childList: true, characterData: true, attributes: true },
      });
    });
    await pass(30_000 + JITTER_MS);
    await shows(page, 1002);
    const log = await page.evaluate(() => (window as never as { log: string[] }).log);
    expect(log.toSorted()).toEqual(['attributes title', 'characterData DD']);
    const focused = await page.evaluate(
      () => document.activeElement?.shadowRoot?.activeElement?.tagName,
    );
    expect(focused).toBe('A');
    await close();
  });

  it('keeps its bars as they are drawn while the numbers of a merchant change', async () => {
    const { page, close } = await embedCounters(browser, '', { origin: url });
    await page.clock.install();
    let more = 0;
    await page.route('**/merchants/101/stats', async (route) => {
      const response = await route.fetch();
      const stats = await response.json();
      stats.totalViewsCount = 5000 + more;
      stats.products[0].viewsCount += more;
      more += 1;
      await route.fulfill({ response, json: stats });
    });
    await page.evaluate((html) => {
      document.body.innerHTML = html;
    }, MERCHANT);
    await textOf(page, 'vitrine-merchant-stats', /^5\.?000$/);
    await page.evaluate(() => {
      const root = document.querySelector('vitrine-merchant-stats')?.shadowRoot;
      Object.assign(window, { bars: root?.querySelector('.bars') });
    });
    await page.clock.fastForward(30_000 + JITTER_MS);
    await textOf(page, 'vitrine-merchant-stats', /^5\.?001$/);
    expect(await page.evaluate(() => (window as never as { bars: Element }).bars.isConnected)).toBe(
      true,
    );
    await close();
  });
});

describe('a counter out of sight', () => {
  it('asks nothing in a hidden page, and at once when the page is back', async () => {
    const { page, close, asked, pass } = await watch(PRODUCT);
    await setHidden(page, true);
    await pass(600_000);
    expect(asked()).toBe(1);
    await setHidden(page, false);
    await shows(page, 1002);
    await setHidden(page, true);
    await setHidden(page, false);
    await pass(20_000);
    expect(asked()).toBe(2);
    await close();
  });

  it('asks nothing out of view, and at once when it is scrolled back', async () => {
    const { page, close, asked, pass } = await watch(`${PRODUCT}<div style="height:5000px"></div>`);
    await page.evaluate(() => scrollTo(0, 4000));
    await pass(0);
    await pass(600_000);
    expect(asked()).toBe(1);
    await page.evaluate(() => scrollTo(0, 0));
    await shows(page, 1002);
    await close();
  });

  it('stops when removed, and starts again when reinserted', async () => {
    const { page, close, asked, pass } = await watch(PRODUCT);
    await page.evaluate(() => {
      const counter = document.querySelector('vitrine-product-stats');
      Object.assign(window, { counter });
      counter?.remove();
    });
    await pass(600_000);
    await setHidden(page, true);
    await setHidden(page, false);
    await pass(600_000);
    expect(asked()).toBe(1);
    await page.evaluate(() =>
      document.body.append((window as never as { counter: Element }).counter),
    );
    await shows(page, 1002);
    await pass(30_000 + JITTER_MS);
    await shows(page, 1003);
    // Removed by a listener of the answer: no timer remains.
    await page.locator(COUNTER).evaluate((counter) => {
      counter.addEventListener('load', () => counter.remove());
    });
    await pass(30_000 + JITTER_MS);
    expect(asked()).toBe(4);
    await pass(600_000);
    expect(asked()).toBe(4);
    await close();
  });
});

describe('a counter whose service fails', () => {
  it('waits as long as it is told, and shows the last number meanwhile', async () => {
    const { page, close, answer, asked, pass } = await watch(PRODUCT);
    answer({ status: 429, headers: { 'retry-after': '120' } });
    await pass(30_000 + JITTER_MS);
    expect(asked()).toBe(2);
    await shows(page, 1001);
    expect(await page.getByRole('status').innerText()).toBe('');
    answer({});
    await pass(118_000);
    expect(asked()).toBe(2);
    await pass(2000 + JITTER_MS);
    await shows(page, 1003);
    await close();
  });

  it('backs off from one try to the next, and shows the last number meanwhile', async () => {
    const { page, close, answer, asked, pass } = await watch(PRODUCT);
    answer({ failed: true });
    await pass(30_000 + JITTER_MS);
    expect(asked()).toBe(2);
    for (const [tries, waitMs] of [
      [3, 30_000],
      [4, 60_000],
      [5, 120_000],
    ] as const) {
      await pass(waitMs - 1500);
      expect(asked()).toBe(tries - 1);
      await pass(1500 + JITTER_MS);
      expect(asked()).toBe(tries);
    }
    await shows(page, 1001);
    expect(await page.getByRole('button').count()).toBe(0);
    answer({});
    await pass(240_000 + JITTER_MS);
    await shows(page, 1006);
    await close();
  });
});

describe('the gallery /widgets', () => {
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
