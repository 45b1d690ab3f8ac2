import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { offerAnswerSchema, productAnswerSchema } from '../../src/domain/records.ts';
import { startForeignSite, testBrowser } from '../support/browser.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');
const browser = await testBrowser('--enable-features=WebMCP');
const plain = await testBrowser();

// As text: the test runner rewrites imports that it can see.
const HAS_RUN = `import('${base}/vitrine-webmcp.js').then(() => undefined)`;

type Result = { isError?: boolean; content: { text: string }[]; structuredContent?: unknown };

/** A page that has opted in. */
async function openWith(address: string, where = browser): Promise<Page> {
  const page = await where.newPage();
  await page.goto(address);
  await page.addScriptTag({ type: 'module', url: `${base}/vitrine-webmcp.js` });
  return page;
}

describe('/vitrine-webmcp.js in a browser that has WebMCP', () => {
  it('offers the record of an offer page, and of a product page', async () => {
    for (const [path, name, schema] of [
      ['/offers/50001', 'get_this_offer', offerAnswerSchema],
      ['/products/10001', 'get_this_product', productAnswerSchema],
    ] as const) {
      const page = await openWith(base + path);
      await expect.poll(() => page.webmcp.tools()).toHaveLength(1);
      expect((await page.webmcp.tools())[0]?.name).toBe(name);
      const { content, structuredContent } = (await page.webmcp.callTool(name)) as Result;
      const answer = schema.parse(structuredContent);
      expect(content[0]?.text).toBe(answer.answer_markdown);
      expect(answer.answer_markdown).toContain(`(${base}${path})`);
      await page.close();
    }
  });

  it("goes by the canonical link on somebody's own page, and tells a fault as one", async () => {
    const site = await startForeignSite(
      `<!doctype html><title>x</title><link rel="canonical" href="${base}/offers/999999999">`,
    );
    const page = await openWith(site.url);
    await expect.poll(() => page.webmcp.tools()).toHaveLength(1);
    const result = (await page.webmcp.callTool('get_this_offer')) as Result;
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain('999999999');
    await page.close();
    site.close();
  });

  it('offers nothing on a page about something else', async () => {
    for (const path of ['/', '/offers/50001.md', '/widgets']) {
      const page = await openWith(base + path);
      await page.evaluate(HAS_RUN);
      expect(await page.webmcp.tools()).toEqual([]);
      await page.close();
    }
  });
});

describe('/vitrine-webmcp.js', () => {
  it('does nothing in a browser without WebMCP', async () => {
    const faults: Error[] = [];
    const page = await openWith(`${base}/offers/50001`, plain);
    page.on('pageerror', (fault) => faults.push(fault));
    await page.evaluate(HAS_RUN);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('is loaded by no page of the service', async () => {
    for (const path of ['/', '/offers/50001', '/products/10001', '/widgets']) {
      expect(await (await fetch(url + path)).text()).not.toContain('vitrine-webmcp.js');
    }
  });
});
