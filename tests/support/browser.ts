import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { HtmlValidate } from 'html-validate';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll } from 'vitest';
import { listen } from '../../src/server/listen.ts';

/** Starts the system's Chromium. */
export function launchBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...more],
  });
}

/** A browser for a test file, closed when the file is done. */
export async function testBrowser(...more: string[]): Promise<Browser> {
  const browser = await launchBrowser(...more);
  afterAll(() => browser.close());
  return browser;
}

/** Somebody else's web site: one page, on an origin of its own. */
export async function startForeignSite(html: string, headers: Record<string, string> = {}) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(html);
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    url,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * What is wrong with pages on a phone and on a desktop, light and dark: what axe finds, and what is wider
 * than the screen. `ready` resolves when a page shows what it will.
 */
export async function displayFaults(
  browser: Browser,
  urls: string[],
  ready: (page: Page) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 1280]) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      for (const url of urls) {
        await page.goto(url);
        await ready(page);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        const found = await accessibilityFaults(page);
        if (overflow > 0) found.push(`${overflow} px too wide`);
        faults.push(...found.map((fault) => `${url}, ${colorScheme}, ${width} px: ${fault}`));
      }
      await page.close();
    }
  }
  return faults;
}

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  // Astro writes void elements and inline styles its own way; both are valid HTML.
  rules: { 'void-style': 'off', 'no-trailing-whitespace': 'off', 'doctype-style': 'off' },
});

/** What is not valid HTML in the page at an address. */
export async function htmlFaults(url: string): Promise<string[]> {
  const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${url}:${line} ${ruleId} ${message}`),
  );
}

/** What axe finds wrong with a page by WCAG 2.2 AA: its rule and the first place. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const result = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}
