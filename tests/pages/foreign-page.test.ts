import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, startForeignSite } from '../support/browser.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof startForeignSite>>;

beforeAll(async () => {
  site = await startForeignSite('<!doctype html><title>Somebody else</title>');
  browser = await launchBrowser();
  page = await browser.newPage();
  await page.goto(site.url);
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

/** What a script of the page sends. */
type Sent = { method?: string; headers?: Record<string, string>; body?: string };

/** Fetches from the page, as its own script would. */
function fetchFromPage(path: string, init: Sent = {}) {
  return page.evaluate(
    async ([address, options]) => {
      const response = await fetch(address, options);
      const text = await response.text();
      const headers = ['retry-after', 'ratelimit', 'ratelimit-policy', 'etag'].map((name) => [
        name,
        response.headers.get(name),
      ]);
      return { status: response.status, text, headers: Object.fromEntries(headers) };
    },
    [url + path, init] as const,
  );
}

describe('a script on a page of another origin', () => {
  it('speaks MCP: the preflight allows the headers that clients send', async () => {
    const { status, text, headers } = await fetchFromPage('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: 'Bearer nothing',
        'mcp-protocol-version': '2025-06-18',
        'mcp-session-id': 'x',
        'mcp-method': 'tools/list',
        'mcp-name': 'x',
        'last-event-id': '1',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'x=1',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(status).toBe(200);
    expect(JSON.parse(text).result.tools).toHaveLength(5);
    expect(headers.ratelimit).toMatch(/^"mcp-requests"/);
  });

  it('reads both statistics and the showcase, with the fields that tell of limits', async () => {
    for (const path of [
      '/api/public/v1/products/10001/stats',
      '/api/public/v1/merchants/101/stats',
      '/gpt/products.json?limit=1',
      '/gpt.json',
    ]) {
      expect([path, (await fetchFromPage(path)).status]).toEqual([path, 200]);
    }
    const stats = await fetchFromPage('/api/public/v1/products/10001/stats');
    expect(stats.headers.etag).toMatch(/"/);
    const fault = await fetchFromPage('/api/public/v1/products/abc/stats');
    expect([fault.status, JSON.parse(fault.text).code]).toEqual([400, 'INVALID_PRODUCT_ID']);
  });
});
