import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { isListPath } from '../../src/domain/lists.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { publishCatalog, releasesFolder } from '../../src/server/publishing.ts';
import { openStaticSite } from '../../src/server/static.ts';
import { testDatabase } from '../support/database.ts';
import { currentRelease, pathsOf } from '../support/release.ts';

const sql = await testDatabase();
const settings = (more: Record<string, string> = {}) =>
  readConfig({
    BASE_URL: 'https://v.example',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'vitrine-lists-')),
    ...more,
  });
const config = settings();
const analyser = openAnalyser();
const store = (id: number, merchant_id: number, district: string, city = 'São Paulo') => ({
  ...{ kind: 'store', id, merchant_id, name: `Loja ${id}`, address: 'Rua Um, 1', district, city },
});
const product = (id: number, merchant_id: number, category_id: number) => ({
  ...{ kind: 'product', id, merchant_id, category_id, name: `Pão ${id}` },
});
const offer = (id: number, merchant_id: number) => ({
  ...{ kind: 'offer', id, merchant_id, title: `Pão pela metade ${id}` },
});
const range = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

const foundation = [
  { kind: 'category', id: 1, name: 'Alimentação' },
  { kind: 'category', id: 2, name: 'Padaria', parent_id: 1 },
  { kind: 'category', id: 3, name: 'Sem produtos' },
  { kind: 'merchant', id: 1, name: '<b>Padaria</b> "Aurora"', description: 'Desde 1950' },
  { kind: 'merchant', id: 2, name: 'Sem nada' },
  { kind: 'merchant', id: 3, name: 'Empório' },
  store(1, 1, 'Pinheiros'),
  store(2, 1, 'Vl. Mariana'),
  store(3, 2, 'Lapa'),
  store(4, 3, 'Centro', 'Campinas'),
];

/** Replaces the catalog by some records, and publishes it. */
async function publishFeed(records: object[], into = config) {
  const lines = [...foundation, ...records].map((record) => JSON.stringify(record));
  await importFeed(sql, lines, { replace: true, force: true, skipInvalid: false, analyser });
  await publishCatalog(sql, into, { scope: 'touched', force: true });
}

const release = (of = config) => currentRelease(releasesFolder(of));
const lists = (withdrawn = false) => pathsOf(release(), withdrawn).filter(isListPath);
/** The page of a list as the current release holds it. */
async function read(path: string, of = config): Promise<string> {
  const opened = openStaticSite(releasesFolder(of), () => {});
  opened.close();
  const text = await opened.read(path);
  if (text === null) throw new Error(`there is no ${path}`);
  return text;
}

const many = range(130).flatMap((id) => [product(id, 1, 2), offer(id, 1)]);

