import type { Links } from '../domain/links.ts';
import {
  PROTOCOL_VERSION,
  type ServiceInfo,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../domain/surface.ts';
import { discoveryExample } from './openapi-document-examples.ts';
import { searchExample, showcaseExample } from './openapi-examples.ts';
import {
  errorResponses,
  headers,
  ifNoneMatch,
  type Json,
  jsonContent,
  notModified,
  optionsOperation,
  ref,
} from './openapi-parts.ts';

/** Of an answer that is charged to a quota. */
const LIMITED_HEADERS = headers('RateLimit', 'RateLimit-Policy');

/** The paths of the catalog server and of the showcase. */
export function catalogPaths(info: ServiceInfo, links: Links): Json {
  return {
    '/mcp': {
      get: mcpGet(info, links),
      post: mcpPost(info, links),
      options: optionsOperation('callCatalogServer', 'Catalog'),
    },
    '/gpt/products.json': {
      get: showcase(info, links),
      options: optionsOperation('getShowcase', 'Catalog'),
    },
  };
}

function mcpGet(info: ServiceInfo, links: Links): Json {
  const fields = headers('ETag', 'Vary');
  return {
    operationId: 'getCatalogServerDiscovery',
    tags: ['Catalog'],
    summary: 'Discovery document of the catalog server',
    description:
      'What the server is called, speaks and offers. No SSE stream is offered: a request that accepts ' +
      '`text/event-stream` is answered with 405.',
    parameters: [ifNoneMatch],
    responses: {
      200: {
        description: 'What the catalog server is and offers',
        headers: fields,
        content: jsonContent(ref('schemas', 'CatalogServer'), discoveryExample(info, links)),
      },
      ...notModified(fields),
      ...errorResponses('HOST_NOT_ALLOWED', 'METHOD_NOT_ALLOWED'),
    },
  };
}

const call = (name: string, args: Json) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

const REQUESTS: Json = {
  listTools: {
    summary: 'List the tools',
    value: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  },
  searchProducts: {
    summary: 'Search products in the user’s own words',
    value: call('search_local_products', { query: 'zapatillas para correr', limit: 5 }),
  },
  searchOffers: {
    summary: 'Search offers near a place',
    value: call('search_local_offers', {
      query: 'pizza for two',
      latitude: -23.5667,
      longitude: -46.691,
      radius_meters: 2000,
    }),
  },
  getOffer: { summary: 'One offer', value: call('get_offer', { offer_id: 50001 }) },
};

function mcpPost(info: ServiceInfo, links: Links): Json {
  const found = searchExample(info, links);
  return {
    operationId: 'callCatalogServer',
    tags: ['Catalog'],
    summary: 'Catalog server for agents: one JSON-RPC 2.0 request over Streamable HTTP',
    description:
      'MCP, stateless: one JSON-RPC object in, one JSON answer out. Tools: catalog_overview, ' +
      'search_local_products, get_product, search_local_offers, get_offer; `tools/list` gives their schemas. ' +
      `At most ${info.limits.mcp_requests_per_minute} requests and ` +
      `${info.limits.catalog_records_per_minute} returned records per client and minute.`,
    parameters: [
      {
        name: 'Mcp-Protocol-Version',
        in: 'header',
        required: false,
        description: `Protocol version; ${PROTOCOL_VERSION} by default`,
        schema: { type: 'string', enum: [...SUPPORTED_PROTOCOL_VERSIONS] },
        example: PROTOCOL_VERSION,
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: ref('schemas', 'RpcRequest'), examples: REQUESTS },
      },
    },
    responses: {
      200: {
        description: 'The JSON-RPC answer: a result, or a fault of the protocol',
        headers: LIMITED_HEADERS,
        content: {
          'application/json': {
            schema: ref('schemas', 'RpcAnswer'),
            examples: rpcExamples(found.answer_markdown, found),
          },
        },
      },
      202: {
        description: 'A notification or an answer was accepted; no body',
        headers: LIMITED_HEADERS,
      },
      400: {
        description: 'Not a JSON-RPC 2.0 request, or a protocol version that is not spoken',
        headers: LIMITED_HEADERS,
        content: jsonContent(ref('schemas', 'RpcAnswer'), {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32700, message: 'Parse error' },
        }),
      },
      ...errorResponses(
        'HOST_NOT_ALLOWED',
        'METHOD_NOT_ALLOWED',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'RATE_LIMIT_EXCEEDED',
        'INTERNAL_ERROR',
      ),
    },
  };
}

function rpcExamples(markdown: string, structuredContent: unknown): Json {
  return {
    found: {
      summary: 'What a search found',
      value: {
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: markdown }], structuredContent },
      },
    },
    badArguments: {
      summary: 'Arguments that the tool does not take',
      value: {
        jsonrpc: '2.0',
        id: 1,
        result: {
          isError: true,
          content: [
            {
              type: 'text',
              text: 'Invalid arguments. "colour": unknown field. Valid fields: offer_id.',
            },
          ],
        },
      },
    },
    unknownTool: {
      summary: 'A fault of the protocol',
      value: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool: buy' } },
    },
  };
}

function showcase(info: ServiceInfo, links: Links): Json {
  return {
    operationId: 'getShowcase',
    tags: ['Catalog'],
    summary: 'Non-paginated sample of at most 20 rotating discovery products',
    description:
      'The same selection for everybody within a rotation period, charged to the record quota that the ' +
      'catalog server shares, and shortened to what is left of it.',
    parameters: [
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'How many products, 1 to 20; 20 when absent or unreadable',
        schema: { type: 'integer', minimum: 1, maximum: 20, default: 20 },
        example: 5,
      },
    ],
    responses: {
      200: {
        description: 'The sample of this rotation period',
        headers: LIMITED_HEADERS,
        content: jsonContent(ref('schemas', 'Showcase'), showcaseExample(info, links)),
      },
      ...errorResponses('METHOD_NOT_ALLOWED', 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR'),
    },
  };
}
