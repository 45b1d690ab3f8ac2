import type { CatalogCounts, CatalogState, Offer, Product, Store } from '../domain/catalog.ts';
import type { Sql } from './client.ts';
import {
  type OfferRow,
  offerColumns,
  type ProductRow,
  productColumns,
  type StoreRow,
  toOffer,
  toProduct,
} from './records.ts';

/** Rows that an export takes from the database at a time. */
const CURSOR_ROWS = 1000;

/** The one query behind every document that states live counts. */
export async function readCatalogState(sql: Sql): Promise<CatalogState> {
  const [row] = await sql<(CatalogCounts & { updated_at: Date | null })[]>`
    select
      (select count(*) from product) as products,
      (select count(*) from product where in_stock) as products_in_stock,
      (select count(*) from offer o where is_public(o, now())) as offers,
      (select count(*) from merchant) as merchants,
      (select count(*) from store) as stores,
      (select count(distinct city_key) from store) as cities,
      (select count(distinct (city_key, district_key)) from store) as districts,
      (select count(*) from category) as categories,
      updated_at
    from catalog_state`;
  if (row === undefined) throw new Error('catalog_state has no row');
  const { updated_at, ...counts } = row;
  return { counts, updatedAt: updated_at?.toISOString() ?? null };
}

/** One product with the stores of its merchant; null when the catalog does not know the id. */
export async function readProduct(
  sql: Sql,
  id: number,
): Promise<{ product: Product; stores: Store[] } | null> {
  const [row] = await sql<(ProductRow & { stores: Store[] | null })[]>`
    select ${productColumns(sql)}, ${storesOf(sql)} as stores
    from product p
    join merchant m on m.id = p.merchant_id
    left join category c on c.id = p.category_id
    where p.id = ${id}`;
  return row === undefined ? null : { product: toProduct(row), stores: row.stores ?? [] };
}

/** One offer of the public index with the stores of its merchant; null for any other id. */
export async function readOffer(
  sql: Sql,
  id: number,
): Promise<{ offer: Offer; stores: Store[] } | null> {
  const [row] = await sql<(OfferRow & { stores: Store[] | null })[]>`
    select ${offerColumns(sql)}, ${storesOf(sql)} as stores
    from offer o
    left join merchant m on m.id = o.merchant_id
    left join product p on p.id = o.product_id
    where o.id = ${id} and is_public(o, now())`;
  return row === undefined ? null : { offer: toOffer(row), stores: row.stores ?? [] };
}

const storesOf = (sql: Sql) => sql`(
  select json_agg(json_build_object(
    'id', s.id, 'name', s.name, 'address', s.address, 'district', s.district, 'city', s.city,
    'state', s.state, 'latitude', s.latitude, 'longitude', s.longitude
  ) order by s.id)
  from store s where s.merchant_id = m.id
)`;

/** The positive ids of the catalog's products or offers, ascending. */
export async function listIds(sql: Sql, kind: 'product' | 'offer'): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id from ${sql(kind)} where id > 0 order by id`;
  return rows.map((row) => row.id);
}

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

/** How many offers left the public index since an instant because their time was over. */
export async function countLapsedOffers(sql: Sql, since: string): Promise<number> {
  const [row] = await sql<{ lapsed: number }[]>`
    select count(*) as lapsed from offer
    where status = 'active' and not app_only_top
      and valid_until > ${since}::text::timestamptz and valid_until <= now()`;
  return row?.lapsed ?? 0;
}

/** Notes that the catalog is the sample, until a feed replaces it. */
export async function markSampleCatalog(sql: Sql): Promise<void> {
  await sql`update catalog_state set sample = true`;
}

/** Everything that the static half is made from, read at one instant. */
export type CatalogExport = CatalogState & {
  /** True while the catalog is the sample that a first start loads. */
  sample: boolean;
  products: Product[];
  offers: Offer[];
  stores: StoreRow[];
  /** The next instant at which an offer enters or leaves the public index by itself. */
  nextBoundary: string | null;
};

/** Reads the whole public catalog in one consistent transaction. */
export async function exportCatalog(sql: Sql): Promise<CatalogExport> {
  return sql.begin('isolation level repeatable read read only', async (transaction) => {
    const tx = transaction as unknown as Sql;
    const state = await readCatalogState(tx);
    const { sample } = await readPublishState(tx);
    const products: Product[] = [];
    const offers: Offer[] = [];
    // Rows become records a thousand at a time: all rows beside all records would double the memory.
    await tx<ProductRow[]>`
      select ${productColumns(tx)}
      from product p
      join merchant m on m.id = p.merchant_id
      left join category c on c.id = p.category_id
      order by p.id`.cursor(CURSOR_ROWS, (rows) => void products.push(...rows.map(toProduct)));
    await tx<OfferRow[]>`
      select ${offerColumns(tx)}
      from offer o
      left join merchant m on m.id = o.merchant_id
      left join product p on p.id = o.product_id
      where is_public(o, now())
      order by o.id`.cursor(CURSOR_ROWS, (rows) => void offers.push(...rows.map(toOffer)));
    const stores = await tx<StoreRow[]>`
      select id, merchant_id, name, address, district, city, state, latitude, longitude
      from store order by id`;
    const nextBoundary = await readNextBoundary(tx);
    return { ...state, sample, products, offers, stores: [...stores], nextBoundary };
  });
}

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
