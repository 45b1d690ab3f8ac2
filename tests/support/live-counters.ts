import type { Browser, Page, Route } from 'playwright';
import { embedCounters, textOf } from './counters.ts';

/** More than the longest jitter. */
export const JITTER_MS = 2500;

/** What the statistics answer next; a count of views when nothing is said. */
type Reply = { status?: number; headers?: Record<string, string>; failed?: boolean };

/** A page with counters whose clock the test sets; each answer counts one view more. */
export async function watchCounter(browser: Browser, origin: string, html: string, at?: string) {
  const { page, close } = await embedCounters(browser, '', { origin });
  let asked = 0;
  let next: Reply = {};
  const reply = async (route: Route) => {
    asked += 1;
    const { status = 200, headers = { 'cache-control': 'public, max-age=30' }, failed } = next;
    if (failed) return route.abort();
    const counts = { viewsCount: 1000 + asked, likesCount: 7, dislikesCount: 3 };
    const fields = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After',
      ...headers,
    };
    const json = status === 200 ? { productId: 10001, ...counts } : { code: 'RATE_LIMIT_EXCEEDED' };
    return route.fulfill({ status, headers: fields, json });
  };
  await page.route('**/products/*/stats', reply);
  await page.clock.install();
  if (at === undefined) {
    await page.evaluate((content) => {
      document.body.innerHTML = content;
    }, html);
  } else await page.goto(at);
  await shows(page, 1001);
  return {
    page,
    close,
    asked: () => asked,
    answer(reply: Reply) {
      next = reply;
    },
    /** Lets time pass, and what is due then. */
    async pass(ms: number) {
      await page.clock.fastForward(ms);
      await page.waitForTimeout(150);
    },
  };
}

/** Waits until the first counter shows so many views. */
export const shows = (page: Page, count: number) =>
  textOf(page, 'vitrine-product-stats >> nth=0', new RegExp(`^1\\.?${String(count).slice(1)}$`));

/** Makes the page believe that it lies in another tab, or comes back from there. */
export const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    const state = () => (value ? 'hidden' : 'visible');
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
