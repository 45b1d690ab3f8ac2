import { toolCall } from '../support/http.ts';
import { openLoad } from '../support/open-load.ts';
import { quantile } from '../support/quantile.ts';

/** What one minute of a soak was like. */
export type Minute = {
  outcomes: Record<string, number>;
  p99Ms: number;
  memoryMb: number;
  descriptors: number;
  /** When the process was started, in seconds since 1970. */
  startedAt: number;
};

const PATHS = ['/', '/gpt.json', '/llms.txt', '/gpt/products.json', '/mcp', '/sitemap.xml'];
const QUERIES = [
  'pizza',
  'zapatillas para correr',
  'running shoes',
  'presente para minha mãe',
  'xyzzy',
];
const SECONDS = 60;

/** Asks for everything for a minute, at a given rate, and reads what the process tells of itself. */
export async function measureMinute(url: string, ops: string, perSecond: number): Promise<Minute> {
  const share = Math.max(1, Math.floor(perSecond / 4));
  const common = { perSecond: share, seconds: SECONDS, connections: 50, patienceMs: 10_000 };
  const random = (count: number) => 1 + Math.floor(Math.random() * count);
  const results = await Promise.all([
    openLoad({
      ...common,
      url,
      path: () => `/api/public/v1/products/${10_000 + random(900)}/stats`,
    }),
    openLoad({ ...common, url, path: () => `/api/public/v1/merchants/${random(70)}/stats` }),
    openLoad({ ...common, url, path: (index) => PATHS[index % PATHS.length] ?? '/' }),
    openLoad({ ...common, url: `${url}/mcp`, body: (index) => catalogCall(index, random) }),
  ]);
  const text = await (await fetch(`${ops}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const outcomes: Record<string, number> = {};
  for (const result of results) {
    for (const [outcome, count] of Object.entries(result.outcomes)) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    }
  }
  const times = results.flatMap(({ goodMs }) => goodMs).sort((a, b) => a - b);
  return {
    outcomes,
    p99Ms: quantile(times, 0.99),
    memoryMb: metric('process_resident_memory_bytes') / 2 ** 20,
    descriptors: metric('process_open_fds'),
    startedAt: metric('process_start_time_seconds'),
  };
}

function catalogCall(index: number, random: (count: number) => number): string {
  const search = {
    name: 'search_local_products',
    args: { query: QUERIES[index % 5], limit: 5 },
  };
  const detail = { name: 'get_product', args: { product_id: 10_000 + random(900) } };
  const { name, args } = index % 3 === 0 ? detail : search;
  return JSON.stringify(toolCall(name, args, index));
}
