import { describe, expect, it } from 'vitest';
import { readCatalogState } from '../../src/data/catalog/catalog.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { FeedError, importFeed } from '../../src/feed/import.ts';
import { testDatabase } from '../support/database.ts';

const sql = await testDatabase();
const analyser = openAnalyser();
const load = (records: (object | string)[], flags = {}) =>
  importFeed(
    sql,
    records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))),
    { replace: false, skipInvalid: false, analyser, ...flags },
  );
const counts = async () => (await readCatalogState(sql)).counts;

const merchant = { kind: 'merchant', id: 1, name: 'Padaria Sol' };
const category = { kind: 'category', id: 10, name: 'Padarias', parent_id: null };
const store = {
  kind: 'store',
  id: 5,
  merchant_id: 1,
  name: 'Sol Lapa',
  address: 'Rua Guaicurus, 10',
  district: 'Lapa',
  city: 'São Paulo',
  state: 'SP',
  latitude: -23.52,
  longitude: -46.7,
};
const product = { kind: 'product', id: 100, merchant_id: 1, category_id: 10, name: 'Pão francês' };
const offer = { kind: 'offer', id: 500, merchant_id: 1, product_id: 100, title: 'Pão em dobro' };

describe('the catalog feed', () => {
  it('takes records in any order and counts them', async () => {
    const result = await load([offer, product, store, category, merchant]);
    expect(result).toMatchObject({
      written: { category: 1, merchant: 1, store: 1, product: 1, offer: 1 },
      removed: { count: 0 },
      skipped: [],
    });
    expect(await counts()).toEqual({
      products: 1,
      products_in_stock: 1,
      offers: 1,
      merchants: 1,
      stores: 1,
      cities: 1,
      districts: 1,
      categories: 1,
    });
  });

  it('upserts by kind and id', async () => {
    await load([{ ...product, name: 'Pão italiano', in_stock: false }]);
    const [row] = await sql`select name, in_stock from product where id = 100`;
    expect(row).toEqual({ name: 'Pão italiano', in_stock: false });
  });

  it('keeps the fields of stores apart that tell different ones', async () => {
    const whatsapp = '+5511912345678';
    const told = { phone: '+551133334444', whatsapp, opening_hours: 'Mo-Fr 09:00-18:00' };
    const { state: _, latitude: _a, longitude: _b, ...bare } = store;
    await load([store, { ...store, ...told, id: 6 }, { ...bare, id: 7, whatsapp }]);
    const none = { phone: null, whatsapp: null, opening_hours: null };
    const at = { state: 'SP', latitude: store.latitude };
    const rows = await sql`
      select id, state, latitude, phone, whatsapp, opening_hours from store order by id`;
    expect(rows).toEqual([
      { id: 5, ...at, ...none },
      { id: 6, ...at, ...told },
      { id: 7, ...none, state: null, latitude: null, whatsapp },
    ]);
    await load([category, merchant, store, product, offer], { replace: true });
  });

  it('does not write again what stays as it is', async () => {
    const feed = [category, merchant, store, { ...product, brand: null }, offer];
    await load(feed);
    const versions = async () => [
      await sql`select id, xmin::text from category order by id`,
      await sql`select id, xmin::text from store order by id`,
      await sql`select id, xmin::text from product order by id`,
      await sql`select id, xmin::text from offer order by id`,
    ];
    const before = await versions();
    await load(feed, { replace: true });
    expect(await versions()).toEqual(before);
  });

  it('leaves the time of a record that tells none, until something else about it changes', async () => {
    const times = async () => {
      const [row] = await sql<{ product: Date; offer: Date }[]>`
        select p.updated_at as product, o.updated_at as offer
        from product p join offer o on o.product_id = p.id where o.id = 500`;
      return [row?.product.toISOString(), row?.offer.toISOString()];
    };
    await load([product, offer]);
    const [productTime, offerTime] = await times();
    await load([product, offer]);
    expect(await times()).toEqual([productTime, offerTime]);

    const price = { amount: 500, currency: 'BRL' };
    await load([product, { ...offer, price }]);
    const [, priced] = await times();
    expect(await times()).toEqual([productTime, expect.not.stringMatching(String(offerTime))]);
    const updated_at = '2026-11-01T12:00:00.000Z';
    await load([
      { ...product, updated_at },
      { ...offer, price },
    ]);
    expect(await times()).toEqual([updated_at, priced]);
    await load([product, { ...offer, price }]);
    expect(await times()).toEqual([updated_at, priced]);
  });

  it.each([
    ['a line that is not JSON', '{"kind":', 2, '(line)', /not valid JSON/],
    ['an unknown field, by its name', { ...product, colour: 'red' }, 2, 'colour', /not a field/],
    ['an unknown kind', { kind: 'shop', id: 1 }, 2, 'kind', /./],
    [
      'a fractional amount',
      { ...product, price: { amount: 1.5, currency: 'BRL' } },
      2,
      'price.amount',
      /whole number/,
    ],
    ['an offer with id 0', { ...offer, id: 0 }, 2, 'id', /must not be 0/],
    ['a quality score above 1', { ...offer, quality_score: 1.2 }, 2, 'quality_score', /1/],
    ['latitude without longitude', { ...store, longitude: null }, 2, 'latitude', /together/],
    [
      'an instant without a zone',
      { ...offer, valid_from: '2026-11-01T00:00:00' },
      2,
      'valid_from',
      /ISO/,
    ],
    ['an unknown merchant', { ...product, merchant_id: 99 }, 2, 'merchant_id', /merchant 99/],
    [
      'a javascript: media URL',
      { ...product, media: [{ type: 'image', url: 'javascript:alert(1)' }] },
      2,
      'media.0.url',
      /http/,
    ],
    ['the same record twice', merchant, 2, 'id', /line 1 already/],
  ])(
    'refuses %s with line, field and reason, and applies nothing',
    async (_, bad, line, field, reason) => {
      const before = await counts();
      const attempt = load([
        { ...merchant, id: 77 }.id === 77 && bad === merchant ? merchant : { ...merchant, id: 77 },
        bad,
      ]);
      const error = await attempt.then(
        () => null,
        (fault: unknown) => fault,
      );
      expect(error).toBeInstanceOf(FeedError);
      expect((error as FeedError).faults[0]).toMatchObject({ line, field });
      expect((error as FeedError).faults[0]?.reason).toMatch(reason);
      expect(await counts()).toEqual(before);
    },
  );

  it('refuses a category that is its own ancestor', async () => {
    const circle = [
      { kind: 'category', id: 20, name: 'A', parent_id: 21 },
      { kind: 'category', id: 21, name: 'B', parent_id: 20 },
    ];
    await expect(load(circle)).rejects.toThrow(/own ancestor/);
  });

  it('applies the rest with --skip-invalid and lists what it skipped, with what depended on it', async () => {
    const result = await load(
      [
        { ...merchant, id: 30, name: 'Boa' },
        { ...merchant, id: 31, nome: 'x' },
        { ...product, id: 301, merchant_id: 31 },
        { ...offer, id: 501, merchant_id: 30, product_id: 301 },
        { ...product, id: 302, merchant_id: 30 },
      ],
      { skipInvalid: true },
    );
    expect(result.skipped.map(({ line, field }) => [line, field])).toEqual([
      [2, 'nome'],
      [3, 'merchant_id'],
      [4, 'product_id'],
    ]);
    expect(result.written).toMatchObject({ merchant: 1, product: 1, offer: 0 });
  });

  it('removes with --replace what the file lacks', async () => {
    const feed = [merchant, { ...product, category_id: null }];
    const result = await load(feed, { replace: true, force: true });
    expect(result.removed.count).toBeGreaterThan(0);
    expect(await counts()).toMatchObject({
      merchants: 1,
      products: 1,
      offers: 0,
      stores: 0,
      categories: 0,
    });
  });

  it('lets the public offer index hold active, current offers that are not app-only tops', async () => {
    const day = 24 * 3_600_000;
    const iso = (ms: number) => new Date(Date.now() + ms).toISOString();
    const titled = (id: number, more: object) => ({
      kind: 'offer',
      id,
      merchant_id: 1,
      title: `o${id}`,
      ...more,
    });
    await load([
      titled(601, {}),
      titled(602, { valid_from: iso(-day), valid_until: iso(day) }),
      titled(603, { valid_from: iso(day) }),
      titled(604, { valid_until: iso(-day) }),
      titled(605, { status: 'hidden' }),
      titled(606, { status: 'inactive' }),
      titled(607, { app_only_top: true }),
      { kind: 'offer', id: -9, title: 'Pix' },
    ]);
    const rows = await sql<{ id: number }[]>`
      select id from offer o where is_public(o, now()) order by id`;
    expect(rows.map(({ id }) => id)).toEqual([-9, 601, 602]);
    expect((await counts()).offers).toBe(3);
  });
});
