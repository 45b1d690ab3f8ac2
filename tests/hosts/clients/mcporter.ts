import { createRuntime } from 'mcporter';
import { type Connect, textOf } from '../session.ts';

/** MCPorter's runtime, with no server but this one. */
export const connect: Connect = async (url) => {
  const command = { kind: 'http' as const, url: new URL(url) };
  const runtime = await createRuntime({ servers: [{ name: 'vitrine', command }] });
  return {
    listTools: async () => (await runtime.listTools('vitrine')).map(({ name }) => name),
    async callTool(name, args) {
      const result = (await runtime.callTool('vitrine', name, { args })) as { content: unknown };
      return textOf(result.content);
    },
    close: () => runtime.close(),
  };
};
