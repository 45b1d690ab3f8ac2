import { describe, it } from 'vitest';
import { sharedService } from '../support/service.ts';
import { ASKED, expectAnswers } from './calls.ts';
import { connectorOf, HOSTS } from './hosts.ts';

const { url } = sharedService();

describe('a host in Node connects, lists the tools and hands its model what each of them answers', () => {
  it.each(HOSTS)('$name ($folder)', async (host) => {
    const connect = await connectorOf(host);
    const session = await connect(`${url}/mcp`);
    const texts: string[] = [];
    const tools = await session.listTools();
    for (const { tool, args } of ASKED) texts.push(await session.callTool(tool, args));
    await session.close();
    expectAnswers({ tools, texts }, url);
  });
});
