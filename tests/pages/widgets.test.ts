import type { BrowserContextOptions, Route } from 'playwright';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../support/browser.ts';
import { type EmbedOptions, embedCounters, textOf } from '../support/counters.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');
const browser = await testBrowser();

const embed = (html: string, options: BrowserContextOptions & Partial<EmbedOptions> = {}) =>
  embedCounters(browser, html, { origin: url, ...options });

/**
 * Puts a counter into a page, and returns what the service answered it: other test files look at the same
 * products meanwhile, so a request of our own may be told other counts.
 */
async function embedAnswered(html: string, path: string) {
  const embedded = await embed('');
  const answer = embedded.page.waitForResponse(`${url}/api/public/v1/${path}`);
  await embedded.page.evaluate((counter) => {
    document.body.innerHTML = counter;
  }, html);
  return { ...embedded, body: await (await answer).json() };
}

const PRODUCT = '<vitrine-product-stats product-id="10001"></vitrine-product-stats>';
const MERCHANT = '<vitrine-merchant-stats merchant-id="101" rows="3"></vitrine-merchant-stats>';

describe('<vitrine-product-stats>', () => {
  it('shows views, likes and dislikes, names the service and links the product', async () => {
    const { page, close, body } = await embedAnswered(PRODUCT, 'products/10001/stats');
    const text = await textOf(page, 'vitrine-product-stats', /^\d/);
    const { viewsCount, likesCount, dislikesCount } = body;
    expect(
      text
        .replace(/[^\d ]/g, '')
        .replace(/ +/g, ' ')
        .trim(),
    ).toBe(`${viewsCount} ${likesCount} ${dislikesCount}`);
    const link = page.locator('vitrine-product-stats a');
    expect(await link.textContent()).toBe('ver em Vitrine');
    expect(await link.getAttribute('href')).toBe(`${base}/products/10001`);
    await close();
  });

  it('follows lang and product-id', async () => {
    const { page, close } = await embed(`<p lang="en-GB">${PRODUCT}</p>`);
    await textOf(page, 'vitrine-product-stats', 'see on Vitrine');
    const changed = page.waitForRequest('**/products/10002/stats');
    await page.locator('vitrine-product-stats').evaluate((element) => {
      element.setAttribute('product-id', '10002');
      element.setAttribute('lang', 'pt');
    });
    await changed;
    await textOf(page, 'vitrine-product-stats', 'curtidas');
    await close();
  });

  it('names one of a kind in the singular', async () => {
    const { page, close } = await embed('');
    const counts = { productId: 10001, viewsCount: 1, likesCount: 1, dislikesCount: 0 };
    await page.route('**/products/10001/stats', (route) => route.fulfill({ json: counts }));
    await page.evaluate((html) => {
      document.body.innerHTML = html;
    }, PRODUCT);
    await textOf(page, 'vitrine-product-stats', '1');
    const labels = page.locator('vitrine-product-stats dt');
    expect(await labels.allTextContents()).toEqual(['visualização', 'curtida', 'não gostaram']);
    await close();
  });

  it('asks only when it comes near the view, and once for the same product', async () => {
    const asked: string[] = [];
    const { page, close } = await embed('');
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.evaluate((html) => {
      document.body.innerHTML = `${html}${html}<div style="height:5000px"></div>${html.replace('10001', '10003')}`;
    }, PRODUCT);
    await textOf(page, 'vitrine-product-stats >> nth=1', /^\d/);
    expect(asked).toEqual(['/api/public/v1/products/10001/stats']);
    await page.evaluate(() => scrollTo(0, 9999));
    await textOf(page, 'vitrine-product-stats >> nth=2', /^\d/);
    expect(asked).toHaveLength(2);
    await close();
  });
});

