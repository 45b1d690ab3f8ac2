import { z } from 'zod';
import { countsSchema, overviewSchema, showcaseProductSchema } from './records.ts';

const url = z.string();
const { endpoints, limits, usage_policy: usagePolicy } = overviewSchema.shape;

/** One schema, so that every document states the same limits. */
const limitsField = limits.describe('Requests and records, each by its window and client');

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
  name: z.string().describe('How clients call the server'),
  title: z.string().describe('How people call it'),
  version: z.string().describe('Of the public description and surface'),
  description: z.string().describe('What the service is, in one sentence'),
  protocolVersion: z.string().describe('The protocol version that is spoken by default'),
  supportedProtocolVersions: z.array(z.string()).describe('Every version that is spoken'),
  remotes: z
    .array(z.object({ type: z.literal('streamable-http'), url }))
    .describe('Where and how to connect'),
  authentication: z.object({ required: z.literal(false) }).describe('None is needed'),
  capabilities: z.record(z.string(), z.object({})).describe('As `initialize` declares them'),
  tools: z.array(toolSummarySchema).describe('The tools; `tools/list` has their schemas'),
};

/** The answer to GET /mcp. */
export const discoverySchema = z
  .object({
    ...serverFields,
    transport: z.literal('streamable-http').describe('One JSON answer a request, no stream'),
    limits: limitsField,
    usage_policy: usageField,
    documentation: z
      .object({ llms: url, openapi: url, manifest: url })
      .describe('Where more is written'),
  })
  .meta({ id: 'CatalogServer' });

/** /.well-known/mcp/server-card.json */
export const serverCardSchema = z
  .object({ ...serverFields, websiteUrl: url.describe('The home page, for people') })
  .meta({ id: 'ServerCard' });

/** /gpt.json */
export const manifestSchema = z
  .object({
    name: z.string().describe('The name to give beside every record'),
    description: z.string().describe('What the service is, in one sentence'),
    version: z.string().describe('Of the public description and surface'),
    base_url: url.describe('The base of every address of the service'),
    updated_at: z.string().nullable().describe('Last change of the catalog'),
    locale: z.literal('pt-BR').describe('The language of the records'),
    default_city: z.string().describe('Where a search looks that names no place'),
    counts: countsSchema.describe('Live counts of the catalog'),
    endpoints: endpoints.describe('Where what is answered, and how long it may be kept'),
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
    service: z.string().describe('The name to give beside every product'),
    generated_at: z.string().describe('When the answer was made'),
    rotation: z
      .object({
        period_seconds: z.int().min(1).describe('How long everybody gets the same selection'),
        next_at: z.string(),
      })
      .describe('When the selection changes'),
    limit: z.int().min(1).max(20).describe('The limit that was applied'),
    result_count: z.int().min(0).max(20).describe('How many products there are here'),
    paginated: z.literal(false).describe('There is no second page'),
    products: z.array(showcaseProductSchema).max(20).describe('The selection'),
    answer_markdown: z.string().describe('Ready list of linked products'),
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
      .describe('One entry an API: its description, its documentation, its manifest'),
  })
  .meta({ id: 'ApiCatalog' });

/** One JSON-RPC 2.0 message to the catalog server. */
export const rpcRequestSchema = z
  .object({
    jsonrpc: z.literal('2.0').describe('The protocol beneath MCP'),
    id: z.union([z.string(), z.int()]).optional().describe('Left out in a notification'),
    method: z.string().describe('Such as `tools/list`, `tools/call`, `resources/read`'),
    params: z.looseObject({}).optional().describe('What the method takes'),
  })
  .meta({ id: 'RpcRequest' });

/** The JSON-RPC 2.0 answer of the catalog server. */
export const rpcAnswerSchema = z
  .object({
    jsonrpc: z.literal('2.0').describe('The protocol beneath MCP'),
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
