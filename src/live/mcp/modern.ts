import { z } from 'zod';
import { DISCOVERY_CACHE_SECONDS, MODERN_PROTOCOL_VERSION } from '../../domain/surface.ts';
import type { Call } from '../../http/call.ts';
import type { Live } from '../live.ts';
import { serverIdentity } from './server.ts';

/**
 * MCP from 2026-07-28 on: no handshake; each request carries its protocol version and client capabilities in `_meta`,
 * and repeats version, method and name in header fields. Requests without a version in `_meta` are legacy and never
 * get the new error codes.
 */
const META = 'io.modelcontextprotocol/';

const envelope = z.looseObject({
  [`${META}protocolVersion`]: z.string(),
  [`${META}clientInfo`]: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  [`${META}clientCapabilities`]: z.looseObject({}),
});

/** Why a request is refused: HTTP status and JSON-RPC error. */
export type ModernRefusal = {
  status: number;
  error: { code: number; message: string; data?: unknown };
};

type Message = Record<string, unknown>;

const LISTS_MS = DISCOVERY_CACHE_SECONDS * 1000;

/** The methods served, with the TTL of their results in ms; null if not cacheable. */
const CACHED_MS: Record<string, number | null> = {
  'server/discover': LISTS_MS,
  'tools/list': LISTS_MS,
  'tools/call': null,
  'resources/list': LISTS_MS,
  'resources/templates/list': LISTS_MS,
  'resources/read': 0,
  'completion/complete': null,
};

/** The parameter that the header field Mcp-Name repeats. */
const NAMED_BY: Record<string, string> = { 'tools/call': 'name', 'resources/read': 'uri' };

/** Returns whether a message is of this protocol; `initialize` is always legacy. */
export function isModern(message: Message): boolean {
  return message.method !== 'initialize' && `${META}protocolVersion` in metaOf(message);
}

/** Checks version, headers and method of a request; null if they are valid. */
export function refuseModern(call: Call, message: Message): ModernRefusal | null {
  const method = String(message.method);
  const meta = envelope.safeParse(metaOf(message));
  if (!meta.success) {
    const [issue] = meta.error.issues;
    return refusal(-32602, `Invalid params: _meta: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const version = String(meta.data[`${META}protocolVersion`]);
  const mirrored: [field: string, value: unknown][] = [['Mcp-Protocol-Version', version]];
  if (message.id !== undefined) {
    mirrored.push(['Mcp-Method', method]);
    const named = NAMED_BY[method];
    if (named !== undefined) mirrored.push(['Mcp-Name', paramsOf(message)[named]]);
  }
  for (const [field, value] of mirrored) {
    if (typeof value === 'string' && decoded(call.header(field.toLowerCase())) !== value) {
      return refusal(-32020, `Header mismatch: ${field} is missing or not as in the body`);
    }
  }
  if (version !== MODERN_PROTOCOL_VERSION) {
    const data = { supported: [MODERN_PROTOCOL_VERSION], requested: version };
    return refusal(-32022, 'Unsupported protocol version', data);
  }
  if (message.id === undefined || Object.hasOwn(CACHED_MS, method)) return null;
  return { status: 404, error: { code: -32601, message: 'Method not found' } };
}

/** Makes the result of `server/discover`, which replaces the handshake. */
export function discovery(live: Live) {
  const { capabilities, instructions } = serverIdentity(live);
  return { supportedVersions: [MODERN_PROTOCOL_VERSION], capabilities, instructions };
}

/** Converts a legacy JSON-RPC answer. */
export function toModern(answer: Message, method: string, live: Live): Message {
  const { result, error } = answer as { result?: object; error?: { code: number } };
  // The legacy code for an unknown resource was dropped.
  if (error?.code === -32002) return { ...answer, error: { ...error, code: -32602 } };
  if (result === undefined) return answer;
  const ttlMs = CACHED_MS[method] ?? null;
  return {
    ...answer,
    result: {
      ...result,
      resultType: 'complete',
      ...(ttlMs === null ? {} : { ttlMs, cacheScope: 'public' }),
      _meta: { [`${META}serverInfo`]: serverIdentity(live).serverInfo },
    },
  };
}

function refusal(code: number, message: string, data?: unknown): ModernRefusal {
  return { status: 400, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

function paramsOf({ params }: Message): Message {
  return typeof params === 'object' && params !== null ? (params as Message) : {};
}

function metaOf(message: Message): Message {
  const { _meta: meta } = paramsOf(message);
  return typeof meta === 'object' && meta !== null ? (meta as Message) : {};
}

/** Decodes a header value; non-ASCII ones are sent as `=?base64?…?=`. */
function decoded(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*=*)\?=$/.exec(value ?? '')?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}
