import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Validator from '@adobe/structured-data-validator';
import WebAutoExtractor from '@marbec/web-auto-extractor';
import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { sitemapPart } from '../../src/documents/sitemap.ts';
import { makeLinks } from '../../src/domain/links.ts';
import { launchBrowser } from '../support/browser.ts';
import { freePort } from '../support/port.ts';
import { currentRelease, pathsOf } from '../support/release.ts';
import { launchService, newDatabase, sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');

/** Every address of the published release. */
function releasePaths(): string[] {
  const paths = pathsOf(currentRelease(`${inject('sharedDataDir')}/releases`));
  return paths.filter((path) => !['/404', '/410', '/search-shell'].includes(path));
}

const text = async (path: string) =>
  (await fetch(url + path, { headers: { accept: 'text/html' } })).text();

/** What is wrong with XML by a schema; null when nothing is. */
function schemaFault(xml: string, schema: string): string | null {
  const { status, stderr } = spawnSync(
    process.env.XMLLINT_PATH ?? '/usr/bin/xmllint',
    ['--noout', '--nonet', '--schema', schema, '-'],
    { input: xml, encoding: 'utf8' },
  );
  return status === 0 && stderr === '- validates\n' ? null : `${status} ${stderr}`;
}

describe('a whole release', () => {
  it('holds no link to itself that does not work, on pages, in twins and in documents', async () => {
    const paths = releasePaths();
    const known = new Set(paths.map((path) => base + path));
    const live = ['/mcp', '/gpt/products.json', '/buscar'].map((path) => base + path);
    const broken = new Map<string, string>();
    let links = 0;
    for (const path of paths) {
      const content = await text(path);
      const found = path.endsWith('.md')
        ? [...content.matchAll(/[^\\]\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
        : [...content.matchAll(/(?:href|src|content)="([^"]+)"|<loc>([^<]+)</g)].map(
            (match) => match[1] ?? match[2] ?? '',
          );
      for (const link of found.filter((target) => target.startsWith(base))) {
        const target = (link.split(/[?#]/)[0] ?? '').replace(/^(https?:\/\/[^/]+)$/, '$1/');
        links += 1;
        if (!known.has(target) && !live.includes(target)) broken.set(link, path);
      }
    }
    expect(Object.fromEntries(broken)).toEqual({});
    expect(links).toBeGreaterThan(paths.length);
  });

  it('has sitemaps that follow the schema of sitemaps.org, even without an offer', async () => {
    for (const path of releasePaths().filter((name) => name.startsWith('/sitemap'))) {
      const schema =
        path === '/sitemap.xml' ? 'tests/pages/siteindex.xsd' : 'tests/pages/sitemap.xsd';
      expect([path, schemaFault(await text(path), schema)]).toEqual([path, null]);
    }
    const empty = sitemapPart([], makeLinks(base, null));
    expect(schemaFault(empty, 'tests/pages/sitemap.xsd')).toBeNull();
  });

  it('has structured data without faults on every page', async () => {
    const paths = releasePaths().filter((path) => /^\/(offers|products)\/-?\d+$/.test(path));
    const validator = new Validator();
    const extractor = new WebAutoExtractor({ addLocation: true });
    for (const path of ['/', ...paths.filter((_, at) => at % 7 === 0)]) {
      const data = extractor.parse(await text(path));
      const issues = await validator.validate(data);
      // The validator knows merchant listings, which want a picture; product snippets need name and offers alone.
      const faults = issues.filter(
        ({ severity, fieldNames = [] }: { severity: string; fieldNames?: string[] }) =>
          severity === 'ERROR' && fieldNames.join() !== 'image',
      );
      expect([path, faults]).toEqual([path, []]);
    }
  });
});

const onlyCategories = ['performance', 'accessibility', 'best-practices', 'seo'];

type Report = Awaited<ReturnType<typeof import('lighthouse').default>>;

/** The categories below 0.99 and the audits that tell why; empty when all is well. */
function weaknesses(report: NonNullable<Report>['lhr'] | undefined): string[] {
  const categories = Object.values(report?.categories ?? {});
  if (categories.length < onlyCategories.length) return ['no report'];
  const low = categories.filter(({ score }) => (score ?? 0) < 0.99);
  if (low.length === 0) return [];
  const audits = Object.values(report?.audits ?? {}).filter(
    ({ score }) => score !== null && score < 0.9,
  );
  return [...low.map(({ id, score }) => `${id} ${score}`), ...audits.map(({ id }) => id)];
}

describe('Lighthouse', () => {
  it('gives at least 0.99 in all four categories to each kind of page', async () => {
    // The pictures of the sample lie on hosts that do not exist: here they are our own.
    const [port, servicePort] = [await freePort(), await freePort()];
    const home = `http://localhost:${servicePort}`;
    const databaseUrl = await newDatabase('sample');
    const sql = openDatabase(databaseUrl, { max: 1 });
    const picture = sql.json([{ type: 'image', url: `${home}/favicon.svg`, alt_text: 'Foto' }]);
    await sql`update product set media = ${picture} where media <> '[]'`;
    await sql`update offer set media = ${picture} where media <> '[]'`;
    await sql.end();
    const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-lighthouse-'));
    const service = await launchService({
      env: { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: `${servicePort}`, BASE_URL: home },
      publish: true,
    });
    const browser = await launchBrowser(`--remote-debugging-port=${port}`);
    try {
      const { default: lighthouse } = await import('lighthouse');
      const offer = releasePaths().find((path) => /^\/offers\/\d+$/.test(path));
      const product = releasePaths().find((path) => /^\/products\/\d+$/.test(path));
      const lists = ['/ofertas', '/lojas', '/categorias/1', '/cidades/sao-paulo'];
      const others = ['/desenvolvedores', '/docs', '/widgets'];
      for (const path of ['/', offer, product, ...lists, ...others]) {
        let weak: string[] = [];
        // A busy machine only ever makes a page look slower than it is.
        for (let attempt = 0; attempt < 4; attempt += 1) {
          const flags = { port, output: 'json', logLevel: 'error', onlyCategories } as const;
          weak = weaknesses((await lighthouse(home + path, flags))?.lhr);
          if (weak.length === 0) break;
        }
        expect([path, weak]).toEqual([path, []]);
      }
    } finally {
      await browser.close();
      await service.stop();
    }
  }, 400_000);
});
