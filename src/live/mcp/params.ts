import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  InitializeRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const REQUEST_SCHEMAS = {
  initialize: InitializeRequestSchema,
  ping: PingRequestSchema,
  'tools/call': CallToolRequestSchema,
  'tools/list': ListToolsRequestSchema,
  'resources/list': ListResourcesRequestSchema,
  'resources/read': ReadResourceRequestSchema,
  'resources/templates/list': ListResourceTemplatesRequestSchema,
  'completion/complete': CompleteRequestSchema,
};

/** Validates the params of a request; null if valid. Done here because the SDK would answer -32603. */
export function invalidParams(message: Record<string, unknown>): string | null {
  const { params } = message;
  if (params !== undefined && !isObject(params)) return 'Invalid params: must be an object';
  if (message.id === undefined) return null;
  const method = String(message.method);
  if (!Object.hasOwn(REQUEST_SCHEMAS, method)) return null;
  const parsed = REQUEST_SCHEMAS[method as keyof typeof REQUEST_SCHEMAS].safeParse(message);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `Invalid params: ${issue?.path.join('.')}: ${issue?.message}`;
  }
  // No list has a second page, so any cursor is invalid.
  return method.endsWith('/list') && params?.cursor !== undefined
    ? 'Invalid params: params.cursor: unknown cursor'
    : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
