import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { testBrowser } from '../support/browser.ts';
import { sharedService } from '../support/service.ts';

const { url, databaseUrl } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');
const browser = await testBrowser();
const page = await browser.newPage({ viewport: { width: 390, height: 844 } });

async function read<T>(query: string): Promise<T> {
  const sql = openDatabase(databaseUrl, { max: 1 });
  const [row] = await sql.unsafe(query);
  await sql.end();
  return row as T;
}

/** An offer below the price of its product, of a merchant with stores and other offers. */
const DISCOUNTED = `
  select o.id, o.product_id, o.ai_category, m.name as merchant, s.name as store, s.address
  from offer o
  join product p on p.id = o.product_id
  join merchant m on m.id = o.merchant_id
  join store s on s.merchant_id = m.id and s.latitude is not null
  where is_public(o, now()) and o.id > 0 and o.price_amount < p.price_amount * 0.99
    and (select count(*) from offer x where x.merchant_id = m.id and is_public(x, now())) > 1
  order by o.id, s.id limit 1`;
type Discounted = Record<'ai_category' | 'merchant' | 'store' | 'address', string> & {
  id: number;
  product_id: number;
};

describe('an offer page', () => {
  it('shows the AI category, its price and the normal one, the stores with a map and links to the product', async () => {
    const offer = await read<Discounted>(DISCOUNTED);
    await page.goto(`${url}/offers/${offer.id}`);
    const text = await page.locator('main').innerText();
    for (const part of [offer.ai_category, offer.merchant, offer.store, offer.address]) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(/R\$ [\d.]+,\d\d[\s\S]*Preço normal de [\s\S]+: R\$ [\d.]+,\d\d/);
    // The product's price is no former price of the offer.
    expect(text).not.toMatch(/antes R\$|% a menos/);
    const product = page.locator(`main a[href="${base}/products/${offer.product_id}"]`);
    expect(await product.count()).toBe(1);
    const map = page.locator('main a[href^="https://www.openstreetmap.org/?mlat=-"]').first();
    expect(await map.innerText()).toContain('Ver no mapa');
    expect(await page.locator('main section:last-of-type a').count()).toBeGreaterThan(0);
  });

  it('Negative offer IDs denote payment offers: without a merchant, valid in every store', async () => {
    const response = await page.goto(`${url}/offers/-1`);
    expect(response?.status()).toBe(200);
    const text = await page.locator('main').innerText();
    expect(text).toContain('Vale em todas as lojas');
    expect(text).not.toContain('Onde encontrar');
    expect(text).not.toMatch(/null|undefined|sob consulta/);
  });
});

describe('a product page', () => {
  it('shows price, availability, category, stores and the current offers of it', async () => {
    const offer = await read<Discounted>(DISCOUNTED);
    await page.goto(`${url}/products/${offer.product_id}`);
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/R\$ [\d.]+,\d\d/);
    expect(text).toMatch(/Disponível|Esgotado/);
    expect(text).toContain(offer.address);
    expect(await page.locator(`main a[href="${base}/offers/${offer.id}"]`).count()).toBe(1);
    const canonical = page.locator('link[rel=canonical]');
    expect(await canonical.getAttribute('href')).toBe(`${base}/products/${offer.product_id}`);
  });
});

describe('the stores of a merchant that has many', () => {
  it('are one row on the page of a record, and all on the page of the merchant', async () => {
    const sql = `
      select p.id, p.merchant_id, count(*)::int as stores from product p join store s on s.merchant_id = p.merchant_id
      group by p.id having count(*) between 4 and 12 order by p.id limit 1`;
    const { id, merchant_id, stores } =
      await read<Record<'id' | 'merchant_id' | 'stores', number>>(sql);
    await page.goto(`${url}/products/${id}`);
    expect(await page.locator('#onde li').count()).toBe(3);
    const more = page.locator('#onde > p a');
    expect(await more.getAttribute('href')).toBe(`${base}/lojas/${merchant_id}#onde`);
    await page.goto(`${url}/lojas/${merchant_id}`);
    expect(await page.locator('#onde li').count()).toBe(stores);
  });
});

describe('every page', () => {
  it('shifts no layout, keeps pictures in their place and asks nothing of other origins', async () => {
    const { id } = await read<Discounted>(DISCOUNTED);
    const foreign: string[] = [];
    page.on('request', (request) => {
      const ours = request.url().startsWith(url) || request.url().startsWith(base);
      if (!ours && request.resourceType() !== 'image') foreign.push(request.url());
    });
    for (const path of ['/', `/offers/${id}`]) {
      await page.goto(url + path, { waitUntil: 'load' });
      const shift = await page.evaluate(
        () =>
          new Promise<number>((done) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries())
                sum += (entry as { value?: number }).value ?? 0;
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => done(sum), 300);
          }),
      );
      expect([path, shift]).toEqual([path, 0]);
    }
    expect(await page.locator('img:not([width][height][alt][loading])').count()).toBe(0);
    expect(await page.locator('img[loading=eager]').count()).toBeLessThanOrEqual(1);
    expect(foreign).toEqual([]);
  });

  it('is used by keyboard: the first stop is a visible link to the content', async () => {
    await page.goto(url);
    await page.keyboard.press('Tab');
    const skip = page.locator(':focus');
    expect(await skip.innerText()).toBe('Pular para o conteúdo');
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator('main :is(a, input):focus').count()).toBe(1);
    const outline = await page
      .locator(':focus')
      .evaluate((link) => getComputedStyle(link).outlineStyle);
    expect(outline).toBe('solid');
  });
});
