import { z } from 'zod';
import { countsSchema, overviewSchema, productRecordSchema } from './records.ts';

const url = z.string();
const { endpoints, limits, usage_policy: usagePolicy } = overviewSchema.shape;

const toolSummarySchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
});

const serverFields = {
  name: z.string(),
  title: z.string(),
  version: z.string(),
  description: z.string(),
  protocolVersion: z.string().describe('The protocol version that is spoken by default'),
  supportedProtocolVersions: z.array(z.string()),
  remotes: z.array(z.object({ type: z.literal('streamable-http'), url })),
  authentication: z.object({ required: z.literal(false) }),
  capabilities: z.record(z.string(), z.object({})).describe('As `initialize` declares them'),
  tools: z.array(toolSummarySchema),
};

/** The answer to GET /mcp. */
export const discoverySchema = z
  .object({
    ...serverFields,
    transport: z.literal('streamable-http'),
    limits,
    usage_policy: usagePolicy,
    documentation: z.object({ llms: url, openapi: url, manifest: url }),
  })
  .meta({ id: 'CatalogServer' });

/** /.well-known/mcp/server-card.json */
export const serverCardSchema = z
  .object({ ...serverFields, websiteUrl: url })
  .meta({ id: 'ServerCard' });

/** /gpt.json */
export const manifestSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    base_url: url,
    updated_at: z.string().nullable().describe('Last change of the catalog'),
    locale: z.literal('pt-BR'),
    default_city: z.string(),
    counts: countsSchema,
    endpoints,
    mcp: z.object({ url, protocol_version: z.string(), tools: z.array(toolSummarySchema) }),
    limits,
    usage_policy: usagePolicy,
  })
  .meta({ id: 'CatalogManifest' });

/** /gpt/products.json */
export const showcaseSchema = z
  .object({
    service: z.string(),
    generated_at: z.string(),
    rotation: z.object({
      period_seconds: z.int().describe('How long everybody gets the same selection'),
      next_at: z.string(),
    }),
    limit: z.int().min(1).max(20),
    result_count: z.int().min(0).max(20),
    paginated: z.literal(false),
    products: z.array(productRecordSchema).max(20),
    answer_markdown: z.string().describe('Ready list of linked products'),
    usage_policy: usagePolicy,
  })
  .meta({ id: 'Showcase' });

const linkTargets = z.array(z.object({ href: url, type: z.string() })).optional();

/** /.well-known/api-catalog: a linkset (RFC 9264, 9727). */
export const apiCatalogSchema = z
  .object({
    linkset: z.array(
      z.object({
        anchor: url,
        'service-desc': linkTargets,
        'service-doc': linkTargets,
        'service-meta': linkTargets,
      }),
    ),
  })
  .meta({ id: 'ApiCatalog' });

/** One JSON-RPC 2.0 message to the catalog server. */
export const rpcRequestSchema = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).optional().describe('Left out in a notification'),
    method: z.string(),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'RpcRequest' });

/** The JSON-RPC 2.0 answer of the catalog server. */
export const rpcAnswerSchema = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z
      .union([z.string(), z.int(), z.null()])
      .describe('As the request sent it; null when it could not be read'),
    result: z.looseObject({}).optional().describe('What the method returns (MCP 2025-06-18)'),
    error: z
      .object({ code: z.int(), message: z.string(), data: z.looseObject({}).optional() })
      .optional()
      .describe('A fault of the protocol; bad tool arguments are a result with isError'),
  })
  .meta({ id: 'RpcAnswer' });
