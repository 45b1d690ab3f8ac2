import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { ApiError } from '../../domain/errors.ts';
import {
  API_VERSION,
  describeService,
  PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../domain/surface.ts';
import { usageText } from '../../domain/usage.ts';
import type { Live } from '../live.ts';
import { type Tool, type ToolAnswer, ToolFault } from './tool.ts';
import { TOOLS } from './tools.ts';

/** What one POST leaves behind besides its JSON-RPC answer. */
export type CallOutcome = {
  /** A fault that is told on the HTTP level: quota exceeded, database away. */
  fault: ApiError | null;
  /** RateLimit headers of the record quota, when it was charged. */
  headers: Record<string, string>;
};

const LISTED_TOOLS = TOOLS.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: jsonSchema(tool.input, 'input'),
  outputSchema: jsonSchema(tool.output, 'output'),
  annotations: {
    title: tool.title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
}));

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline' });
  return inlineDefinitions(rest) as { type: 'object' };
}

/** Agents' hosts read `$ref` badly, so named schemas are written out where they are used. */
function inlineDefinitions(schema: Record<string, unknown>): unknown {
  const { $defs, ...root } = schema;
  const definitions = ($defs ?? {}) as Record<string, unknown>;
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== 'object' || value === null) return value;
    const node = value as Record<string, unknown>;
    const name = typeof node.$ref === 'string' ? node.$ref.replace('#/$defs/', '') : null;
    if (name !== null) return expand(definitions[name]);
    const entries = Object.entries(node).filter(
      ([key]) => key !== 'id' || typeof node.id !== 'string',
    );
    return Object.fromEntries(entries.map(([key, child]) => [key, expand(child)]));
  };
  return expand(root);
}

const REQUEST_SCHEMAS = {
  initialize: InitializeRequestSchema,
  'tools/call': CallToolRequestSchema,
  'tools/list': ListToolsRequestSchema,
};

/** What is wrong with the params of a request; null when nothing is. The SDK would call it -32603. */
export function invalidParams(message: Record<string, unknown>): string | null {
  if (message.id === undefined) return null;
  const method = String(message.method);
  if (!Object.hasOwn(REQUEST_SCHEMAS, method)) return null;
  const parsed = REQUEST_SCHEMAS[method as keyof typeof REQUEST_SCHEMAS].safeParse(message);
  if (parsed.success) return null;
  const [issue] = parsed.error.issues;
  return `Invalid params: ${issue?.path.join('.')}: ${issue?.message}`;
}

/** What the server tells a client about itself when it connects. */
export function serverIdentity(live: Live) {
  return {
    serverInfo: { name: 'vitrine', title: live.info.name, version: API_VERSION },
    capabilities: { tools: {} },
    instructions: `${describeService(live.info)} ${usageText(live.info.name)}`,
  };
}

/**
 * A protocol server for one POST: nothing is shared between requests. Faults that belong to the HTTP
 * level are left in `outcome`.
 */
export function makeServer(live: Live, client: string, outcome: CallOutcome): Server {
  const { serverInfo, capabilities, instructions } = serverIdentity(live);
  const server = new Server(serverInfo, { capabilities, instructions });

  server.setRequestHandler(InitializeRequestSchema, ({ params }) => {
    const known: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
    const protocolVersion = known.includes(params.protocolVersion)
      ? params.protocolVersion
      : PROTOCOL_VERSION;
    return { protocolVersion, capabilities, serverInfo, instructions };
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: LISTED_TOOLS }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 100)}`);
    }
    try {
      const answer = await callTool(tool, params.arguments, live, client, outcome);
      return { content: answer.content, structuredContent: answer.structuredContent };
    } catch (error) {
      if (error instanceof ToolFault) {
        return { isError: true, content: [{ type: 'text', text: error.message }] };
      }
      outcome.fault =
        error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR', { cause: error });
      throw new McpError(ErrorCode.InternalError, 'Internal server error');
    }
  });
  return server;
}

/** Runs a tool and charges exactly the records that it returns. */
async function callTool(
  tool: Tool,
  args: unknown,
  live: Live,
  client: string,
  outcome: CallOutcome,
): Promise<ToolAnswer> {
  if (!tool.charged) return tool.run(args, { live, recordsLeft: 0 });
  const { remaining, headers } = await live.quotas.peek('catalog-records', client);
  outcome.headers = headers;
  const answer = await tool.run(args, { live, recordsLeft: remaining });
  if (answer.records > 0) {
    const charged = await live.quotas.consume('catalog-records', client, answer.records);
    outcome.headers = charged.headers;
  }
  return answer;
}
