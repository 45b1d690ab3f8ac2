import type { CatalogState, Store } from '../../domain/catalog.ts';
import type { Sql } from '../connection/client.ts';
import { readCatalogState } from './catalog.ts';
import { OFFER_PRICE, PRODUCT_PRICE, type PriceColumns } from './records.ts';

const LIST_PRICE = { amount: 'p.list_price_amount', currency: 'p.list_price_currency' };

/**
 * A product or offer as pages are made of it. `record` is the JSON of a Product or an Offer without what
 * pages do not show, `card` that of a card: Postgres writes both, and nobody reads most of them, so that
 * an export of 100,000 records takes a second and little memory.
 */
export type ExportedRecord = {
  id: number;
  merchantId: number | null;
  /** The product's category, or the product that the offer is about. */
  belongsTo: number | null;
  updatedAt: string;
  record: string;
  card: string;
};

/** A product of the export, and whether the showcase may hold it. */
export type ExportedProduct = ExportedRecord & { inStock: boolean };
/** An offer of the export, and what the home page chooses it by. */
export type ExportedOffer = ExportedRecord & { qualityScore: number };

/** Everything that the static half is made from, read at one instant. */
export type CatalogExport = CatalogState & {
  /** True while the catalog is the sample that a first start loads. */
  sample: boolean;
  products: ExportedProduct[];
  offers: ExportedOffer[];
  stores: (Store & { merchant_id: number })[];
  /** The next instant at which an offer enters or leaves the public index by itself. */
  nextBoundary: string | null;
};

/** What tells a publisher whether there is anything to do, in the database's own time. */
export async function readPublishState(
  sql: Sql,
): Promise<{ updatedAt: string | null; sample: boolean; now: string }> {
  const [row] = await sql<{ updated_at: Date | null; sample: boolean; now: Date }[]>`
    select updated_at, sample, now() as now from catalog_state`;
  if (row === undefined) throw new Error('catalog_state has no row');
  const { updated_at, sample, now } = row;
  return { updatedAt: updated_at?.toISOString() ?? null, sample, now: now.toISOString() };
}

/** Notes that the catalog is the sample, until a feed replaces it. */
export async function markSampleCatalog(sql: Sql): Promise<void> {
  await sql`update catalog_state set sample = true`;
}

/** Reads the whole public catalog in one consistent transaction. */
export async function exportCatalog(sql: Sql): Promise<CatalogExport> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const state = await readCatalogState(tx);
    const { sample } = await readPublishState(tx);
    const products = await readProducts(tx);
    const offers = await readOffers(tx);
    const stores = await tx<CatalogExport['stores']>`
      select id, merchant_id, name, address, district, city, state, latitude, longitude
      from store order by id`;
    const nextBoundary = await readNextBoundary(tx);
    return { ...state, sample, products, offers, stores: [...stores], nextBoundary };
  });
}

async function readProducts(sql: Sql): Promise<ExportedProduct[]> {
  const products: ExportedProduct[] = [];
  await sql<ExportedProduct[]>`
    select p.id, p.merchant_id as "merchantId", p.category_id as "belongsTo",
      ${instant(sql, 'p.updated_at')} as "updatedAt", p.in_stock as "inStock",
      json_build_object(
        'id', p.id, 'name', p.name, 'description', p.description, 'brand', p.brand,
        'category', case when c.id is not null
          then json_build_object('id', c.id, 'name', c.name) end,
        'merchant', json_build_object('id', m.id, 'name', m.name),
        'price', ${money(sql, PRODUCT_PRICE)}, 'listPrice', ${money(sql, LIST_PRICE)},
        'inStock', p.in_stock, 'media', p.media
      )::text as record,
      json_build_object(
        'id', p.id, 'title', p.name, 'price', ${money(sql, PRODUCT_PRICE)}, 'note', p.brand
      )::text as card
    from product p
    join merchant m on m.id = p.merchant_id
    left join category c on c.id = p.category_id
    order by p.id`.forEach((row) => {
    products.push(row);
  });
  return products;
}

async function readOffers(sql: Sql): Promise<ExportedOffer[]> {
  const offers: ExportedOffer[] = [];
  await sql<ExportedOffer[]>`
    select o.id, o.merchant_id as "merchantId", o.product_id as "belongsTo",
      ${instant(sql, 'o.updated_at')} as "updatedAt", o.quality_score as "qualityScore",
      json_build_object(
        'id', o.id, 'title', o.title, 'description', o.description, 'aiCategory', o.ai_category,
        'enrichedCopy', o.enriched_copy,
        'merchant', case when m.id is not null
          then json_build_object('id', m.id, 'name', m.name) end,
        'product', case when p.id is not null
          then json_build_object('id', p.id, 'name', p.name) end,
        'price', ${money(sql, OFFER_PRICE)}, 'media', o.media,
        'validFrom', ${instant(sql, 'o.valid_from')}, 'validUntil', ${instant(sql, 'o.valid_until')}
      )::text as record,
      json_build_object(
        'id', o.id, 'title', o.title, 'price', ${money(sql, OFFER_PRICE)}, 'note', coalesce(left(o.description, 200), o.ai_category)
      )::text as card
    from offer o
    left join merchant m on m.id = o.merchant_id
    left join product p on p.id = o.product_id
    where is_public(o, now())
    order by o.id`.forEach((row) => {
    offers.push(row);
  });
  return offers;
}

/** An instant as JavaScript writes it. */
const instant = (sql: Sql, column: string) =>
  sql.unsafe(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

const money = (sql: Sql, { amount, currency }: PriceColumns) =>
  sql.unsafe(
    `case when ${amount} is not null and ${currency} is not null
      then json_build_object('amount', ${amount}, 'currency', ${currency}) end`,
  );

async function readNextBoundary(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ boundary: Date | null }[]>`
    select least(
      (select min(valid_from) from offer
       where status = 'active' and not app_only_top and valid_from > now()),
      (select min(valid_until) from offer
       where status = 'active' and not app_only_top and valid_until > now())
    ) as boundary`;
  return row?.boundary?.toISOString() ?? null;
}
