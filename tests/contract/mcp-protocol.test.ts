import * as sdk from '@modelcontextprotocol/sdk/types.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { postRpc } from '../support/http.ts';
import { answerSchema, errorAnswerSchema, type Method, RESULTS } from '../support/protocol.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');

const initialize = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const call = (name: string, args?: object) => ({ name, arguments: args });
const SEARCH = 'vitrine://search/products{?query,category,city,district,merchant}';
const complete = (name: string, value: string) => ({
  ref: { type: 'ref/resource', uri: SEARCH },
  argument: { name, value },
});
const near = { latitude: -23.5667, longitude: -46.691, radius_meters: 3000, sort: 'distance' };

/** Every method, every tool, found and not found, and each way in which arguments may be wrong. */
const ANSWERED: [method: Method, params: object | undefined][] = [
  ['initialize', initialize('2025-06-18')],
  ['initialize', initialize('2025-03-26')],
  ['initialize', initialize('2099-01-01')],
  ['ping', undefined],
  ['tools/list', undefined],
  ['tools/list', {}],
  ['tools/call', call('catalog_overview')],
  ['tools/call', call('catalog_overview', { x: 1 })],
  ['tools/call', call('search_local_products', { query: 'running shoes', limit: 20 })],
  ['tools/call', call('search_local_products', { query: 'pizza', ...near })],
  ['tools/call', call('search_local_products', { query: 'zxqv' })],
  ['tools/call', call('search_local_products', { city: 'Atlantis' })],
  ['tools/call', call('search_local_products', {})],
  ['tools/call', call('search_local_offers', { query: 'pizza', limit: 20 })],
  ['tools/call', call('search_local_offers', { query: 'pizza', ...near })],
  ['tools/call', call('search_local_offers', { query: 'pizza', sort: 'price_asc' })],
  ['tools/call', call('get_product', { product_id: 10001 })],
  ['tools/call', call('get_product', { product_id: 999999999 })],
  ['tools/call', call('get_product', { product_id: '10001' })],
  ['tools/call', call('get_offer', { offer_id: 50001 })],
  ['tools/call', call('get_offer', { offer_id: -1 })],
  ['tools/call', call('get_offer', { offer_id: 0 })],
  ['tools/call', call('get_offer')],
  ['resources/list', undefined],
  ['resources/templates/list', undefined],
  ['resources/read', { uri: 'vitrine://catalog/overview' }],
  ['resources/read', { uri: `${base}/llms.txt` }],
  ['resources/read', { uri: `${base}/products/10001` }],
  ['resources/read', { uri: `${base}/offers/-1` }],
  ['resources/read', { uri: 'vitrine://search/offers?query=pizza' }],
  ['completion/complete', complete('city', 'a')],
  ['completion/complete', complete('district', '')],
  ['completion/complete', complete('nothing', 'a')],
];

/** The same methods as the official SDK reads them. */
const SDK_RESULTS = {
  initialize: sdk.InitializeResultSchema,
  ping: sdk.EmptyResultSchema,
  'tools/list': sdk.ListToolsResultSchema,
  'tools/call': sdk.CallToolResultSchema,
  'resources/list': sdk.ListResourcesResultSchema,
  'resources/templates/list': sdk.ListResourceTemplatesResultSchema,
  'resources/read': sdk.ReadResourceResultSchema,
  'completion/complete': sdk.CompleteResultSchema,
};

type Tool = { name: string; inputSchema: object; outputSchema: object };
const ajv = new Ajv2020({ strict: false, validateFormats: false });

async function ask(method: string, params: object | undefined, id: string | number = 'a') {
  const { status, body } = await postRpc(url, { jsonrpc: '2.0', id, method, params });
  expect([status, body.id]).toEqual([200, id]);
  return body as { result: Record<string, unknown> };
}

describe('every result has the shape that MCP 2025-06-18 gives it, and no member besides', () => {
  it.each(ANSWERED)('%s %j', async (method, params) => {
    const body = await ask(method, params);
    answerSchema(RESULTS[method]).parse(body);
    SDK_RESULTS[method].parse(body.result);
  });

  it('structured content is what the output schema of its tool says, and none goes with an error', async () => {
    const { result } = await ask('tools/list', {});
    const tools = new Map((result.tools as Tool[]).map((tool) => [tool.name, tool]));
    for (const [method, params] of ANSWERED) {
      if (method !== 'tools/call') continue;
      const { name, arguments: args = {} } = params as ReturnType<typeof call>;
      const tool = tools.get(name);
      const taken = ajv.validate(tool?.inputSchema ?? false, args);
      const answer = (await ask(method, params)).result;
      if (answer.isError) {
        expect(answer).not.toHaveProperty('structuredContent');
        continue;
      }
      expect([params, taken]).toEqual([params, true]);
      ajv.validate(tool?.outputSchema ?? false, answer.structuredContent);
      expect([params, ajv.errors]).toEqual([params, null]);
    }
  });
});

describe('every fault has the shape that MCP 2025-06-18 gives it', () => {
  it.each([
    ['initialize', {}, -32602],
    ['prompts/list', {}, -32601],
    ['logging/setLevel', { level: 'info' }, -32601],
    ['resources/subscribe', { uri: 'vitrine://catalog/overview' }, -32601],
    ['nothing', {}, -32601],
    ['tools/list', { cursor: 'x' }, -32602],
    ['tools/call', { name: 'nothing' }, -32602],
    ['tools/call', {}, -32602],
    ['tools/call', { name: 'get_offer', arguments: [] }, -32602],
    ['resources/list', { cursor: 'x' }, -32602],
    ['resources/templates/list', { cursor: 'x' }, -32602],
    ['resources/read', { uri: 'vitrine://nothing' }, -32002],
    ['resources/read', { uri: 'vitrine://search/products' }, -32602],
    ['resources/read', {}, -32602],
    ['completion/complete', {}, -32602],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } },
      -32602,
    ],
  ])('%s %j: %d', async (method, params, code) => {
    for (const id of ['a', 7]) {
      const answer = errorAnswerSchema.parse(await ask(method, params, id));
      expect(answer.error.code).toBe(code);
      sdk.JSONRPCErrorResponseSchema.parse(answer);
    }
  });
});
