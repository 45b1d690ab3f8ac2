import { z } from 'zod';
import { type ErrorCode, errorSchema } from '../domain/errors.ts';
import { MAX_ID } from '../domain/ids.ts';
import { productRecordSchema } from '../domain/records.ts';
import {
  activityComparisonSchema,
  merchantContentViewSchema,
  merchantStatsSchema,
  merchantViewComparisonsSchema,
  productStatsSchema,
} from '../domain/stats.ts';
import { API_VERSION, describeService, type ServiceInfo } from '../domain/surface.ts';
import { usageText } from '../domain/usage.ts';
import { discoveryPaths } from './openapi-discovery.ts';
import { errorResponse, type Json, jsonContent } from './openapi-parts.ts';

/** The API description: OpenAPI 3.0.3 of the whole public surface, made from the wire schemas. */
export function openApi(info: ServiceInfo): Json {
  return {
    openapi: '3.0.3',
    info: {
      title: `${info.name} public API`,
      version: API_VERSION,
      description: `${describeService(info)}\n\n${usageText(info.name)}`,
      license: { name: 'Use rules of the service', url: `${info.baseUrl}/llms.txt` },
      contact: { name: info.name, url: info.baseUrl },
    },
    servers: [{ url: info.baseUrl, description: info.name }],
    security: [],
    tags: [
      { name: 'Statistics', description: 'Live counts of products and merchants' },
      { name: 'Catalog', description: 'Catalog server for agents and product showcase' },
      { name: 'Discovery', description: 'Documents and pages for people, agents and crawlers' },
    ],
    paths: {
      '/api/public/v1/products/{productId}/stats': statsPath({
        operationId: 'getProductStats',
        summary: 'View, like and dislike counts of one product',
        parameter: 'productId',
        schema: 'ProductStats',
        invalidId: 'INVALID_PRODUCT_ID',
        example: { productId: 10001, viewsCount: 412, likesCount: 37, dislikesCount: 2 },
      }),
      '/api/public/v1/merchants/{merchantId}/stats': statsPath({
        operationId: 'getMerchantStats',
        summary: 'Rolling 24-hour view statistics of one merchant',
        parameter: 'merchantId',
        schema: 'MerchantStats',
        invalidId: 'INVALID_MERCHANT_ID',
        example: merchantExample(),
      }),
      ...discoveryPaths(info),
    },
    components: { schemas: componentSchemas() },
  };
}

type StatsPath = {
  operationId: string;
  summary: string;
  parameter: string;
  schema: string;
  invalidId: ErrorCode;
  example: Json;
};

function statsPath(path: StatsPath): Json {
  const parameter = {
    name: path.parameter,
    in: 'path',
    required: true,
    description: `Positive integer, 1 to ${MAX_ID}`,
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID },
    example: 101,
  };
  return {
    get: {
      operationId: path.operationId,
      tags: ['Statistics'],
      summary: path.summary,
      parameters: [parameter],
      responses: {
        200: {
          description: 'The statistics',
          headers: {
            'Cache-Control': {
              description: 'Any cache may keep the answer for 30 seconds',
              schema: { type: 'string', example: 'public, max-age=30' },
            },
            ETag: { description: 'Entity tag for If-None-Match', schema: { type: 'string' } },
          },
          content: jsonContent({ $ref: `#/components/schemas/${path.schema}` }, path.example),
        },
        304: { description: 'The content that If-None-Match names is current' },
        400: errorResponse(path.invalidId),
        405: errorResponse('METHOD_NOT_ALLOWED'),
        429: errorResponse('RATE_LIMIT_EXCEEDED'),
        500: errorResponse('INTERNAL_ERROR'),
      },
    },
    options: {
      operationId: `${path.operationId}Options`,
      tags: ['Statistics'],
      summary: 'Allowed methods, and the preflight of cross-origin requests',
      parameters: [parameter],
      responses: {
        204: {
          description: 'Allow: GET, OPTIONS, with the CORS preflight headers',
          headers: { Allow: { description: 'Allowed methods', schema: { type: 'string' } } },
        },
        405: errorResponse('METHOD_NOT_ALLOWED'),
      },
    },
  };
}

/** The wire schemas that become components. */
const COMPONENTS = [
  errorSchema,
  productStatsSchema,
  merchantContentViewSchema,
  activityComparisonSchema,
  merchantViewComparisonsSchema,
  merchantStatsSchema,
  productRecordSchema,
];

/** The wire schemas as OpenAPI components; their names are the ids that the schemas carry. */
function componentSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  for (const schema of COMPONENTS) {
    const id = schema.meta()?.id;
    if (id !== undefined) registry.add(schema, { id });
  }
  const { schemas } = z.toJSONSchema(registry, {
    target: 'openapi-3.0',
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema)]));
}

/** Drops what OpenAPI 3.0 does not know and names the width of whole numbers. */
function tidy(value: unknown): Json {
  if (Array.isArray(value)) return value.map(tidy) as unknown as Json;
  if (typeof value !== 'object' || value === null) return value as Json;
  const entries = Object.entries(value)
    .filter(
      ([key, child]) =>
        !['$schema', '$id'].includes(key) && !(key === 'id' && typeof child === 'string'),
    )
    .map(([key, child]) => [key, tidy(child)]);
  const node = Object.fromEntries(entries) as Json;
  return node.type === 'integer' ? { ...node, format: 'int64' } : node;
}

function merchantExample(): Json {
  const compare = (count: number, previousCount: number, changePercent: number) => ({
    count,
    previousCount,
    changePercent,
  });
  return {
    merchantId: 101,
    merchantName: 'Calçados Aurora',
    productViewsCount: 120,
    productUserViewsCount: 100,
    productAgentViewsCount: 20,
    offerViewsCount: 30,
    totalViewsCount: 150,
    comparisons: {
      productViews: compare(120, 96, 25),
      productUserViews: compare(100, 80, 25),
      productAgentViews: compare(20, 16, 25),
      offerViews: compare(30, 40, -25),
      totalViews: compare(150, 136, 10.29),
    },
    period: '24h',
    comparisonDate: '2026-11-20',
    scheduledAt: '14:00 MSK',
    products: [
      { id: 1001, name: 'Tênis Brisa', viewsCount: 120, userViewsCount: 100, agentViewsCount: 20 },
    ],
    offers: [{ id: 5001, name: '20% off', viewsCount: 30, userViewsCount: 30, agentViewsCount: 0 }],
  };
}
