import { z } from 'zod';
import {
  apiCatalogSchema,
  discoverySchema,
  manifestSchema,
  rpcAnswerSchema,
  rpcRequestSchema,
  serverCardSchema,
  showcaseSchema,
  toolSummarySchema,
  usagePolicySchema,
} from '../domain/documents.ts';
import { errorSchema } from '../domain/errors.ts';
import type { Links } from '../domain/links.ts';
import { showcaseProductSchema } from '../domain/records.ts';
import {
  activityComparisonSchema,
  merchantContentViewSchema,
  merchantStatsSchema,
  merchantViewComparisonsSchema,
  productStatsSchema,
} from '../domain/stats.ts';
import { API_VERSION, describeService, type ServiceInfo } from '../domain/surface.ts';
import { usageText } from '../domain/usage.ts';
import { catalogPaths } from './openapi-catalog.ts';
import { discoveryPaths } from './openapi-discovery.ts';
import { exampleComponents } from './openapi-examples.ts';
import { HEADERS } from './openapi-headers.ts';
import { parameterComponents } from './openapi-parameters.ts';
import type { Json } from './openapi-parts.ts';
import { responseComponents } from './openapi-responses.ts';
import { statisticsPaths } from './openapi-statistics.ts';

/** Makes the OpenAPI 3.0.3 description of the whole public surface from the wire schemas. */
export function openApi(info: ServiceInfo, links: Links): Json {
  return {
    openapi: '3.0.3',
    info: {
      title: `${info.name} public API`,
      version: API_VERSION,
      description: `${describeService(info)}\n\n${usageText(info.name)}\n\n${FAULTS}`,
      license: { name: 'Use rules of the service', url: `${info.baseUrl}/llms.txt` },
      contact: { name: info.name, url: info.baseUrl },
    },
    servers: [{ url: info.baseUrl, description: info.name }],
    security: [],
    tags: [
      { name: 'Statistics', description: 'Live counts of products and merchants' },
      { name: 'Catalog', description: 'Catalog server for agents and product showcase' },
      {
        name: 'Discovery',
        description:
          'Documents and pages for people, agents and crawlers; HEAD and byte ranges are served too, ' +
          'HEAD also of /mcp and /gpt/products.json',
      },
    ],
    paths: {
      ...statisticsPaths(info),
      ...catalogPaths(info),
      ...discoveryPaths(info),
    },
    components: {
      schemas: componentSchemas(),
      headers: HEADERS,
      parameters: parameterComponents(info),
      responses: responseComponents(),
      examples: exampleComponents(info, links),
    },
  };
}

const FAULTS =
  'Every fault has the same four-field JSON body. A path under `/api/` that is not described here is ' +
  'answered with 404 `API_ROUTE_NOT_FOUND`, whatever the method. A trailing slash on any other path is ' +
  'redirected (308) to the path without it.';

/** Wire schemas that become components. */
const COMPONENTS = [
  errorSchema,
  productStatsSchema,
  merchantContentViewSchema,
  activityComparisonSchema,
  merchantViewComparisonsSchema,
  merchantStatsSchema,
  showcaseProductSchema,
  rpcRequestSchema,
  rpcAnswerSchema,
  discoverySchema,
  serverCardSchema,
  manifestSchema,
  showcaseSchema,
  apiCatalogSchema,
  toolSummarySchema,
  usagePolicySchema,
];

/** Returns the wire schemas as OpenAPI components, named by their ids. */
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

/** Drops keywords unknown to OpenAPI 3.0 and adds the width of integers. */
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
