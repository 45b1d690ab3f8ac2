import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolCall } from '../support/http.ts';
import { LONG } from '../support/long.ts';
import { type LoadResult, openLoad } from '../support/open-load.ts';
import { quantile } from '../support/quantile.ts';
import { AMPLE_QUOTAS, type Service, startService } from '../support/service.ts';

const SECONDS = 10;
const WORDS = ['pizza', 'zapatillas para correr', 'presente para meu pai', 'running shoes'];

let service: Service;
beforeAll(async () => {
  service = await startService(AMPLE_QUOTAS);
});
afterAll(() => service?.stop());

const search = (index: number) =>
  JSON.stringify(
    toolCall('search_local_products', { query: WORDS[index % WORDS.length], limit: 5 }, index),
  );

function load(perSecond: number): Promise<LoadResult> {
  return openLoad({
    url: `${service.url}/mcp`,
    perSecond,
    seconds: SECONDS,
    connections: 400,
    patienceMs: 3000,
    body: search,
  });
}

function tell(name: string, { goodPerSecond, outcomes, goodMs, refusedMs }: LoadResult): void {
  const times = (sorted: number[]) =>
    `p50 ${quantile(sorted, 0.5).toFixed(0)} ms, p99 ${quantile(sorted, 0.99).toFixed(0)} ms`;
  const rate = goodPerSecond.toFixed(0);
  console.log(name, `${rate}/s good, ${times(goodMs)};`, `refused ${times(refusedMs)};`, outcomes);
}

// Only in `npm run test:load`: what a machine can answer beside other tests says nothing.
describe.runIf(LONG)('more searches than the machine can answer', () => {
  it('four times the peak: most of the peak is still answered, the rest is shed with Retry-After', async () => {
    await load(50);
    // The highest rate that is answered whole, or nearly so.
    let peak = 0;
    for (let rate = 100; rate <= 3200; rate *= 2) {
      const result = await load(rate);
      tell(`${rate}/s:`, result);
      peak = Math.max(peak, result.goodPerSecond);
      if (result.goodPerSecond < rate * 0.9) break;
    }
    const over = await load(Math.ceil(peak * 4));
    tell(`four times ${peak.toFixed(0)}/s:`, over);
    expect(Object.keys(over.outcomes)).toContain('500');
    expect(
      Object.keys(over.outcomes)
        .filter((status) => /^\d/.test(status))
        .sort(),
    ).toEqual(['200', '500']);
    expect(over.goodPerSecond).toBeGreaterThan(peak * 0.8);
    expect(service.process.exitCode).toBeNull();
    await expect
      .poll(async () => (await fetch(`${service.url}/api/public/v1/products/1/stats`)).status)
      .toBe(200);
  }, 240_000);
});
