import { MCPClient } from 'mcp-use/client';
import { type Connect, textOf } from '../session.ts';

/** mcp-use; its telemetry is switched off in vitest.config.ts. */
export const connect: Connect = async (url) => {
  const client = new MCPClient({ mcpServers: { vitrine: { url } } });
  const session = await client.createSession('vitrine');
  return {
    listTools: async () => (await session.listTools()).map(({ name }) => name),
    callTool: async (name, args) => textOf((await session.callTool(name, args)).content),
    close: () => client.closeAllSessions(),
  };
};
