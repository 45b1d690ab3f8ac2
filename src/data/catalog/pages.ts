import type { Offer, PageKind, Product } from '../../domain/catalog.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { OFFER_PRICE, PRODUCT_PRICE, type PriceColumns, storeRecord } from './records.ts';

/** Related records on a page: one row of cards. */
const RELATED = 3;
/** The most stores on a page; a chain may have hundreds. */
const STORES_SHOWN = 12;
const OWN_PRICE = { amount: 'o.price_amount', currency: 'o.price_currency' };
const LIST_PRICE = { amount: 'p.list_price_amount', currency: 'p.list_price_currency' };

/** Lists the ids of records with pages, of all or of those given, in path order. */
export async function listPages(
  sql: Sql,
  kind: PageKind,
  among: number[] | null = null,
): Promise<number[]> {
  const listed = among === null ? sql`true` : sql`id = any(${arrayText(among)}::text::bigint[])`;
  const shown = kind === 'offer' ? sql`is_public(t, now())` : sql`true`;
  const rows = await sql<{ id: number }[]>`
    select id from ${sql(kind)} t where ${listed} and ${shown} order by id::text collate "C"`;
  return rows.map(({ id }) => id);
}

/**
 * Reads the models of pages as JSON of a ProductPage or OfferPage; ids without a page are absent. Postgres builds
 * the JSON, because most models are only compared, not rendered.
 */
export async function readPages(
  sql: Sql,
  kind: PageKind,
  ids: number[],
): Promise<Map<number, string>> {
  const rows = await sql<{ id: number; model: string }[]>`
    with listed as (
      select * from ${sql(kind)} t where id = any(${arrayText(ids)}::text::bigint[])
    ), merchant_store as (${storesOfMerchants(sql, 'listed')})
    ${kind === 'offer' ? offerPages(sql) : productPages(sql)}`;
  return new Map(rows.map(({ id, model }) => [id, model]));
}

const contacts = (sql: Sql) =>
  sql`, 'phone', s.phone, 'whatsapp', s.whatsapp, 'openingHours', s.opening_hours`;

/** The first stores of the merchants of some rows, and how many more each has. */
export const storesOfMerchants = (sql: Sql, among: string) => sql`
  select merchant_id, greatest(count(*) - ${STORES_SHOWN}, 0) as more,
    json_agg(${storeRecord(sql, contacts(sql))} order by id) filter (where position <= ${STORES_SHOWN}) as stores
  from (
    select *, row_number() over (partition by merchant_id order by id) as position
    from store where merchant_id in (select merchant_id from ${sql(among)})
  ) s group by merchant_id`;

/** JSON members with a merchant's stores. */
export const storeMembers = (sql: Sql) => sql`
  'stores', coalesce(merchant_store.stores, '[]'), 'moreStores', coalesce(merchant_store.more, 0)`;

const productPages = (sql: Sql) => sql`
  select p.id, json_build_object('product', ${productRecord(sql)}, ${storeMembers(sql)}, 'offers', (
    select coalesce(json_agg(${offerCard(sql)} order by o.id), '[]') from (
      select * from offer o where o.product_id = p.id and is_public(o, now()) order by id limit ${RELATED}
    ) o
  ), 'related', (
    -- The same category first, then the next ones in the merchant's (category, id) order, which is the shelf.
    select coalesce(json_agg(${productCard(sql, 'o')} order by alike desc, side desc, side * shelf, side * o.id), '[]')
    from (
      select o.*, shelf = coalesce(p.category_id, 0) as alike
      from (${besideProduct(sql, { of: 'p', category: 'category_id' })}) o
      order by alike desc, side desc, side * shelf, side * id limit ${RELATED}
    ) o
  ))::text as model
  from listed p
  join merchant m on m.id = p.merchant_id
  left join category c on c.id = p.category_id
  left join merchant_store on merchant_store.merchant_id = p.merchant_id`;

const offerPages = (sql: Sql) => sql`
  select o.id, json_build_object('offer', ${offerRecord(sql)},
    'product', case when p.id is not null then ${productRecord(sql, 'pm')} end, ${storeMembers(sql)},
    'related', (
      select coalesce(json_agg(${offerCard(sql)} order by side desc, side * o.id), '[]') from (
        select * from (${besideOffer(sql, 'o')}) near order by side desc, side * id limit ${RELATED}
      ) o left join product p on p.id = o.product_id
    ))::text as model
  from listed o
  left join merchant m on m.id = o.merchant_id
  left join product p on p.id = o.product_id
  left join merchant pm on pm.id = p.merchant_id
  left join category c on c.id = p.category_id
  left join merchant_store on merchant_store.merchant_id = o.merchant_id
  where is_public(o, now())`;

/**
 * A product's neighbours in its merchant's (category, id) order: on each side as many as a page can show, so that
 * changes further away do not affect the page.
 */
