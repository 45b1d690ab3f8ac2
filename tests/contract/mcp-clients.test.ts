import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');
const run = promisify(execFile);

describe('the official MCP SDK client', () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`))));
  afterAll(() => client.close());

  it('learns name, title, icon, capabilities and use rules when it connects', () => {
    expect(client.getServerVersion()).toMatchObject({
      name: 'vitrine',
      title: 'Vitrine',
      version: '1.2.0',
      icons: [{ src: `${base}/favicon.svg` }],
    });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, completions: {} });
    expect(client.getInstructions()).toMatch(/canonical link/);
  });

  it('reads every listed resource and completes every named variable', async () => {
    const { resources } = await client.listResources();
    for (const { uri, mimeType } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType }]);
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    for (const { uriTemplate } of resourceTemplates) {
      const ref = { type: 'ref/resource' as const, uri: uriTemplate };
      for (const [, names = ''] of uriTemplate.matchAll(/\{\??([^}]+)\}/g)) {
        for (const name of names.split(',')) {
          const { completion } = await client.complete({ ref, argument: { name, value: 'ca' } });
          expect(completion.values.length).toBeLessThanOrEqual(10);
        }
      }
    }
  });

  it('may read what a search links to', async () => {
    const result = await client.callTool({
      name: 'search_local_offers',
      arguments: { query: 'pizza', limit: 2 },
    });
    const blocks = result.content as { type: string; uri: string }[];
    const links = blocks.filter(({ type }) => type === 'resource_link');
    expect(links).toHaveLength(2);
    for (const { uri } of links) {
      expect((await client.readResource({ uri })).contents).toMatchObject([{ uri }]);
    }
  });
});

describe('the MCP Inspector on the command line', () => {
  const inspect = async (...args: string[]) => {
    const { stdout } = await run('node_modules/.bin/mcp-inspector', [
      '--cli',
      `${url}/mcp`,
      '--transport',
      'http',
      ...args,
    ]);
    return JSON.parse(stdout);
  };

  it('lists the tools without a complaint about their schemas', async () => {
    const { tools } = await inspect('--method', 'tools/list', '--strict');
    expect(tools).toHaveLength(5);
  }, 60_000);

  it('searches in the words of a person', async () => {
    const answer = await inspect(
      ...['--method', 'tools/call', '--tool-name', 'search_local_products'],
      ...['--tool-arg', 'query=running shoes', '--tool-arg', 'limit=2'],
    );
    expect(answer.structuredContent.products).toHaveLength(2);
  }, 60_000);

  it('reads a resource', async () => {
    const answer = await inspect('--method', 'resources/read', '--uri', `${base}/offers/-1`);
    expect(answer.contents).toMatchObject([{ mimeType: 'text/html' }]);
  }, 60_000);
});

describe('curl with nothing but Accept: application/json', () => {
  it('lists the tools', async () => {
    const { stdout } = await run(process.env.CURL_PATH ?? 'curl', [
      ...['-sS', '--max-time', '20', `${url}/mcp`],
      ...['-H', 'Content-Type: application/json', '-H', 'Accept: application/json'],
      ...['-d', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ]);
    expect(JSON.parse(stdout).result.tools).toHaveLength(5);
  });
});
