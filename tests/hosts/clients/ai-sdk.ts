import { createMCPClient as createClient2 } from '@ai-sdk/mcp';
import { createMCPClient as createClient1 } from '@ai-sdk/mcp-1';
import { type Connect, textOf } from '../session.ts';

/** What both majors have in common. */
type Created = {
  tools(): Promise<Record<string, ToolOfModel>>;
  close(): Promise<void>;
};
type Address = { type: 'http'; url: string };
type ToolOfModel = {
  execute(
    input: unknown,
    options: { toolCallId: string; messages: []; context: undefined },
  ): unknown;
  toModelOutput?(result: { toolCallId: string; input: unknown; output: unknown }): unknown;
};

/** Calls tools as `generateText` does: what they return goes to the model through `toModelOutput`. */
function connectBy(create: (address: Address) => Promise<unknown>): Connect {
  return async (url) => {
    const client = (await create({ type: 'http', url })) as Created;
    const tools = await client.tools();
    return {
      listTools: async () => Object.keys(tools),
      async callTool(name, input) {
        const options = { toolCallId: '1', messages: [] as [], context: undefined };
        const output = await tools[name]?.execute(input, options);
        const shown = await tools[name]?.toModelOutput?.({ toolCallId: '1', input, output });
        return textOf((shown as { value: unknown }).value);
      },
      close: () => client.close(),
    };
  };
}

/**
 * The Vercel AI SDK, `@ai-sdk/mcp` 1. It calls `fetch` as a method, which browsers refuse:
 * in a page it must be passed one.
 */
export const connect1 = connectBy((address) =>
  createClient1({ transport: { ...address, fetch: (...request) => fetch(...request) } }),
);
/** The Vercel AI SDK, `@ai-sdk/mcp` 2. */
export const connect2 = connectBy((transport) => createClient2({ transport }));
