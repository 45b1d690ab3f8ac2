import { build } from 'esbuild';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, startForeignSite } from '../support/browser.ts';
import { sharedService } from '../support/service.ts';
import { ASKED, expectAnswers } from './calls.ts';
import { clientPath, HOSTS } from './hosts.ts';
import type { Connect } from './session.ts';

const { url } = sharedService();
let browser: Browser;
let site: Awaited<ReturnType<typeof startForeignSite>>;

beforeAll(async () => {
  site = await startForeignSite('<!doctype html><title>Somebody else</title>');
  browser = await launchBrowser(
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  );
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

/** The module that connects a host as a script, whose exports are properties of `client`. */
async function bundle(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'client',
    platform: 'browser',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

describe("a host in a page of somebody else's origin does the same, through a preflight", () => {
  it.each(HOSTS.filter(({ inPages }) => inPages))('$name ($folder)', async (host) => {
    const page = await browser.newPage();
    const preflights: number[] = [];
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    devtools.on('Network.responseReceived', ({ type, response }) => {
      if (type === 'Preflight') preflights.push(response.status);
    });
    await page.goto(site.url);
    await page.addScriptTag({ content: await bundle(clientPath(host)) });
    const heard = await page.evaluate(
      async ({ address, entry, asked }) => {
        const { client } = window as unknown as { client: Record<string, Connect> };
        const session = await client[entry]?.(address);
        if (session === undefined) throw new Error(`no ${entry}`);
        const texts: string[] = [];
        const tools = await session.listTools();
        for (const { tool, args } of asked) texts.push(await session.callTool(tool, args));
        await session.close();
        return { tools, texts };
      },
      { address: `${url}/mcp`, entry: host.entry, asked: ASKED },
    );
    await page.close();
    expectAnswers(heard, url);
    expect(new Set(preflights)).toEqual(new Set([204]));
  });
});
