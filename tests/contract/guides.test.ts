import { describe, expect, it } from 'vitest';
import { getJson } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');
const text = async (path: string) => (await fetch(url + path)).text();
const type = async (path: string) => (await fetch(url + path)).headers.get('content-type');

describe('/llms.txt', () => {
  it('is, by the rules of llmstxt.org, H1, summary, text without headings, then lists of links', async () => {
    expect(await type('/llms.txt')).toBe('text/plain; charset=utf-8');
    const guide = await text('/llms.txt');
    const [head = '', ...sections] = guide.split(/^## /m);
    const [title, summary, ...details] = head.trim().split(/\n\n/);
    expect(title).toBe('# Vitrine');
    expect(summary).toMatch(/^> [^\n]+$/);
    expect(details.join('\n')).not.toMatch(/^#/m);
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      'Endpoints',
      'Documents',
      'Some current offers',
    ]);
    for (const section of sections) {
      const [name, gap, ...items] = section.trimEnd().split('\n');
      expect([name, gap]).toEqual([name, '']);
      expect(items.length).toBeGreaterThan(0);
      const link = /^- \[(?:[^\]\\]|\\.)+\]\(https?:\/\/[^\s()]+\): \S.*$/;
      expect(items.filter((item) => !link.test(item))).toEqual([]);
    }
  });

  it('tells rules, limits, tools and how to search as text, and links absolutely', async () => {
    const guide = await text('/llms.txt');
    const [head = ''] = guide.split(/^## /m);
    const manifest = (await getJson(`${url}/gpt.json`)).body;
    const { tools } = manifest.mcp as { tools: { name: string; description: string }[] };
    expect(tools).toHaveLength(5);
    for (const { name, description } of tools) {
      expect(head).toContain(`\n- \`${name}\`: ${description}\n`);
    }
    for (const words of ['Rules:', 'Limits', 'Retry-After', `${base}/mcp`]) {
      expect(head).toContain(words);
    }
    for (const rule of ['Mirroring the catalog', 'Building training datasets', 'Evading quotas']) {
      expect(guide).toContain(rule);
    }
    expect(head).toContain('  - `query`: ');
    expect(head).toContain(`${base}/offers/{id}.md`);
    const links = [...guide.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(10);
    expect(links.every((link) => link?.startsWith(`${base}/`))).toBe(true);
  });
});

/** True when robots.txt lets everybody fetch a path: RFC 9309, 2.2.2, without wildcards. */
function mayCrawl(robots: string, path: string): boolean {
  const rules = robots.split('\n').flatMap((line) => {
    const [, kind = '', prefix = ''] = /^(Allow|Disallow): *(\S+)$/.exec(line) ?? [];
    return prefix !== '' && path.startsWith(prefix) ? [{ allows: kind === 'Allow', prefix }] : [];
  });
  // The longest match wins, and of two as long the one that allows.
  rules.sort((a, b) => b.prefix.length - a.prefix.length || Number(b.allows) - Number(a.allows));
  return rules[0]?.allows ?? true;
}

describe('/robots.txt', () => {
  it('lets crawlers fetch pages, documents, description and discovery; neither counts nor searches', async () => {
    const [robots = ''] = (await text('/robots.txt')).split('\n\n');
    expect(robots).toMatch(/^User-agent: \*\n/);
    expect(robots.match(/^User-agent:/gm)).toHaveLength(1);
    const open = [
      ...['/', '/offers/50001', '/products/10001', '/docs', '/widgets', '/llms.txt', '/gpt.json'],
      ...['/openapi.json', '/api/openapi.yaml', '/mcp', '/vitrine-widgets.js', '/sitemap.xml'],
      ...['/.well-known/api-catalog', '/.well-known/mcp/server-card.json'],
    ];
    const closed = [
      ...['/buscar', '/buscar?q=presente', '/api/public/v1/products/1/stats'],
      '/api/public/v1/merchants/1/stats',
    ];
    expect(open.filter((path) => !mayCrawl(robots, path))).toEqual([]);
    expect(closed.filter((path) => mayCrawl(robots, path))).toEqual([]);
  });

  it('refuses crawlers that train models, by name and by signal, and no others', async () => {
    const [everybody, trainers = ''] = (await text('/robots.txt')).split('\n\n');
    expect(everybody).toContain('Content-Signal: search=yes, ai-input=yes, ai-train=no');
    const named = [...trainers.matchAll(/^User-agent: (.+)$/gm)].map((match) => match[1]);
    expect(named).toEqual(
      expect.arrayContaining(['GPTBot', 'ClaudeBot', 'CCBot', 'Google-Extended']),
    );
    for (const welcome of ['OAI-SearchBot', 'ChatGPT-User', 'Claude-User', 'Googlebot'])
      expect(named).not.toContain(welcome);
    expect(trainers).toMatch(/\nDisallow: \/$/);
    for (const path of ['/', '/ofertas', '/llms.txt', '/sitemap.xml'])
      expect((await fetch(url + path)).headers.get('content-usage')).toBe('train-ai=n, search=y');
  });
});
