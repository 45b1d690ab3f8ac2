import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { launchBrowser, startForeignSite } from '../support/browser.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const run = promisify(execFile);
const [, section = ''] =
  /\n## Examples\n(.*?)\n## /s.exec(readFileSync('docs/connect.md', 'utf8')) ?? [];
// Where Node finds the packages that an example imports.
const folder = mkdtempSync('tests/.example-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The examples of a language, with the address of the service under test. */
function examples(language: string): string[] {
  const blocks = section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'));
  return [...blocks].map(([, text = '']) => text.replaceAll('http://127.0.0.1:4321', url));
}

type Server = { type?: string; url?: string; command?: string; args?: string[] };

describe('the examples of docs/connect.md', () => {
  it('for hosts of agents are JSON that names the server, once the way each host reads it', () => {
    const configs = examples('json').map((text) => JSON.parse(text));
    const [project, code, desktop, responses] = configs;
    expect(configs).toHaveLength(4);
    const remote = { type: 'http', url: `${url}/mcp` };
    expect(project).toEqual({ mcpServers: { vitrine: remote } });
    expect(code).toEqual({ servers: { vitrine: remote } });
    const bridge: Server = desktop.mcpServers.vitrine;
    expect(bridge.args?.at(-1)).toBe(remote.url);
    expect(responses.tools).toEqual([
      {
        type: 'mcp',
        server_label: 'vitrine',
        server_url: remote.url,
        require_approval: 'never',
      },
    ]);
  });

  it('for curl lists the tools', async () => {
    const curl = examples('sh').filter((text) => text.startsWith('curl'));
    expect(curl).toHaveLength(1);
    for (const command of curl) {
      const { stdout } = await run('sh', ['-c', command]);
      expect(JSON.parse(stdout).result.tools).toHaveLength(5);
    }
  });

  it('for the Inspector lists the tools and calls one', async () => {
    const commands = examples('sh').filter((text) => text.startsWith('npx '));
    expect(commands).toHaveLength(2);
    const answers: { tools?: unknown[]; structuredContent?: { result_count: number } }[] = [];
    for (const command of commands) {
      const installed = command.replace(/^npx @modelcontextprotocol\//, 'node_modules/.bin/mcp-');
      answers.push(JSON.parse((await run('sh', ['-c', installed])).stdout));
    }
    expect(answers[0]?.tools).toHaveLength(5);
    expect(answers[1]?.structuredContent?.result_count).toBeGreaterThan(0);
  }, 60_000);

  it('for Node asks with the official client', async () => {
    const programs = examples('js');
    expect(programs).toHaveLength(1);
    for (const program of programs) {
      const file = join(folder, 'example.mjs');
      writeFileSync(file, program);
      const { stdout } = await run(process.execPath, [file]);
      expect(stdout).toMatch(/^Results from Vitrine:\n\nUnderstood as .*\n\n1\. \[/s);
    }
  });

  it('for a page shows counters and offers', async () => {
    const pages = examples('html');
    expect(pages).toHaveLength(1);
    const browser = await launchBrowser();
    const site = await startForeignSite(`<!doctype html><title>x</title><body>${pages[0]}`);
    try {
      const page = await browser.newPage();
      await page.goto(site.url);
      await page.locator('vitrine-product-stats').getByText(/^\d/).first().waitFor();
      await page.locator('vitrine-merchant-stats').getByRole('table').first().waitFor();
      await page.locator('body > a').nth(2).waitFor();
      expect(await page.locator('body').innerText()).toContain('(Vitrine)');
    } finally {
      site.close();
      await browser.close();
    }
  });
});
