import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type Browser, chromium, type Page } from 'playwright';
import { listen } from '../../src/server/listen.ts';

/** Starts the system's Chromium. */
export function launchBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...more],
  });
}

/** Somebody else's web site: one page, on an origin of its own. */
export async function startForeignSite(html: string, headers: Record<string, string> = {}) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(html);
  });
  const url = await listen(server, '127.0.0.1', 0);
  return {
    url,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** What axe finds wrong with a page by WCAG 2.2 AA: its rule and the first place. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const result = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}
