import { expect } from 'vitest';

/** One call of each tool, in words that need UTF-8, and what its text has to hold: a name and a link. */
const CALLS = [
  { tool: 'catalog_overview', args: {}, name: 'Vitrine', path: '/llms.txt' },
  {
    tool: 'search_local_products',
    args: { query: 'lasanha à bolonhesa', limit: 3 },
    name: 'Lasanha à bolonhesa para duas pessoas',
    path: '/products/10001',
  },
  {
    tool: 'get_product',
    args: { product_id: 10001 },
    name: 'Lasanha à bolonhesa para duas pessoas',
    path: '/products/10001',
  },
  {
    tool: 'search_local_offers',
    args: { query: 'lasanha', limit: 3 },
    name: 'Lasanha para dois com salada da casa',
    path: '/offers/50001',
  },
  {
    tool: 'get_offer',
    args: { offer_id: 50001 },
    name: 'Lasanha para dois com salada da casa',
    path: '/offers/50001',
  },
];

/** What a host is asked. */
export const ASKED = CALLS.map(({ tool, args }) => ({ tool, args }));

/** What came back of it: the tools that are listed and the text of each call. */
export type Heard = { tools: string[]; texts: string[] };

/** Holds what a host heard to the sample catalog of a service. */
export function expectAnswers({ tools, texts }: Heard, serviceUrl: string): void {
  const base = serviceUrl.replace('127.0.0.1', 'localhost');
  expect([...tools].sort()).toEqual(CALLS.map(({ tool }) => tool).sort());
  expect(texts).toHaveLength(CALLS.length);
  for (const [index, { name, path }] of CALLS.entries()) {
    expect(texts[index]).toContain(name);
    expect(texts[index]).toContain(`(${base}${path})`);
  }
}
