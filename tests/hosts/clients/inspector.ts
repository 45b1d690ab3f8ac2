import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Connect, textOf } from '../session.ts';

const run = promisify(execFile);

/** The Inspector on the command line: each request is a process, which connects anew. */
export const connect: Connect = async (url) => {
  const ask = async (...args: string[]) => {
    const { stdout } = await run('node_modules/.bin/mcp-inspector', [
      ...['--cli', url, '--transport', 'http', '--method'],
      ...args,
    ]);
    return JSON.parse(stdout);
  };
  return {
    async listTools() {
      const { tools } = (await ask('tools/list')) as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    },
    async callTool(name, args) {
      const fields = Object.entries(args).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${value}`,
      ]);
      return textOf((await ask('tools/call', '--tool-name', name, ...fields)).content);
    },
    close: async () => {},
  };
};
