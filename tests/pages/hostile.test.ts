import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { callTool } from '../support/http.ts';
import { launchService, newDatabase, runCommand } from '../support/service.ts';

const HOSTILE =
  '</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1> "\'><b>& \u202Etxt\u0007 [x](javascript:alert(1)) **y**';

describe('hostile catalog text', () => {
  it('is shown as text on pages, in documents and in markdown, and runs nothing', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-hostile-'));
    const feed = join(dataDir, 'feed.ndjson');
    const records = [
      { kind: 'merchant', id: 1, name: HOSTILE },
      {
        kind: 'store',
        id: 1,
        merchant_id: 1,
        name: HOSTILE,
        address: HOSTILE,
        district: HOSTILE,
        city: 'São Paulo',
      },
      {
        kind: 'product',
        id: 1,
        merchant_id: 1,
        name: HOSTILE,
        description: HOSTILE,
        brand: HOSTILE,
        price: { amount: 100, currency: 'BRL' },
      },
      {
        kind: 'offer',
        id: 1,
        merchant_id: 1,
        product_id: 1,
        title: HOSTILE,
        description: HOSTILE,
        enriched_copy: HOSTILE,
        ai_category: HOSTILE,
        price: { amount: 90, currency: 'BRL' },
      },
    ];
    writeFileSync(feed, records.map((record) => JSON.stringify(record)).join('\n'));
    const env = { DATABASE_URL: await newDatabase('empty'), DATA_DIR: dataDir };
    expect(await runCommand('catalog-import', [feed], env)).toMatchObject({ code: 0 });
    const service = await launchService({ env, publish: true });
    const browser = await launchBrowser();
    try {
      for (const path of ['/', '/offers/1', '/products/1']) {
        const page = await browser.newPage();
        await page.goto(service.url + path);
        expect([path, await page.evaluate(() => 'hacked' in window)]).toEqual([path, false]);
        const html = await (await fetch(service.url + path)).text();
        const foreign = page.locator('img[src=x], b, script:not([type="application/ld+json"])');
        expect([path, await foreign.count()]).toEqual([path, 0]);
        expect(html).not.toMatch(/\p{Bidi_Control}/u);
        for (const block of await page
          .locator('script[type="application/ld+json"]')
          .allTextContents()) {
          expect(() => JSON.parse(block)).not.toThrow();
        }
        await page.close();
      }
      const guide = await (await fetch(`${service.url}/llms.txt`)).text();
      expect(guide).not.toMatch(/[^\\]\]\(javascript:/);
      const { content } = await callTool(service.url, 'get_offer', { offer_id: 1 });
      expect(content[0]?.text).not.toMatch(/[^\\]\]\(javascript:/);
      expect(content[0]?.text).not.toContain('<script>');
      expect(content[1]?.uri).toBe(`${service.url.replace('127.0.0.1', 'localhost')}/offers/1`);
    } finally {
      await browser.close();
      await service.stop();
    }
  });
});
