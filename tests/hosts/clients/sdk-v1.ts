import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Connect, type Session, textOf } from '../session.ts';

/** The official SDK, first major. */
export const connect: Connect = (url) =>
  connectThrough(new StreamableHTTPClientTransport(new URL(url)));

/** A client of the official SDK on any transport. */
export async function connectThrough(transport: Transport): Promise<Session> {
  const client = new Client({ name: 'vitrine-hosts', version: '1.0.0' });
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async callTool(name, args) {
      const { content } = await client.callTool({ name, arguments: args });
      return textOf(content);
    },
    close: () => client.close(),
  };
}
