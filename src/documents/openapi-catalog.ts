import {
  MODERN_PROTOCOL_VERSION,
  PROTOCOL_VERSION,
  REQUEST_PROTOCOL_VERSIONS,
  type ServiceInfo,
  SHOWCASE_SIZE,
} from '../domain/surface.ts';
import { headers } from './openapi-headers.ts';
import { errorResponses, type Json, jsonContent, optionsOperation, ref } from './openapi-parts.ts';
import { notModifiedResponse } from './openapi-responses.ts';
import { RPC_REQUESTS } from './openapi-rpc-examples.ts';

/** Header fields of an answer that counts against a quota. */
const LIMITED_HEADERS = headers('RateLimit', 'RateLimit-Policy', 'Vary');

/** Returns the paths of the catalog server and the showcase. */
export function catalogPaths(info: ServiceInfo): Json {
  return {
    '/mcp': {
      get: mcpGet(),
      post: mcpPost(info),
      options: optionsOperation('callCatalogServer', 'Catalog'),
    },
    '/gpt/products.json': {
      get: showcase(),
      options: optionsOperation('getShowcase', 'Catalog'),
    },
  };
}

function mcpGet(): Json {
  const fields = headers('ETag', 'Vary');
  return {
    operationId: 'getCatalogServerDiscovery',
    tags: ['Catalog'],
    summary: 'Discovery document of the catalog server',
    description:
      'What the server is called, speaks and offers. No SSE stream is offered: a request that accepts ' +
      '`text/event-stream` is answered with 405.',
    parameters: [ref('parameters', 'IfNoneMatch')],
    responses: {
      200: {
        description: 'What the catalog server is and offers',
        headers: fields,
        content: jsonContent('CatalogServer'),
      },
      304: notModifiedResponse(fields),
      ...errorResponses('HOST_NOT_ALLOWED', 'METHOD_NOT_ALLOWED'),
    },
  };
}

function mcpPost(info: ServiceInfo): Json {
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
        description: `Protocol version; ${PROTOCOL_VERSION} by default; not looked at with \`initialize\``,
        schema: { type: 'string', enum: [...REQUEST_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSION] },
        example: PROTOCOL_VERSION,
      },
    ],
    requestBody: {
      required: true,
      content: jsonContent('RpcRequest', Object.keys(RPC_REQUESTS)),
    },
    responses: {
      200: {
        description: 'The JSON-RPC answer: a result, or a fault of the protocol',
        headers: LIMITED_HEADERS,
        content: jsonContent('RpcAnswer', ['Found', 'BadArguments', 'UnknownTool']),
      },
      202: {
        description: 'A notification or an answer was accepted; no body',
        headers: LIMITED_HEADERS,
      },
      400: {
        description: 'Not a JSON-RPC 2.0 request, or a protocol version that is not spoken',
        headers: LIMITED_HEADERS,
        content: jsonContent('RpcAnswer', ['ParseError']),
      },
      404: {
        description: `A method that ${MODERN_PROTOCOL_VERSION} does not have here`,
        headers: LIMITED_HEADERS,
        content: jsonContent('RpcAnswer', ['MethodNotFound']),
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

function showcase(): Json {
  return {
    operationId: 'getShowcase',
    tags: ['Catalog'],
    summary: `Non-paginated sample of at most ${SHOWCASE_SIZE} rotating discovery products`,
    description:
      'The same selection for everybody within a rotation period, charged to the record quota that the ' +
      'catalog server shares, and shortened to what is left of it.',
    parameters: [
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: `How many products, 1 to ${SHOWCASE_SIZE}; ${SHOWCASE_SIZE} when absent or unreadable`,
        schema: { type: 'integer', minimum: 1, maximum: SHOWCASE_SIZE, default: SHOWCASE_SIZE },
        example: 5,
      },
    ],
    responses: {
      200: {
        description: 'The sample of this rotation period',
        headers: LIMITED_HEADERS,
        content: jsonContent('Showcase'),
      },
      ...errorResponses('METHOD_NOT_ALLOWED', 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR'),
    },
  };
}
