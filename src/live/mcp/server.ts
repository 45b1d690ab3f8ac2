import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { ApiError } from '../../domain/errors.ts';
import {
  API_VERSION,
  describeService,
  MCP_CAPABILITIES,
  PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../domain/surface.ts';
import { usageText } from '../../domain/usage.ts';
import type { Live } from '../live.ts';
import { type Tool, type ToolContext, ToolFault } from './define-tool.ts';
import {
  MAX_COMPLETIONS,
  type Resource,
  type ResourceAnswer,
  type ResourceTemplate,
} from './resource.ts';
import type { listTools } from './tool-schemas.ts';

/** The tools and resources of a server; conformance tests pass their own. */
export type Offered = {
  tools: readonly Tool[];
  /** The tools as in tools/list. */
  listed: ReturnType<typeof listTools>;
  resources: readonly Resource[];
  templates: readonly ResourceTemplate[];
};

/** The outcome of a POST besides its JSON-RPC answer. */
export type CallOutcome = {
  /** A fault to answer at HTTP level: quota exceeded, database down. */
  fault: ApiError | null;
  /** RateLimit headers: of the record quota if it was consulted, else of the request quota. */
  headers: Record<string, string>;
};

const SEARCH_HINT =
  "Searches take the user's own words in any language; places, prices and merchants have fields of their " +
  'own. search_local_offers has what is on offer now, search_local_products all that is sold; without a ' +
  'place both search the default city. The text of an answer says all that its structured content says.';

/** Shared only because each SDK server would create one; it validates elicitation, which we do not use. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** A JSON-RPC error; the SDK's class would prefix the message with the code. */
class RpcFault extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** JSON-RPC code of an unknown resource (MCP 2025-06-18, resources, error handling). */
const RESOURCE_NOT_FOUND = -32002;

/** Describes the server to connecting clients. */
export function serverIdentity({ info, links }: Live) {
  return {
    serverInfo: {
      name: 'vitrine',
      title: info.name,
      version: API_VERSION,
      websiteUrl: links.to('/'),
      icons: [{ src: links.to('/favicon.svg'), mimeType: 'image/svg+xml', sizes: ['any'] }],
    },
    capabilities: MCP_CAPABILITIES,
    instructions: `${describeService(info)} ${SEARCH_HINT} ${usageText(info.name)}`,
  };
}

type Exchange = { live: Live; client: string; outcome: CallOutcome };

/** Makes a protocol server for one POST; faults of the HTTP level are left in `outcome`. */
export function makeServer(offered: Offered, exchange: Exchange): Server {
  const { live } = exchange;
  const { serverInfo, capabilities, instructions } = serverIdentity(live);
  const server = new Server(serverInfo, { capabilities, instructions, jsonSchemaValidator });

  server.setRequestHandler(InitializeRequestSchema, ({ params }) => {
    const known: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
    const protocolVersion = known.includes(params.protocolVersion)
      ? params.protocolVersion
      : PROTOCOL_VERSION;
    return { protocolVersion, capabilities, serverInfo, instructions };
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.listed }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = offered.tools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      throw new RpcFault(ErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 100)}`);
    }
    const run = (context: ToolContext) => tool.run(params.arguments, context);
    try {
      const { content, structuredContent } = await charge(tool.charged, run, exchange);
      return { content, structuredContent };
    } catch (error) {
      if (!(error instanceof ToolFault)) throw httpFault(error, exchange);
      return { isError: true, content: [{ type: 'text', text: error.message }] };
    }
  });
  serveResources(server, offered, exchange);
  return server;
}

function serveResources(server: Server, offered: Offered, exchange: Exchange): void {
  const { live } = exchange;
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: offered.resources.map((resource) => ({
      ...described(resource),
      uri: resource.uri(live),
    })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: offered.templates.map((template) => ({
      ...described(template),
      uriTemplate: template.uriTemplate(live),
    })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      const answer = await readResource(uri, offered, exchange);
      if (answer === null) throw new RpcFault(RESOURCE_NOT_FOUND, 'Resource not found', { uri });
      return { contents: answer.contents };
    } catch (error) {
      if (error instanceof ToolFault) throw new RpcFault(ErrorCode.InvalidParams, error.message);
      throw error instanceof RpcFault ? error : httpFault(error, exchange);
    }
  });
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) => {
    const { ref, argument, context } = params;
    const uri = ref.type === 'ref/resource' ? ref.uri : null;
    const template = offered.templates.find((one) => one.uriTemplate(live) === uri);
    if (template === undefined) throw new RpcFault(ErrorCode.InvalidParams, 'Unknown reference');
    try {
      const others = context?.arguments ?? {};
      const names = await template.complete(argument.name, argument.value, others, live);
      const values = names.slice(0, MAX_COMPLETIONS);
      return { completion: { values, hasMore: names.length > values.length } };
    } catch (error) {
      throw httpFault(error, exchange);
    }
  });
}

function described({ name, title, description, mimeType }: Resource | ResourceTemplate) {
  return { name, title, description, ...(mimeType === null ? {} : { mimeType }) };
}

async function readResource(
  uri: string,
  offered: Offered,
  exchange: Exchange,
): Promise<ResourceAnswer> {
  const { live } = exchange;
  const resource = offered.resources.find((one) => one.uri(live) === uri);
  if (resource !== undefined) return resource.read({ live, recordsLeft: 0 });
  for (const template of offered.templates) {
    const variables = template.match(uri, live);
    if (variables === null) continue;
    return charge(template.charged, (context) => template.read(variables, context, uri), exchange);
  }
  return null;
}

/** Runs a tool or read, and charges exactly the records that it returns to the quota. */
async function charge<T extends { records: number } | null>(
  charged: boolean,
  run: (context: ToolContext) => Promise<T>,
  { live, client, outcome }: Exchange,
): Promise<T> {
  if (!charged) return run({ live, recordsLeft: 0 });
  const { remaining, headers } = await live.quotas.peek('catalog-records', client);
  outcome.headers = headers;
  const answer = await run({ live, recordsLeft: remaining });
  if (answer !== null && answer.records > 0) {
    const taken = await live.quotas.consume('catalog-records', client, answer.records);
    outcome.headers = taken.headers;
  }
  return answer;
}

/** Records a fault for the HTTP level; the returned JSON-RPC error is never sent. */
function httpFault(error: unknown, { outcome }: Exchange): RpcFault {
  outcome.fault =
    error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR', { cause: error });
  return new RpcFault(ErrorCode.InternalError, 'Internal server error');
}
