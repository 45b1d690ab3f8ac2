import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { startForeignSite } from './browser.ts';

const script = (origin: string) =>
  `<script type="module" src="${origin}/vitrine-widgets.js"></script>`;

/** Somebody else's page with counters in it. */
export async function embedCounters(
  browser: Browser,
  html: string,
  { headers = {}, origin, ...options }: BrowserContextOptions & EmbedOptions,
) {
  const page = await browser.newPage(options);
  const site = await startForeignSite(
    `<!doctype html><html lang="pt-BR"><title>x</title>${script(origin)}<body>${html}`,
    headers,
  );
  await page.goto(site.url);
  return {
    page,
    async close() {
      await page.close();
      site.close();
    },
  };
}

/** Where the script comes from, and the header fields of the page. */
export type EmbedOptions = { headers?: Record<string, string>; origin: string };

/** The text of a counter, once it holds what is waited for. */
export async function textOf(
  page: Page,
  selector: string,
  awaited: RegExp | string,
): Promise<string> {
  const counter = page.locator(selector);
  await counter.getByText(awaited).first().waitFor();
  return (await counter.locator('.body').innerText()).replace(/\s+/g, ' ');
}