export const besideProduct = (sql: Sql, { of, category }: { of: string; category: string }) => {
  const shelf = sql.unsafe(`(coalesce(${of}.${category}, 0), ${of}.id)`);
  const side = (sign: number, than: string, order: string) => sql`
    (select o.*, coalesce(o.category_id, 0) as shelf, ${sign}::int as side from product o
     where o.merchant_id = ${sql(of)}.merchant_id
       and (coalesce(o.category_id, 0), o.id) ${sql.unsafe(than)} ${shelf}
     order by coalesce(o.category_id, 0) ${sql.unsafe(order)}, o.id ${sql.unsafe(order)}
     limit ${RELATED})`;
  return sql`${side(1, '>', 'asc')} union all ${side(-1, '<', 'desc')}`;
};

/** An offer's neighbours by id among public offers of its merchant, or of none. */
export const besideOffer = (sql: Sql, of: string) => {
  const side = (sign: number, than: string, order: string) => sql`
    (select near.*, ${sign}::int as side from offer near
     where coalesce(near.merchant_id, 0) = coalesce(${sql(of)}.merchant_id, 0)
       and near.id ${sql.unsafe(than)} ${sql(of)}.id and is_public(near, now())
     order by near.id ${sql.unsafe(order)} limit ${RELATED})`;
  return sql`${side(1, '>', 'asc')} union all ${side(-1, '<', 'desc')}`;
};

/** JSON with a member for every field of T, each an expression over our own columns. */
const jsonOf = <T>(members: { [F in keyof T]-?: string }) =>
  `json_build_object(${Object.entries(members)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(', ')})`;

/** JSON of a product `p` with its merchant and its category `c`, as shown on pages. */
export const productRecord = (sql: Sql, merchant = 'm') =>
  sql.unsafe(
    jsonOf<Omit<Product, 'updatedAt'>>({
      id: 'p.id',
      name: 'p.name',
      description: 'p.description',
      brand: 'p.brand',
      category: namedIf('c'),
      merchant: `json_build_object('id', ${merchant}.id, 'name', ${merchant}.name)`,
      price: money(PRODUCT_PRICE),
      listPrice: money(LIST_PRICE),
      inStock: 'p.in_stock',
      media: 'p.media',
    }),
  );

/** JSON of an offer `o` with its merchant `m` and its product `p`, as shown on pages. */
export const offerRecord = (sql: Sql) =>
  sql.unsafe(
    jsonOf<Omit<Offer, 'updatedAt' | 'qualityScore'>>({
      id: 'o.id',
      title: 'o.title',
      description: 'o.description',
      aiCategory: 'o.ai_category',
      enrichedCopy: 'o.enriched_copy',
      merchant: namedIf('m'),
      product: namedIf('p'),
      price: money(OFFER_PRICE),
      hasOwnPrice: 'o.price_amount is not null',
      productPrice: money(PRODUCT_PRICE),
      media: 'o.media',
      validFrom: instantText('o.valid_from'),
      validUntil: instantText('o.valid_until'),
    }),
  );

/** JSON of a product card. */
export const productCard = (sql: Sql, of: string) => {
  const price = money({ amount: `${of}.price_amount`, currency: `${of}.price_currency` });
  return sql`
  json_build_object('id', ${sql(of)}.id, 'title', ${sql(of)}.name, 'price', ${sql.unsafe(price)},
    'picture', ${sql.unsafe(firstPicture(`${of}.media`))})`;
};

/** JSON of the card of an offer `o` with its product `p`. */
export const offerCard = (sql: Sql) => sql`
  json_build_object('id', o.id, 'title', o.title, 'price', ${sql.unsafe(money(OWN_PRICE))},
    'product', case when p.id is not null
      then json_build_object('name', p.name, 'price', ${sql.unsafe(money(PRODUCT_PRICE))}) end,
    'category', o.ai_category, 'merchantId', o.merchant_id, 'picture', ${offerPicture(sql)})`;

/** The first picture of an offer `o`, else of its product `p`. */
export const offerPicture = (sql: Sql) =>
  sql.unsafe(`coalesce(${firstPicture('o.media')}, ${firstPicture('p.media')})`);

/** The first picture of a product `p`. */
export const productPicture = (sql: Sql) => sql.unsafe(firstPicture('p.media'));

const firstPicture = (media: string) =>
  `jsonb_path_query_first(${media}, '$[*] ? (@.type == "image")')`;

/** A timestamp in the format of JavaScript's toISOString. */
export const instant = (sql: Sql, column: string) => sql.unsafe(instantText(column));

const instantText = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const namedIf = (of: string) =>
  `case when ${of}.id is not null then json_build_object('id', ${of}.id, 'name', ${of}.name) end`;

const money = ({ amount, currency }: PriceColumns) =>
  `case when ${amount} is not null and ${currency} is not null
    then json_build_object('amount', ${amount}, 'currency', ${currency}) end`;
