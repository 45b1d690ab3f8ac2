import { z } from 'zod';
import { countsSchema, overviewSchema, showcaseProductSchema } from './records.ts';
import { SHOWCASE_SIZE } from './surface.ts';

const url = z.string();
const { endpoints, limits, usage_policy: usagePolicy } = overviewSchema.shape;

/** One schema, so that every document states the same limits. */
const limitsField = limits.describe('Request and record limits, per client and window');

/** The usage policy, shared by every document that states it. */
export const usagePolicySchema = usagePolicy.meta({ id: 'UsagePolicy' });
const usageField = usagePolicySchema.describe(
  'What the records may be used for, and how they are shown',
);

/** A tool of the catalog server, as documents list it. */
export const toolSummarySchema = z
  .object({ name: z.string(), title: z.string(), description: z.string() })
  .meta({ id: 'ToolSummary' });

const serverFields = {
  name: z.string().describe('The server name for clients'),
  title: z.string().describe('The display name'),
  version: z.string().describe('Version of the public API and its descriptions'),
  description: z.string().describe('What the service is, in one sentence'),
  protocolVersion: z.string().describe('The default protocol version'),
  supportedProtocolVersions: z.array(z.string()).describe('All supported protocol versions'),
  remotes: z
    .array(z.object({ type: z.literal('streamable-http'), url }))
    .describe('Where and how to connect'),
  authentication: z.object({ required: z.literal(false) }).describe('No authentication'),
  capabilities: z
    .record(z.string(), z.object({}))
    .describe('The capabilities that `initialize` declares'),
  tools: z.array(toolSummarySchema).describe('The tools; `tools/list` returns their schemas'),
};

/** The answer to GET /mcp. */
export const discoverySchema = z
  .object({
    ...serverFields,
    transport: z.literal('streamable-http').describe('One JSON response per request, no streams'),
    limits: limitsField,
    usage_policy: usageField,
    documentation: z
      .object({ llms: url, openapi: url, manifest: url })
      .describe('Further documentation'),
  })
  .meta({ id: 'CatalogServer' });

/** /.well-known/mcp/server-card.json */
export const serverCardSchema = z
  .object({ ...serverFields, websiteUrl: url.describe('The home page') })
  .meta({ id: 'ServerCard' });

/** /gpt.json */
export const manifestSchema = z
  .object({
    name: z.string().describe('The name to credit with every record'),
    description: z.string().describe('What the service is, in one sentence'),
    version: z.string().describe('Version of the public API and its descriptions'),
    base_url: url.describe('The base URL of the service'),
    updated_at: z.string().nullable().describe('When the catalog last changed'),
    locale: z.literal('pt-BR').describe('The language of the records'),
    default_city: z.string().describe('The city of searches that name no place'),
    counts: countsSchema.describe('Live counts of the catalog'),
    endpoints: endpoints.describe('The endpoints, and how long their answers may be cached'),
    mcp: z
      .object({ url, protocol_version: z.string(), tools: z.array(toolSummarySchema) })
      .describe('The catalog server'),
    limits: limitsField,
    usage_policy: usageField,
  })
  .meta({ id: 'CatalogManifest' });

/** /gpt/products.json */
export const showcaseSchema = z
  .object({
    service: z.string().describe('The name to credit with every product'),
    generated_at: z.string().describe('When the response was generated'),
    rotation: z
      .object({
        period_seconds: z
          .int()
          .min(1)
          .describe('How long the selection is the same for all clients'),
        next_at: z.string(),
      })
      .describe('When the selection changes'),
    limit: z.int().min(1).max(SHOWCASE_SIZE).describe('The limit that was applied'),
    result_count: z
      .int()
      .min(0)
      .max(SHOWCASE_SIZE)
      .describe('The number of products in this response'),
    paginated: z.literal(false).describe('There are no further pages'),
    products: z.array(showcaseProductSchema).max(SHOWCASE_SIZE).describe('The selection'),
    answer_markdown: z.string().describe('The products as a list of links, ready to show'),
    usage_policy: usageField,
  })
  .meta({ id: 'Showcase' });

const linkTargets = z.array(z.object({ href: url, type: z.string() })).optional();

/** /.well-known/api-catalog: a linkset (RFC 9264, 9727). */
export const apiCatalogSchema = z
  .object({
    linkset: z
      .array(
        z.object({
          anchor: url,
          'service-desc': linkTargets,
          'service-doc': linkTargets,
          'service-meta': linkTargets,
        }),
      )
      .describe('One entry per API: its description, documentation and manifest'),
  })
  .meta({ id: 'ApiCatalog' });

/** One JSON-RPC 2.0 message to the catalog server. */
export const rpcRequestSchema = z
  .object({
    jsonrpc: z.literal('2.0').describe('The version of JSON-RPC'),
    id: z.union([z.string(), z.int()]).optional().describe('Absent in a notification'),
    method: z.string().describe('For example `tools/list`, `tools/call`, `resources/read`'),
    params: z.looseObject({}).optional().describe('The parameters of the method'),
  })
  .meta({ id: 'RpcRequest' });

/** The JSON-RPC 2.0 answer of the catalog server. */
export const rpcAnswerSchema = z
  .object({
    jsonrpc: z.literal('2.0').describe('The version of JSON-RPC'),
    id: z
      .union([z.string(), z.int(), z.null()])
      .describe('The id of the request; null when it could not be read'),
    result: z.looseObject({}).optional().describe('The result of the method (MCP 2025-06-18)'),
    error: z
      .object({ code: z.int(), message: z.string(), data: z.looseObject({}).optional() })
      .optional()
      .describe('A protocol error; invalid tool arguments give a result with isError'),
  })
  .meta({ id: 'RpcAnswer' });
