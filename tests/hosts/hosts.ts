import { existsSync, readFileSync } from 'node:fs';
import type { Connect } from './session.ts';

/** A host under test, in one of its modes. */
export type Host = {
  name: string;
  /** Its folder in node_modules: an alias where two majors are installed. */
  folder: string;
  /** The module in clients/ that connects it, and which of its functions. */
  client: string;
  entry: string;
  /** Whether people use it in pages as well. */
  inPages: boolean;
};

/** Every host. A row here, its module in clients/ and a row in tests/README.md: no more is needed. */
export const HOSTS: readonly Host[] = [
  host('Official SDK 1', '@modelcontextprotocol/sdk', 'sdk-v1', { inPages: true }),
  ...(
    [
      ['connectLegacy', 'default mode'],
      ['connectAuto', 'mode auto'],
      ['connectModern', '2026-07-28 alone'],
    ] as const
  ).map(([entry, mode]) =>
    host(`Official SDK 2, ${mode}`, '@modelcontextprotocol/client', 'sdk-v2', {
      entry,
      inPages: true,
    }),
  ),
  host('Vercel AI SDK', '@ai-sdk/mcp-1', 'ai-sdk', { entry: 'connect1', inPages: true }),
  host('Vercel AI SDK', '@ai-sdk/mcp', 'ai-sdk', { entry: 'connect2', inPages: true }),
  host('LangChain adapters', '@langchain/mcp-adapters', 'langchain'),
  host('OpenAI Agents SDK', '@openai/agents-core', 'openai-agents'),
  host('mcp-use', 'mcp-use', 'mcp-use'),
  host('MCPorter', 'mcporter', 'mcporter'),
  host('mcp-remote, over stdio', 'mcp-remote', 'mcp-remote'),
  host('MCP Inspector, command line', '@modelcontextprotocol/inspector', 'inspector'),
];

function host(name: string, folder: string, client: string, more: Partial<Host> = {}): Host {
  return { name, folder, client, entry: 'connect', inPages: false, ...more };
}

/** The module that connects a host. */
export function clientPath({ client }: Host): string {
  return new URL(`clients/${client}.ts`, import.meta.url).pathname;
}

/** Loads what connects a host. */
export async function connectorOf(tried: Host): Promise<Connect> {
  const module = (await import(clientPath(tried))) as Record<string, Connect>;
  const connect = module[tried.entry];
  if (connect === undefined) throw new Error(`clients/${tried.client}.ts has no ${tried.entry}`);
  return connect;
}

/** Name and version of a host as it is installed: here, or with the service itself. */
export function installedAs({ folder }: Host): string {
  const path = ['tests/hosts/node_modules', 'node_modules']
    .map((modules) => `${modules}/${folder}/package.json`)
    .find((one) => existsSync(one));
  if (path === undefined) throw new Error(`${folder} is not installed`);
  const { name, version } = JSON.parse(readFileSync(path, 'utf8'));
  return `${name} ${version}`;
}

/** The row of a host in the table of tests/README.md. */
export function tableRow(tried: Host): string {
  const where = tried.inPages ? 'Node, pages of another origin' : 'Node';
  return `| ${tried.name} | ${installedAs(tried)} | ${where} |`;
}
