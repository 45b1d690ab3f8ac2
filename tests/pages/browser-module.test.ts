import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  MerchantStats,
  OfferAnswer,
  OfferSearchAnswer,
  ProductAnswer,
  ProductSearchAnswer,
  ProductStats,
} from '../../public/vitrine.js';
import { connect, VitrineError } from '../../public/vitrine.js';
import {
  offerAnswerSchema,
  offerSearchSchema,
  productAnswerSchema,
  productSearchSchema,
} from '../../src/domain/records.ts';
import { merchantStatsSchema, productStatsSchema } from '../../src/domain/stats.ts';
import { launchBrowser, startForeignSite } from '../support/browser.ts';
import { AMPLE_QUOTAS, sharedService, startService } from '../support/service.ts';

const { url } = sharedService();
let browser: Browser;
let site: Awaited<ReturnType<typeof startForeignSite>>;
beforeAll(async () => {
  site = await startForeignSite('<!doctype html><title>Somebody else</title>');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

async function openPage(): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(site.url);
  return page;
}

/** Runs a script with the module of a service on somebody else's page; what it throws as its fields. */
function useModule<T>(page: Page, base: string, script: string): Promise<T> {
  // As text: the test runner rewrites imports that it can see.
  return page.evaluate(`import(${JSON.stringify(`${base}/vitrine.js`)})
    .then(async (vitrine) => { ${script} })
    .catch(({ name, code, status, retryAfter }) => ({ name, code, status, retryAfter }))`);
}

describe('/vitrine.js', () => {
  it('is a module of at most 6 KB compressed, with types beside it', async () => {
    const script = await fetch(`${url}/vitrine.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const size = Number(script.headers.get('content-length'));
    expect([size > 500, size <= 6144]).toEqual([true, true]);
    expect(await script.text()).not.toMatch(/^\s*import\b/m);
    const types = await (await fetch(`${url}/vitrine.d.ts`)).text();
    for (const name of [
      'productStats',
      'merchantStats',
      'searchProducts',
      'searchOffers',
      'getProduct',
      'getOffer',
    ]) {
      expect(types).toContain(`export const ${name}`);
    }
  });

  it("answers on anybody's page what its types say", async () => {
    const page = await openPage();
    const found = await useModule<ProductSearchAnswer>(
      page,
      url,
      "return vitrine.searchProducts({ query: 'pizza', limit: 1 })",
    );
    const [product] = productSearchSchema.parse(found).products;
    productAnswerSchema.parse(
      await useModule<ProductAnswer>(page, url, `return vitrine.getProduct(${product?.id})`),
    );
    const offers = await useModule<OfferSearchAnswer>(
      page,
      url,
      "return vitrine.searchOffers({ city: 'Campinas', limit: 1 })",
    );
    expect(offerSearchSchema.parse(offers).offers).toHaveLength(1);
    offerAnswerSchema.parse(await useModule<OfferAnswer>(page, url, 'return vitrine.getOffer(-1)'));
    productStatsSchema.parse(
      await useModule<ProductStats>(page, url, 'return vitrine.productStats(10001)'),
    );
    merchantStatsSchema.parse(
      await useModule<MerchantStats>(page, url, 'return vitrine.merchantStats(101)'),
    );
    await page.close();
  });

  it('lets identical calls in flight share one request, and asks anew afterwards', async () => {
    const page = await openPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(request.url());
    });
    await useModule(
      page,
      url,
      `const ask = () => vitrine.searchProducts({ query: 'pizza' });
       await Promise.all([ask(), ask(), ask(), vitrine.searchProducts({ query: 'sushi' })]);
       await ask();`,
    );
    expect(asked).toHaveLength(3);
    await page.close();
  });

  it('heeds an AbortSignal: one caller leaves alone, the last one ends the request', async () => {
    const page = await openPage();
    const outcome = await useModule<string[]>(
      page,
      url,
      `const [a, b] = [new AbortController(), new AbortController()];
       const calls = [a, b].map(({ signal }) => vitrine.productStats(10002, { signal }));
       a.abort();
       const settled = await Promise.allSettled(calls);
       const gone = await vitrine.productStats(1, { signal: a.signal }).catch((e) => e.name);
       return [...settled.map((one) => one.status), settled[0].reason.name, gone];`,
    );
    expect(outcome).toEqual(['rejected', 'fulfilled', 'AbortError', 'AbortError']);
    const failed = page.waitForEvent('requestfailed');
    await page.route('**/products/77/stats', () => {});
    await useModule(
      page,
      url,
      `const leaving = new AbortController();
       const call = vitrine.productStats(77, { signal: leaving.signal });
       setTimeout(() => leaving.abort(), 200);
       await call;`,
    );
    expect((await failed).url()).toContain('/products/77/stats');
    await page.close();
  });

  it('waits out a short Retry-After and asks again', async () => {
    const page = await openPage();
    let refusals = 0;
    await page.route('**/products/10001/stats', (route) => {
      if (refusals > 0) return route.continue();
      refusals += 1;
      return route.fulfill({
        status: 429,
        headers: {
          'retry-after': '1',
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'Retry-After',
        },
        json: { error: 'x', code: 'RATE_LIMIT_EXCEEDED', message: 'x', resolution: 'x' },
      });
    });
    const { waited, stats } = await useModule<{ waited: number; stats: ProductStats }>(
      page,
      url,
      `const start = performance.now();
       const stats = await vitrine.productStats(10001);
       return { waited: performance.now() - start, stats };`,
    );
    expect(stats.productId).toBe(10001);
    expect(waited).toBeGreaterThan(900);
    await page.close();
  });

  it('reports a long wait at once, and sends nothing until it is over', async () => {
    const own = await startService({ ...AMPLE_QUOTAS, PRODUCT_STATS_REQUESTS_PER_HOUR: '1' });
    const page = await openPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    try {
      await useModule(page, own.url, 'return vitrine.productStats(1)');
      const refusal = await useModule<{ retryAfter: number }>(
        page,
        own.url,
        'return vitrine.productStats(2)',
      );
      expect(refusal).toMatchObject({
        name: 'VitrineError',
        code: 'RATE_LIMIT_EXCEEDED',
        status: 429,
      });
      expect(refusal.retryAfter).toBeGreaterThan(60);
      const before = asked.length;
      const again = await useModule<{ retryAfter: number }>(
        page,
        own.url,
        'return vitrine.productStats(3)',
      );
      expect(again).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
      expect(asked).toHaveLength(before);
      expect(await useModule(page, own.url, 'return vitrine.merchantStats(101)')).toMatchObject({
        merchantId: 101,
      });
    } finally {
      await page.close();
      await own.stop();
    }
  });
});

describe('/vitrine.js in Node', () => {
  it('connects to a service by its address, and tells faults by their code', async () => {
    const vitrine = connect(`${url}/`);
    const stats: ProductStats = await vitrine.productStats(10001);
    productStatsSchema.parse(stats);
    await expect(vitrine.productStats(-1)).rejects.toMatchObject({ code: 'INVALID_PRODUCT_ID' });
    await expect(vitrine.getOffer(0)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    await expect(vitrine.getOffer(999999999)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(vitrine.getProduct(999999999)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(connect('http://127.0.0.1:1').getOffer(1)).rejects.toBeInstanceOf(VitrineError);
  });
});
