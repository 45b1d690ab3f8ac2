import { createServer } from 'node:http';
import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { readConfig } from '../../src/config.ts';
import { liveRoute } from '../../src/live/astro-route.ts';
import { defineTool, type Tool, ToolFault } from '../../src/live/mcp/define-tool.ts';
import { mcpEndpoint } from '../../src/live/mcp/endpoint.ts';
import {
  idIn,
  jsonContents,
  type Resource,
  type ResourceTemplate,
} from '../../src/live/mcp/resource.ts';
import { listTools } from '../../src/live/mcp/tool-schemas.ts';
import { openLog } from '../../src/log.ts';
import { listen } from '../../src/server/listen.ts';
import { openService } from '../../src/service/service.ts';
import { AMPLE_QUOTAS } from './service.ts';

const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENT_WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** A tool that takes nothing and answers what the conformance scenarios expect of its name. */
function fixtureTool(name: string, answer: () => ContentBlock[]): Tool {
  return defineTool({
    name,
    title: name,
    description: 'A tool of the conformance scenarios',
    input: z.strictObject({}),
    output: z.object({}),
    charged: false,
    run: async () => ({ structuredContent: {}, content: answer(), records: 0 }),
  });
}

const text: ContentBlock = { type: 'text', text: 'This is a simple text response for testing.' };
const image: ContentBlock = { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' };
const embedded: ContentBlock = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded text.' },
};

const TEST_TOOLS = [
  fixtureTool('test_simple_text', () => [text]),
  fixtureTool('test_image_content', () => [image]),
  fixtureTool('test_audio_content', () => [
    { type: 'audio', data: SILENT_WAV, mimeType: 'audio/wav' },
  ]),
  fixtureTool('test_embedded_resource', () => [embedded]),
  fixtureTool('test_multiple_content_types', () => [text, image, embedded]),
  fixtureTool('test_error_handling', () => {
    throw new ToolFault('This tool intentionally returns an error for testing');
  }),
];

const described = { name: 'test', title: 'Test', description: 'A resource of the scenarios' };

function fixtureResource(uri: string, mimeType: string, body: { text: string } | { blob: string }) {
  const read = async () => ({ contents: [{ uri, mimeType, ...body }], records: 0 });
  return { ...described, mimeType, uri: () => uri, read } satisfies Resource;
}

const TEMPLATE = 'test://template/{id}/data';
const template: ResourceTemplate = {
  ...described,
  mimeType: 'application/json',
  charged: false,
  uriTemplate: () => TEMPLATE,
  match(uri) {
    const id = idIn(uri, TEMPLATE);
    return id === null ? null : { id };
  },
  read: async ({ id }, _, uri) => ({ contents: jsonContents(uri, { id }), records: 0 }),
  complete: async () => [],
};

const endpoint = liveRoute(
  mcpEndpoint({
    tools: TEST_TOOLS,
    listed: listTools(TEST_TOOLS),
    resources: [
      fixtureResource('test://static-text', 'text/plain', { text: 'A static text.' }),
      fixtureResource('test://static-binary', 'image/png', { blob: PIXEL_PNG }),
    ],
    templates: [template],
  }),
);

/**
 * A server that offers what the conformance scenarios ask for, through the same endpoint and protocol
 * code as the catalog server.
 */
export async function startMcpFixture(databaseUrl: string) {
  const config = readConfig({ ...AMPLE_QUOTAS, BASE_URL: 'http://localhost:4321' });
  const service = await openService(config, databaseUrl, openLog('silent'), {
    showcase: () => [],
    text: async () => null,
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    const answer = await endpoint({
      request: new Request(`http://localhost${request.url}`, {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        body,
      }),
      locals: { live: service.live },
      clientAddress: '127.0.0.1',
    } as never);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await service.close();
    },
  };
}
