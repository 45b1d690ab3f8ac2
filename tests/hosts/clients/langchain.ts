import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { type Connect, textOf } from '../session.ts';

/** LangChain's adapters: the tools that an agent of LangChain or LangGraph is given. */
export const connect: Connect = async (url) => {
  const client = new MultiServerMCPClient({ vitrine: { transport: 'http', url } });
  const tools = await client.getTools();
  return {
    listTools: async () => tools.map(({ name }) => name),
    async callTool(name, args) {
      // A lone text block comes without the list around it.
      return textOf([await tools.find((tool) => tool.name === name)?.invoke(args)].flat());
    },
    close: () => client.close(),
  };
};
