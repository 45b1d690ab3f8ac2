import { describe, expect, it } from 'vitest';
import { testBrowser } from '../support/browser.ts';
import { postRpc, toolCall } from '../support/http.ts';
import { sharedService, startService } from '../support/service.ts';

const { url } = sharedService();
const browser = await testBrowser();
const search = (query: string, init?: RequestInit) =>
  fetch(`${url}/buscar?q=${encodeURIComponent(query)}`, init);

describe('the search box of the home page', () => {
  it('finds products without scripting, by keyboard, in the words of the person', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByLabel('Buscar produtos').fill('tênis de corrida');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/buscar\?q=/);
    expect(await page.getByLabel('Buscar produtos').inputValue()).toBe('tênis de corrida');
    const first = async () => {
      // A busy machine may answer late, by a page that asks to try again.
      if ((await page.locator('main .cards').count()) === 0) await page.reload();
      return page.locator('main .cards a').first().innerText({ timeout: 5000 });
    };
    await expect.poll(first, { timeout: 40_000 }).toMatch(/tênis/i);
    expect(await page.title()).toBe('Busca | Vitrine');
    await context.close();
  });

  it('is not indexed or cached, and not injectable', async () => {
    const hostile = '"><script>alert(1)</script> $& \u202Ex';
    const answer = await search(hostile);
    const html = await answer.text();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-robots-tag')).toBe('noindex');
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(html).not.toMatch(/<script>|\u202E|__QUERY__|__RESULTS__/);
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; $&amp; x"');
    expect((await search('x', { method: 'POST' })).status).toBe(405);
    expect(await (await fetch(`${url}/buscar`)).text()).toContain('name="q"');
    expect((await fetch(`${url}/search-shell`)).status).toBe(404);
  });

  it('shows offers, products and stores together, and what the search has to say in Portuguese', async () => {
    const html = await (await search('pizza em campinas')).text();
    expect(html).toMatch(/<h2>Ofertas<\/h2>[\s\S]*<h2>Produtos<\/h2>[\s\S]*<h2>Lojas<\/h2>/);
    expect(html).toContain('Buscamos em Campinas');
    expect(html).toContain('<a href="/buscar?q=pizza+em+campinas&amp;cidade=S%C3%A3o+Paulo">');
    expect(html).not.toMatch(/pass city|The query/);
    const there = await fetch(`${url}/buscar?q=pizza&cidade=Atlantida`);
    expect(await there.text()).toContain('Ainda não temos lojas em Atlantida');
  });

  it('takes city, district, prices and order from its address, and offers ways on', async () => {
    const cheap = await (await fetch(`${url}/buscar?q=pizza&max=65&ordem=menor-preco`)).text();
    const products = cheap.slice(cheap.indexOf('<h2>Produtos'), cheap.indexOf('<h2>Lojas'));
    const prices = [...products.matchAll(/class="amount">R\$ ([\d,]+)/g)].map(([, price = '']) =>
      Number(price.replace(',', '.')),
    );
    expect(prices.length).toBeGreaterThan(0);
    expect(prices).toEqual([...prices].sort((a, b) => a - b).filter((price) => price <= 65));
    const none = await (await fetch(`${url}/buscar?q=xyzzyq&bairro=Pinheiros`)).text();
    expect(none).toContain('Procure por categoria');
    expect(none).toContain('href="/buscar?q=xyzzyq"');
    expect(await (await fetch(`${url}/buscar?q=&min=abc`)).text()).toContain('categoria');
  });

  it('has its own quota, explained on the page', async () => {
    const service = await startService({
      SEARCH_PAGES_PER_MINUTE: '2',
      CATALOG_RECORDS_PER_MINUTE: '1',
    });
    const ask = () => fetch(`${service.url}/buscar?q=pizza`);
    // Uses up the agents' quota; and the first search of a new process may be late on a busy machine.
    const record = toolCall('search_local_products', { query: 'pizza', limit: 1 });
    await expect
      .poll(async () => (await postRpc(service.url, record)).status, { timeout: 20_000 })
      .toBe(429);
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toMatch(/Tente de novo em \d+ segundos/);
    await service.stop();
  });
});
