import type { Json } from './openapi-parts.ts';

const call = (name: string, args: Json) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** Example requests to the catalog server, as components. */
export const RPC_REQUESTS = {
  ListTools: {
    summary: 'List the tools',
    value: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  },
  SearchProducts: {
    summary: 'Search products in the user’s own words',
    value: call('search_local_products', { query: 'zapatillas para correr', limit: 5 }),
  },
  SearchOffers: {
    summary: 'Search offers near a place',
    value: call('search_local_offers', {
      query: 'pizza for two',
      latitude: -23.5667,
      longitude: -46.691,
      radius_meters: 2000,
    }),
  },
  GetOffer: { summary: 'One offer', value: call('get_offer', { offer_id: 50001 }) },
};

const result = (value: Json) => ({ jsonrpc: '2.0', id: 1, result: value });
const textBlock = (text: string) => ({ type: 'text', text });

/** Returns example answers of the catalog server, as components; `found` is a search result. */
export function rpcAnswers(found: { answer_markdown: string }): Json {
  return {
    Found: {
      summary: 'Search results',
      value: result({ content: [textBlock(found.answer_markdown)], structuredContent: found }),
    },
    BadArguments: {
      summary: 'Invalid arguments',
      value: result({
        isError: true,
        content: [textBlock('Invalid arguments. "colour": unknown field. Valid fields: offer_id.')],
      }),
    },
    UnknownTool: {
      summary: 'A protocol error',
      value: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool: buy' } },
    },
    MethodNotFound: {
      value: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } },
    },
    ParseError: {
      value: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
    },
  };
}
