import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { productSearchSchema } from '../../src/domain/records.ts';
import { callTool } from '../support/http.ts';
import { searchProducts } from '../support/mcp.ts';
import { sharedService } from '../support/service.ts';

const { url, databaseUrl } = sharedService();

describe('search_local_products', () => {
  it('returns records with links, and content with a resource_link to each canonical page', async () => {
    const result = await callTool(url, 'search_local_products', { query: 'tênis', limit: 3 });
    const answer = productSearchSchema.parse(result.structuredContent);
    expect(answer.products.length).toBeGreaterThan(0);
    expect(answer.result_count).toBe(answer.products.length);
    expect(answer.service).toBe('Vitrine');
    expect(result.content[0]?.text).toBe(answer.answer_markdown);
    expect(answer.answer_markdown).toContain('Vitrine');
    answer.products.forEach((product, index) => {
      expect(product.product_url).toBe(
        `${url.replace('127.0.0.1', 'localhost')}/products/${product.id}`,
      );
      expect(product.product_link_markdown).toContain(`](${product.product_url})`);
      expect(answer.answer_markdown).toContain(`${index + 1}. ${product.product_link_markdown}`);
      expect(result.content[index + 1]).toMatchObject({
        type: 'resource_link',
        uri: product.product_url,
        mimeType: 'text/html',
      });
    });
  });

  it('searches the default city when no city, coordinates or merchant is named', async () => {
    const answer = await searchProducts(url, { query: 'pizza' });
    expect(answer.applied_filters).toMatchObject({ city: 'São Paulo', city_defaulted: true });
    expect(answer.products.every(({ nearest_store: store }) => store?.city === 'São Paulo')).toBe(
      true,
    );
    expect(
      answer.products.every(({ nearest_store: store }) => store?.distance_meters === undefined),
    ).toBe(true);
  });

  it('corrects a word that no record has to a similar word of the catalog, and says so', async () => {
    const right = await searchProducts(url, { query: 'Jequitibá', limit: 5 });
    const typed = await searchProducts(url, { query: 'Jequitbiá', limit: 5 });
    expect(typed.products.map(({ id }) => id)).toEqual(right.products.map(({ id }) => id));
    expect(typed.messages).toEqual(['The catalog has no "jequitbia"; searched for "jequitiba".']);
    expect(right.messages).toEqual([]);
  });

  it('says what it cannot do about wishes for something near, open or delivered', async () => {
    const query = 'pizzaria aberta agora perto de mim com entrega';
    const anywhere = await searchProducts(url, { query, limit: 3 });
    expect(anywhere.products.length).toBeGreaterThan(0);
    expect(anywhere.messages).toEqual([
      'The query asks for something near: latitude and longitude, or a district, say where.',
      'The catalog knows nothing of opening hours and deliveries: ask the store.',
    ]);
    const near = { latitude: -23.5617, longitude: -46.702 };
    const located = await searchProducts(url, { query: 'pizza near me', ...near, limit: 3 });
    expect(located.messages).toEqual([]);
  });

  it('keeps city, district, merchant and price as hard constraints; accents and case are ignored', async () => {
    const district = await searchProducts(url, { district: 'PINHEIROS', limit: 20 });
    expect(district.products.length).toBeGreaterThan(0);
    expect(district.products.every((p) => p.nearest_store?.district === 'Pinheiros')).toBe(true);
    const city = await searchProducts(url, {
      city: 'sao paulo',
      max_price: 50,
      min_price: 10,
      limit: 20,
    });
    expect(city.products.length).toBeGreaterThan(0);
    for (const { price } of city.products) {
      expect(price?.amount).toBeGreaterThanOrEqual(1000);
      expect(price?.amount).toBeLessThanOrEqual(5000);
    }
    const [first] = city.products;
    const merchant = await searchProducts(url, {
      merchant: first?.merchant.name.toUpperCase(),
      limit: 20,
    });
    expect(merchant.products.every((p) => p.merchant.id === first?.merchant.id)).toBe(true);
    const byId = await searchProducts(url, { merchant_id: first?.merchant.id, limit: 20 });
    expect(byId.products.map(({ id }) => id).sort()).toEqual(
      merchant.products.map(({ id }) => id).sort(),
    );
  });

  it('answers within the radius of coordinates, nearest first when sorted by distance', async () => {
    const here = { latitude: -23.566, longitude: -46.688, radius_meters: 4000 };
    const answer = await searchProducts(url, { ...here, sort: 'distance', limit: 20 });
    const distances = answer.products.map((p) => p.nearest_store?.distance_meters ?? Number.NaN);
    expect(distances.length).toBeGreaterThan(0);
    expect(Math.max(...distances)).toBeLessThanOrEqual(4000);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    const nowhere = await searchProducts(url, { ...here, latitude: 0, longitude: 0 });
    expect(nowhere.products).toEqual([]);
  });

  it('sorts by price among results that match about as well', async () => {
    const prices = async (sort: string) =>
      (await searchProducts(url, { query: 'pizza', sort, limit: 20 })).products.map(
        (p) => p.price?.amount ?? 0,
      );
    const up = await prices('price_asc');
    expect(up).toEqual(up.toSorted((a, b) => a - b));
    const down = await prices('price_desc');
    expect(down).toEqual(down.toSorted((a, b) => b - a));
  });

  it('leaves out products that are out of stock unless in_stock_only is false', async () => {
    const sql = openDatabase(databaseUrl, { max: 1 });
    const [row] = await sql<{ id: number; name: string; merchant_id: number }[]>`
      select p.id, p.name, p.merchant_id from product p join store s using (merchant_id)
      where not p.in_stock limit 1`;
    await sql.end();
    if (row === undefined) throw new Error('the sample has no product out of stock');
    const ids = async (more: object) =>
      (
        await searchProducts(url, {
          query: row.name,
          merchant_id: row.merchant_id,
          limit: 20,
          ...more,
        })
      ).products.map(({ id }) => id);
    expect(await ids({})).not.toContain(row.id);
    expect(await ids({ in_stock_only: false })).toContain(row.id);
  });

  it('names what is out of stock where nothing else is found', async () => {
    const { messages } = await searchProducts(url, { query: 'sopa wonton', merchant_id: 106 });
    expect(messages).toContain(
      'Out of stock, and therefore left out: "Sopa wonton". To see such products, pass in_stock_only: false.',
    );
    const asked = { query: 'sopa wonton', merchant_id: 106, in_stock_only: true };
    expect((await searchProducts(url, asked)).messages.join()).not.toContain('Out of stock');
  });

  it.each([
    ['city', { city: 'Sao Pualo' }, /no city named "Sao Pualo".*São Paulo/],
    ['district', { district: 'Pinhero' }, /no district of São Paulo named "Pinhero".*Pinheiros/],
    ['merchant', { merchant: 'Loja Inexistente Xyz' }, /no merchant named/],
    ['category', { category: 'Naves espaciais' }, /no category named/],
  ])(
    'gives no records and a message naming close known names for an unknown %s',
    async (_, filter, message) => {
      const answer = await searchProducts(url, { query: 'pizza', ...filter });
      expect(answer.products).toEqual([]);
      expect(answer.messages.join(' ')).toMatch(message);
    },
  );

  it('finds a category by name or id, with the categories below it', async () => {
    const sql = openDatabase(databaseUrl, { max: 1 });
    const [row] = await sql<{ id: number; name: string }[]>`
      select c.id, c.name from category c join category child on child.parent_id = c.id
      join product p on p.category_id = child.id limit 1`;
    await sql.end();
    const byName = await searchProducts(url, { category: row?.name.toLowerCase(), limit: 20 });
    const byId = await searchProducts(url, { category: String(row?.id), limit: 20 });
    expect(byName.products.length).toBeGreaterThan(0);
    expect(byId.products).toEqual(byName.products);
  });

  it('is empty when the catalog has nothing of the kind', async () => {
    const answer = await searchProducts(url, { query: 'xqzwv plutônio enriquecido' });
    expect(answer.products.filter(({ match }) => match === 'exact')).toEqual([]);
    expect(answer.interpretation.unmatched_terms.length).toBeGreaterThan(0);
  });

  it.each([
    [
      'an unknown field',
      { query: 'x', colour: 'red' },
      /"colour": unknown field.*Valid fields: query/,
    ],
    ['nothing at all', {}, /query: is required unless another filter is given/],
    [
      'latitude alone',
      { latitude: -23.5 },
      /longitude: latitude and longitude must be given together/,
    ],
    [
      'a radius without coordinates',
      { query: 'x', radius_meters: 500 },
      /radius_meters: needs latitude/,
    ],
    ['a limit over 20', { query: 'x', limit: 21 }, /limit/],
    ['a query over 400 characters', { query: 'a'.repeat(401) }, /query/],
    ['a fractional limit', { query: 'x', limit: 1.5 }, /limit/],
    ['an unknown sort', { query: 'x', sort: 'best' }, /sort/],
    ['min_price above max_price', { min_price: 9, max_price: 5 }, /max_price/],
    ['a query of the wrong type', { query: 5 }, /query/],
  ])(
    'tells what is wrong with %s: isError, the field, the valid fields, no structuredContent',
    async (_, args, message) => {
      const result = await callTool(url, 'search_local_products', args);
      expect(result.isError).toBe(true);
      expect(result.content[0]?.text).toMatch(message);
      expect(result.content[0]?.text).toMatch(/Valid fields: query, category, city/);
      expect(result).not.toHaveProperty('structuredContent');
    },
  );

  it('keeps a 20-record answer under 40 KB', async () => {
    const result = await callTool(url, 'search_local_products', { city: 'São Paulo', limit: 20 });
    expect(productSearchSchema.parse(result.structuredContent).result_count).toBe(20);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(40_000);
  });
});