describe('<vitrine-merchant-stats>', () => {
  it('shows totals, their change, and charts whose table tells the parts of users and agents', async () => {
    const { page, close, body } = await embedAnswered(MERCHANT, 'merchants/101/stats');
    const products = body.products as { id: number; name: string; viewsCount: number }[];
    await textOf(page, 'vitrine-merchant-stats', String(body.merchantName));
    const counter = page.locator('vitrine-merchant-stats');
    const format = new Intl.NumberFormat('pt-BR').format;
    expect(await counter.locator('dd.number').allTextContents()).toEqual(
      [body.totalViewsCount, body.productViewsCount, body.offerViewsCount].map((count) =>
        format(Number(count)),
      ),
    );
    expect(await counter.locator('dd.change').first().textContent()).toMatch(/%|novo/);
    const table = counter.getByRole('table', { name: /^Produtos/ });
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'Nome',
      'visualizações',
      'pessoas',
      'agentes de IA',
    ]);
    expect(await table.getByRole('rowheader').allTextContents()).toEqual(
      products.slice(0, 3).map(({ name }) => name),
    );
    const cells = await table.getByRole('cell').allTextContents();
    const [views, users, agents] = cells.slice(0, 3).map((text) => Number(text.replace(/\D/g, '')));
    expect(views).toBe(products[0]?.viewsCount);
    expect((users ?? 0) + (agents ?? 0)).toBe(views);
    const link = table.getByRole('link').first();
    expect(await link.getAttribute('href')).toBe(`${base}/products/${products[0]?.id}`);
    await close();
  });

  it('links no item that has no page: it has no name either, and is told by its number', async () => {
    const nameless = { name: '', viewsCount: 3, userViewsCount: 3, agentViewsCount: 0 };
    const { page, close } = await embed('');
    await page.route('**/merchants/101/stats', async (route) => {
      const response = await route.fetch();
      const { products, ...rest } = await response.json();
      const offers = [{ id: 50166, ...nameless }];
      await route.fulfill({
        response,
        json: { ...rest, offers, products: [products[0], { id: 77, ...nameless }] },
      });
    });
    await page.evaluate((html) => {
      document.body.innerHTML = html;
    }, MERCHANT);
    const text = await textOf(page, 'vitrine-merchant-stats', /^Oferta 50166/);
    expect(text).toContain('Oferta 50166 · fora do ar');
    expect(text).toContain('Produto 77 · fora do ar');
    expect(await page.locator('vitrine-merchant-stats th a').count()).toBe(1);
    await close();
  });

  it('says so when there are no views', async () => {
    const { page, close } = await embed(
      '<vitrine-merchant-stats merchant-id="999999"></vitrine-merchant-stats>',
    );
    expect(await textOf(page, 'vitrine-merchant-stats', 'Nenhuma')).toContain('Lojista 999999');
    await close();
  });
});

describe('the counters', () => {
  it('work under a strict Content-Security-Policy, without inline styles', async () => {
    const policy = `default-src 'none'; script-src ${url}; connect-src ${url}; style-src 'self'`;
    const { page, close } = await embed(PRODUCT + MERCHANT, {
      headers: { 'content-security-policy': policy },
    });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.reload();
    await textOf(page, 'vitrine-product-stats', /^\d/);
    await textOf(page, 'vitrine-merchant-stats', 'Vitrine');
    expect(complaints).toEqual([]);
    const colour = page.locator('vitrine-merchant-stats rect.user').first();
    expect(await colour.evaluate((bar) => getComputedStyle(bar).fill)).not.toBe('rgb(0, 0, 0)');
    await close();
  });

  it('shift no layout, however late script and counts come', async () => {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as never as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const late = async (route: Route) => {
      await new Promise((done) => setTimeout(done, 400));
      await route.continue();
    };
    await page.route('**/vitrine-widgets.js', late);
    await page.route('**/stats', late);
    await page.goto(`${url}/widgets`);
    await textOf(page, 'vitrine-merchant-stats', /^\d/);
    const shifts = await page.evaluate(
      () =>
        new Promise<number[]>((done) => {
          requestAnimationFrame(() =>
            setTimeout(() => done((window as never as { shifts: number[] }).shifts), 100),
          );
        }),
    );
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.001);
    await page.close();
  });

  it('respect prefers-reduced-motion and custom properties', async () => {
    const style = '<style>* { --vitrine-background: rgb(1, 2, 3) }</style>';
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      const { page, close } = await embed(MERCHANT + style, { reducedMotion });
      await textOf(page, 'vitrine-merchant-stats', 'Vitrine');
      const counter = page.locator('vitrine-merchant-stats');
      const name = await counter
        .locator('.bars')
        .first()
        .evaluate((bars) => getComputedStyle(bars).animationName);
      expect(name).toBe(reducedMotion === 'reduce' ? 'none' : 'grow');
      const background = await counter.evaluate((host) => getComputedStyle(host).backgroundColor);
      expect(background).toBe('rgb(1, 2, 3)');
      await close();
    }
  });
});
