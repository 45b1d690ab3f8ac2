import {
  PROTOCOL_VERSION,
  type ServiceInfo,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../domain/surface.ts';
import { errorResponse, type Json, jsonContent } from './openapi-parts.ts';

const rpcRequest: Json = {
  type: 'object',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    method: { type: 'string', example: 'tools/list' },
    params: { type: 'object', additionalProperties: true },
  },
};

const rpcAnswer: Json = {
  type: 'object',
  required: ['jsonrpc'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { description: 'As the request sent it; null when it could not be read' },
    result: { type: 'object', additionalProperties: true },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
  },
};

/** The paths of the catalog server, the showcase and the documents. */
export function discoveryPaths(info: ServiceInfo): Json {
  return {
    '/mcp': { get: mcpGet(), post: mcpPost() },
    '/gpt/products.json': { get: showcase() },
    '/gpt.json': document(
      'getCatalogManifest',
      'Catalog manifest with live counts',
      'application/json',
    ),
    '/llms.txt': document('getLlmsText', 'Text guide for agents', 'text/plain'),
    '/sitemap.xml': document('getSitemapIndex', 'Sitemap index', 'application/xml'),
    '/sitemaps/offers/{part}': {
      get: {
        ...page('getOfferSitemap', 'One part of the sitemap of offer pages', 'application/xml'),
        parameters: [pathParameter('part', { type: 'integer', minimum: 1 }, 1)],
      },
    },
    '/openapi.json': document('getOpenApiJson', 'This description as JSON', 'application/json'),
    '/api/openapi.yaml': document('getOpenApiYaml', 'This description as YAML', 'application/yaml'),
    '/offers/{id}': {
      get: {
        ...page('getOfferPage', 'Public HTML page of an offer', 'text/html'),
        parameters: [pathParameter('id', { type: 'integer', format: 'int64' }, 50001)],
      },
    },
    ...(info.productPages
      ? {
          '/products/{id}': {
            get: {
              ...page('getProductPage', 'Public HTML page of a product', 'text/html'),
              parameters: [
                pathParameter('id', { type: 'integer', format: 'int64', minimum: 1 }, 10001),
              ],
            },
          },
        }
      : {}),
  };
}

function mcpGet(): Json {
  return {
    operationId: 'getCatalogServerDiscovery',
    tags: ['Catalog'],
    summary: 'Discovery document of the catalog server',
    responses: {
      200: {
        description: 'What the catalog server is and offers',
        content: jsonContent({ type: 'object', additionalProperties: true }),
      },
      403: errorResponse('HOST_NOT_ALLOWED'),
      405: errorResponse('METHOD_NOT_ALLOWED'),
    },
  };
}

function mcpPost(): Json {
  return {
    operationId: 'callCatalogServer',
    tags: ['Catalog'],
    summary: 'Catalog server for agents: one JSON-RPC 2.0 request over Streamable HTTP',
    parameters: [
      {
        name: 'Mcp-Protocol-Version',
        in: 'header',
        required: false,
        description: `Protocol version; ${PROTOCOL_VERSION} by default`,
        schema: { type: 'string', enum: [...SUPPORTED_PROTOCOL_VERSIONS] },
      },
    ],
    requestBody: {
      required: true,
      content: jsonContent(rpcRequest, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    },
    responses: {
      200: { description: 'The JSON-RPC answer', content: jsonContent(rpcAnswer) },
      202: { description: 'A notification was accepted' },
      400: { description: 'Not a valid JSON-RPC request', content: jsonContent(rpcAnswer) },
      403: errorResponse('HOST_NOT_ALLOWED'),
      413: errorResponse('PAYLOAD_TOO_LARGE'),
      415: errorResponse('UNSUPPORTED_MEDIA_TYPE'),
      429: errorResponse('RATE_LIMIT_EXCEEDED'),
      500: errorResponse('INTERNAL_ERROR'),
    },
  };
}

function showcase(): Json {
  return {
    operationId: 'getShowcase',
    tags: ['Catalog'],
    summary: 'Non-paginated sample of at most 20 rotating discovery products',
    parameters: [
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'How many products, 1 to 20; 20 when absent or unreadable',
        schema: { type: 'integer', minimum: 1, maximum: 20, default: 20 },
      },
    ],
    responses: {
      200: {
        description: 'The sample of this rotation period, the same for everybody',
        content: jsonContent({
          type: 'object',
          required: ['service', 'products', 'result_count', 'paginated'],
          properties: {
            service: { type: 'string' },
            generated_at: { type: 'string', format: 'date-time' },
            rotation: { type: 'object', additionalProperties: true },
            limit: { type: 'integer' },
            result_count: { type: 'integer' },
            paginated: { type: 'boolean', enum: [false] },
            products: { type: 'array', items: { $ref: '#/components/schemas/ProductRecord' } },
            answer_markdown: { type: 'string' },
            usage_policy: { type: 'object', additionalProperties: true },
          },
        }),
      },
      405: errorResponse('METHOD_NOT_ALLOWED'),
      429: errorResponse('RATE_LIMIT_EXCEEDED'),
    },
  };
}

function document(operationId: string, summary: string, type: string): Json {
  return { get: page(operationId, summary, type) };
}

function page(operationId: string, summary: string, type: string): Json {
  const schema = type.includes('json')
    ? { type: 'object', additionalProperties: true }
    : { type: 'string' };
  return {
    operationId,
    tags: ['Discovery'],
    summary,
    responses: {
      200: { description: summary, content: { [type]: { schema } } },
      304: { description: 'The content that If-None-Match names is current' },
      404: errorResponse('NOT_FOUND'),
      405: errorResponse('METHOD_NOT_ALLOWED'),
    },
  };
}

function pathParameter(name: string, schema: Json, example: number): Json {
  return { name, in: 'path', required: true, description: `The ${name}`, schema, example };
}