describe('lists', () => {
  it('are there for what has something to show, and nothing else', async () => {
    await publishFeed([product(1, 1, 2), offer(1, 1), offer(2, 3)]);
    expect(lists()).toEqual([
      '/categorias',
      '/categorias/1',
      '/categorias/2',
      '/cidades',
      '/cidades/campinas',
      '/cidades/campinas/centro',
      '/cidades/sao-paulo',
      '/cidades/sao-paulo/pinheiros',
      '/cidades/sao-paulo/vila-mariana',
      '/lojas',
      '/lojas/1',
      '/lojas/3',
      '/ofertas',
    ]);
  });

  it('show a store with where it is, its offers and its products, and hostile names as text', async () => {
    const html = await read('/lojas/1');
    expect(html).toContain('<h1>&lt;b&gt;Padaria&lt;/b&gt; &quot;Aurora&quot;</h1>');
    for (const part of ['Desde 1950', 'Rua Um, 1', 'Lojas em Vl. Mariana', 'Pão pela metade 1'])
      expect(html).toContain(part);
    expect(html).toContain('href="https://v.example/cidades/sao-paulo/pinheiros"');
    expect(html).toContain('href="https://v.example/products/1"');
    expect(html).toContain('"@type":"ItemList"');
    // Structured data and links use the same URL for a store.
    const store = 'https://v.example/lojas/1#loja-2';
    expect(html).toContain(`"@type":"Store","@id":"${store}"`);
    expect(html).toContain('<li id="loja-2"');
    expect(await read('/products/1')).toContain(`"@type":"Store","@id":"${store}"`);
    expect(await read('/cidades/sao-paulo')).toContain(`<a href="${store}"`);
  });

  it('lead from a category to those below it, and from a city to its districts', async () => {
    expect(await read('/categorias/1')).toContain('href="https://v.example/categorias/2"');
    expect(await read('/categorias/2')).toContain('href="https://v.example/categorias/1"');
    const city = await read('/cidades/sao-paulo');
    expect(city).toContain('href="https://v.example/cidades/sao-paulo/vila-mariana"');
    expect(city).not.toContain('Lapa');
    expect(city).toContain('href="https://v.example/lojas/1#loja-1"');
  });

  it('hold the products without a category too, as category 0, as long as there are any', async () => {
    const { category_id: _, ...plain } = product(2, 1, 2);
    await publishFeed([product(1, 1, 2), plain]);
    expect(await read('/categorias/0')).toContain('href="https://v.example/products/2"');
    expect(await read('/')).toContain('href="https://v.example/categorias/0"');
    await sql`update product set category_id = 2 where id = 2`;
    await publishCatalog(sql, config, { scope: 'touched', force: false });
    expect(lists()).not.toContain('/categorias/0');
    expect(await read('/')).not.toContain('/categorias/0');
    expect(await read('/categorias/2')).toContain('href="https://v.example/products/2"');
  });

  it('go on at /2 where they have more than 60 entries, and every entry is on one page', async () => {
    await publishFeed(many);
    const pages = lists().filter((path) => path.startsWith('/ofertas'));
    expect(pages.slice(0, 2)).toEqual(['/ofertas', '/ofertas/2']);
    const texts = await Promise.all(pages.map((path) => read(path)));
    const shown = texts.flatMap((html) =>
      [...html.matchAll(/<a href="https:\/\/v.example\/offers\/(\d+)"/g)].map((match) => match[1]),
    );
    expect(shown.map(Number)).toEqual(range(130).toReversed());
    expect(texts[1]).toContain('<h1>Ofertas, página 2</h1>');
    expect(texts[0]).toMatch(/href="https:\/\/v.example\/ofertas\/2" rel="next"/);
  });

  it('cost a publish what it touches: a new price renders the pages that show it', async () => {
    const before = new Map([...release().index.entries()]);
    await sql`update offer set price_amount = 990, price_currency = 'BRL' where id = 60`;
    const result = await publishCatalog(sql, config, { scope: 'touched', force: false });
    // Of all offers, and of its merchant.
    expect(result).toMatchObject({ scope: 'touched', lists: 2 });
    const changed = [...release().index.entries()].flatMap(([path, known]) => {
      const old = before.get(path);
      const isSame = known === 'gone' || old === 'gone' || known.hash === old?.hash;
      return isSame || !isListPath(path) ? [] : [path.replace(/\/\d+$/, '')];
    });
    expect(changed).toHaveLength(2);
  });

  it('are withdrawn when they are empty or gone, with 410, and come back', async () => {
    await publishFeed([product(1, 1, 2)]);
    const gone = lists(true);
    expect(gone).toEqual(
      expect.arrayContaining([
        '/ofertas',
        '/ofertas/2',
        '/lojas/3',
        '/lojas/1/2',
        '/categorias/2/2',
      ]),
    );
    expect(gone).toEqual(expect.arrayContaining(['/cidades/campinas', '/cidades/campinas/centro']));
    expect(lists()).toEqual(expect.not.arrayContaining(gone));
    await publishFeed(many);
    expect(lists()).toEqual(expect.arrayContaining(['/ofertas/2', '/lojas/1/2']));
  });

  it('are four clicks from the home page at most, and so is all that they list, however many there are', async () => {
    // Without pages of products, which take long: what counts is that lists link to them.
    const lean = settings({ PRODUCT_URL_TEMPLATE: 'https://v.example/products/{id}' });
    const deep = range(40).map((at) => {
      const parent_id = at === 1 ? 1 : 9 + at;
      return { kind: 'category', id: 10 + at, name: `Nível ${at}`, parent_id };
    });
    const flat = range(400).map((at) => ({ kind: 'category', id: 100 + at, name: `Tipo ${at}` }));
    // One of many products, some without stores, some each in a city or a district of its own.
    const merchant = (id: number) => ({ kind: 'merchant', id, name: `Lojista ${id}` });
    const merchants = range(900).map((at) => merchant(1000 + at));
    const stores = [
      ...range(420).map((at) => store(2000 + at, 1000 + at, 'Centro', `Cidade ${at}`)),
      ...range(340).map((at) => store(3000 + at, 1420 + at, `Bairro ${at}`, 'Cidade 1')),
    ];
    const products = [
      ...range(1700).map((id) => product(id, 3, 50)),
      ...merchants.map(({ id }) => product(id + 2000, id, 100 + (id % 400 || 400))),
    ];
    await publishFeed([...deep, ...flat, ...merchants, ...stores, ...products], lean);
    const lists = pathsOf(release(lean)).filter(isListPath);
    const site = openStaticSite(releasesFolder(lean), () => {});
    site.close();
    const seen = new Set(['/']);
    for (let click = 1, next = ['/']; click <= 4; click += 1) {
      const texts = await Promise.all(next.map(async (path) => (await site.read(path)) ?? ''));
      const found = texts.flatMap((html) => [
        ...html.matchAll(/<a href="https:\/\/v.example(\/[^"#]*)["#]/g),
      ]);
      const unseen = new Set(found.flatMap(([, path = '']) => (seen.has(path) ? [] : [path])));
      for (const path of unseen) seen.add(path);
      next = lists.filter((path) => unseen.has(path));
    }
    for (const path of ['/categorias/50/41', '/categorias/pagina-2', '/cidades/pagina-2'])
      expect(lists).toContain(path);
    expect(lists).toEqual(
      expect.arrayContaining(['/lojas/3/41', '/lojas/pagina-3', '/lojas/1900']),
    );
    const all = [...lists, ...products.map(({ id }) => `/products/${id}`)];
    expect(all.filter((path) => !seen.has(path))).toEqual([]);
    // Some 3,000 pages.
  }, 120_000);
});
