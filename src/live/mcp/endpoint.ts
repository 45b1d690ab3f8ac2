import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { ApiError } from '../../domain/errors.ts';
import {
  DISCOVERY_CACHE_SECONDS,
  MAX_BODY_BYTES,
  REQUEST_PROTOCOL_VERSIONS,
} from '../../domain/surface.ts';
import {
  type Call,
  jsonReply,
  methodNotAllowed,
  optionsReply,
  type Reply,
  redirectReply,
} from '../../http/call.ts';
import { withEtag } from '../../http/conditional.ts';
import type { Live, LiveHandler } from '../live.ts';
import { discoveryDocument } from './discovery.ts';
import { discovery, isModern, refuseModern, toModern } from './modern.ts';
import { invalidParams } from './params.ts';
import { RESOURCE_TEMPLATES, RESOURCES } from './resources.ts';
import { type CallOutcome, makeServer, type Offered } from './server.ts';
import { listTools } from './tool-schemas.ts';
import { TOOLS } from './tools.ts';

const ALLOW = 'GET, POST, OPTIONS';
/** Header fields that browsers may send: those of all protocol revisions and of tracing. Credentials are ignored. */
const REQUEST_HEADERS =
  'Content-Type, Accept, Authorization, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, ' +
  'Last-Event-ID, traceparent, tracestate';
const MAX_NESTING = 32;

/** /mcp: GET describes the server; POST takes one JSON-RPC request and returns one JSON answer. */
export const mcpHandler: LiveHandler = mcpEndpoint({
  tools: TOOLS,
  listed: listTools(TOOLS),
  resources: RESOURCES,
  templates: RESOURCE_TEMPLATES,
});

/** Makes the HTTP handler of an MCP server. */
export function mcpEndpoint(offered: Offered): LiveHandler {
  return async (call, live) => {
    if (!isAllowedHost(call.header('host'), live.allowedHosts)) {
      throw new ApiError('HOST_NOT_ALLOWED');
    }
    if (call.method === 'OPTIONS') return optionsReply(ALLOW, REQUEST_HEADERS);
    if (call.path === '/mcp/') return toCanonicalPath();
    if (call.method === 'GET' || call.method === 'HEAD') return discover(call, live);
    if (call.method === 'POST') return post(call, live, offered);
    return methodNotAllowed(ALLOW);
  };
}

/** Returns whether a Host is allowed; entries without a port allow any port. */
function isAllowedHost(host: string | undefined, allowed: readonly string[]): boolean {
  if (host === undefined) return false;
  const name = host.toLowerCase();
  const bare = name.replace(/:\d{1,5}$/, '');
  return allowed.some((entry) => entry.toLowerCase() === name || entry.toLowerCase() === bare);
}

/** Redirects /mcp/, a common slip in host settings; 308 keeps method and body. */
function toCanonicalPath(): Reply {
  return redirectReply('/mcp', DISCOVERY_CACHE_SECONDS);
}

function discover(call: Call, live: Live): Reply {
  // No SSE: anything but 405 makes clients that ask for a stream reconnect for ever.
  if (/text\/event-stream/i.test(call.header('accept') ?? '')) return methodNotAllowed(ALLOW);
  const reply = jsonReply(200, discoveryDocument(live.info), {
    'cache-control': `public, max-age=${DISCOVERY_CACHE_SECONDS}`,
    vary: 'Accept',
  });
  return withEtag(call, reply);
}

async function post(call: Call, live: Live, offered: Offered): Promise<Reply> {
  const { headers } = await live.quotas.consume('mcp-requests', call.client);
  if (!/^application\/json\s*(;|$)/i.test(call.header('content-type') ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  }
  const read = parseMessage(await call.readBody(MAX_BODY_BYTES));
  if ('refusal' in read) return rpcError(400, null, read.code, read.refusal, headers);
  const { message } = read;
  const { id = null, method } = message;
  const modern = isModern(message);
  if (modern) {
    const refused = refuseModern(call, message);
    if (refused !== null) {
      return jsonReply(refused.status, { jsonrpc: '2.0', id, error: refused.error }, headers);
    }
  } else if (!isSpoken(call.header('mcp-protocol-version'), method)) {
    const known = REQUEST_PROTOCOL_VERSIONS.join(', ');
    const refusal = `Unsupported protocol version; supported: ${known}`;
    return rpcError(400, null, -32600, refusal, headers);
  }
  const fault = invalidParams(message);
  // A notification has no id to answer to, hence 400.
  if (fault !== null) return rpcError(id === null ? 400 : 200, id, -32602, fault, headers);
  if (!modern) return exchange(call, live, offered, message, headers);
  if (method === 'server/discover') {
    const answer = { jsonrpc: '2.0', id, result: discovery(live) };
    return jsonReply(200, toModern(answer, method, live), headers);
  }
  const reply = await exchange(call, live, offered, message, headers);
  if (reply.body === null) return reply;
  const answer = JSON.parse(String(reply.body)) as Record<string, unknown>;
  return { ...reply, body: JSON.stringify(toModern(answer, String(method), live)) };
}

/** Returns whether the version of a request is supported; `initialize` negotiates it in its body instead. */
function isSpoken(version: string | undefined, method: unknown): boolean {
  if (version === undefined || method === 'initialize') return true;
  return REQUEST_PROTOCOL_VERSIONS.some((known) => known === version);
}

type ReadMessage = { message: Record<string, unknown> } | { code: number; refusal: string };

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Parses one JSON-RPC object; refuses batches, which MCP dropped, and deep nesting. */
function parseMessage(body: Uint8Array): ReadMessage {
  let value: unknown;
  try {
    const text = UTF_8.decode(body);
    if (nesting(text) > MAX_NESTING) return { code: -32600, refusal: 'Nested too deeply' };
    value = JSON.parse(text);
  } catch {
    return { code: -32700, refusal: 'Parse error' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { code: -32600, refusal: 'The body must be one JSON-RPC object' };
  }
  const message = value as Record<string, unknown>;
  // Params are validated per method, for better messages.
  const { params: _, ...request } = message;
  const envelope = 'method' in message ? request : message;
  return JSONRPCMessageSchema.safeParse(envelope).success
    ? { message }
    : { code: -32600, refusal: 'Not a JSON-RPC 2.0 message' };
}

/** Returns the nesting depth of a JSON text without parsing it. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (quoted) {
      if (char === '\\') index += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return deepest;
}

/** Passes the message to the SDK and converts its response. */
async function exchange(
  call: Call,
  live: Live,
  offered: Offered,
  message: Record<string, unknown>,
  quotaHeaders: Record<string, string>,
): Promise<Reply> {
  const outcome: CallOutcome = { fault: null, headers: quotaHeaders };
  const server = makeServer(offered, { live, client: call.client, outcome });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // The SDK requires both, even for JSON answers; we accept `application/json` alone.
        accept: 'application/json, text/event-stream',
      },
    });
    const response = await transport.handleRequest(request, { parsedBody: message });
    if (outcome.fault !== null) throw outcome.fault;
    const body = response.status === 202 ? null : await response.text();
    const reply = jsonReply(response.status, null, outcome.headers);
    if (body === null) {
      const { 'content-type': _, ...headers } = reply.headers;
      return { status: 202, headers, body };
    }
    return { ...reply, body };
  } finally {
    await server.close();
  }
}

function rpcError(
  status: number,
  id: unknown,
  code: number,
  message: string,
  headers: Record<string, string>,
): Reply {
  return jsonReply(status, { jsonrpc: '2.0', id, error: { code, message } }, headers);
}
