import { z } from 'zod';
import {
  API_VERSION,
  describeService,
  MCP_CAPABILITIES,
  PROTOCOL_VERSION,
  type ServiceInfo,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../domain/surface.ts';
import { USAGE } from '../../domain/usage.ts';
import { TOOLS } from './tools.ts';

/** Lists name, title and description of each tool, for documents. */
export function toolSummaries() {
  return TOOLS.map(({ name, title, description }) => ({ name, title, description }));
}

/** Lists the tools with their arguments, for people and models that write calls by hand. */
export function toolGuides() {
  return TOOLS.map(({ name, description, input }) => {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input', reused: 'inline' });
    const told = Object.entries(properties).map(([argument, schema]) => {
      return {
        name: argument,
        description: typeof schema === 'object' ? (schema.description ?? '') : '',
      };
    });
    return { name, description, arguments: told };
  });
}

/** Makes the answer to GET /mcp. */
export function discoveryDocument(info: ServiceInfo) {
  const at = (path: string) => info.baseUrl + path;
  return {
    name: 'vitrine',
    title: info.name,
    version: API_VERSION,
    description: describeService(info),
    protocolVersion: PROTOCOL_VERSION,
    supportedProtocolVersions: SUPPORTED_PROTOCOL_VERSIONS,
    transport: 'streamable-http',
    remotes: [{ type: 'streamable-http', url: at('/mcp') }],
    authentication: { required: false },
    capabilities: MCP_CAPABILITIES,
    tools: toolSummaries(),
    limits: info.limits,
    usage_policy: USAGE,
    documentation: {
      llms: at('/llms.txt'),
      openapi: at('/openapi.json'),
      manifest: at('/gpt.json'),
    },
  };
}
