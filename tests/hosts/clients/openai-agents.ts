import { MCPServerStreamableHttp } from '@openai/agents-core';
import { type Connect, textOf } from '../session.ts';

/** OpenAI's Agents SDK. */
export const connect: Connect = async (url) => {
  const server = new MCPServerStreamableHttp({ url });
  await server.connect();
  return {
    listTools: async () => (await server.listTools()).map(({ name }) => name),
    callTool: async (name, args) => textOf(await server.callTool(name, args)),
    close: () => server.close(),
  };
};
