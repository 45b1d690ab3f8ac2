import type { PageIds, PageKind } from '../../domain/catalog.ts';
import type { Sql } from '../connection/client.ts';
import { besideOffer, besideProduct } from './pages.ts';

/** What a reader knows of the catalog: the version, its instant, and when it was read, all in the database's time. */
export type Known = { version: number; updatedAt: string | null; readAt: string };

/**
 * The ids of the pages that may show something else than at a version that is known: those of what was touched
 * since, of what shows it, and of offers that began or ended. Null when what happened since is not on record, or
 * when more than `most` records were touched.
 */
export async function readTouchedPages(
  sql: Sql,
  known: Known,
  most: number,
): Promise<PageIds | null> {
  const [state] = await sql<{ at: Date; touched: number }[]>`
    select at, (
      select count(*) from (
        select from catalog_touched where version > ${known.version}::bigint limit ${most + 1}
      ) touched
    ) as touched
    from catalog_version where version = ${known.version}::bigint`;
  if (state?.at.toISOString() !== known.updatedAt || state.touched > most) return null;
  const pages: PageIds = { offer: [], product: [] };
  const rows = await sql<{ kind: PageKind; id: number }[]>`
    with touched as materialized (
      select distinct kind, id, merchant_id, belongs_to from catalog_touched
      where version > ${known.version}::bigint
      union select 'offer', id, merchant_id, product_id from offer
      where status = 'active' and not app_only_top
        and valid_from > ${known.readAt}::text::timestamptz and valid_from <= now()
      union select 'offer', id, merchant_id, product_id from offer
      where status = 'active' and not app_only_top
        and valid_until > ${known.readAt}::text::timestamptz and valid_until <= now()
    ), merchants as materialized (
      select distinct merchant_id as id from touched where kind in ('merchant', 'store')
    ), products as materialized (
      -- Those whose own record may be another one.
      select id from touched where kind = 'product'
      union select id from product where merchant_id in (select id from merchants)
      union select id from product
      where category_id in (select id from touched where kind = 'category')
    ), offers as materialized (
      select id, merchant_id from touched where kind = 'offer'
      union select id, merchant_id from offer where product_id in (select id from products)
    )
    select 'product' as kind, id from products
    union select 'product', belongs_to from touched where kind = 'offer' and belongs_to is not null
    union select 'product', near.id
    from touched cross join lateral (
      ${besideProduct(sql, { of: 'touched', category: 'belongs_to' })}
    ) near where touched.kind = 'product'
    union select 'offer', id from offers
    union select 'offer', id from offer where merchant_id in (select id from merchants)
    union select 'offer', near.id from offers cross join lateral (${besideOffer(sql, 'offers')}) near`;
  for (const { kind, id } of rows) pages[kind].push(id);
  return pages;
}

/** How long ago the oldest change after a version was committed, in seconds; 0 when there is none. */
export async function readAgeBeyond(sql: Sql, version: number): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds
    from catalog_version where version > ${version}::bigint`;
  return row?.seconds ?? 0;
}

/** Forgets what nobody asks for any more: a publisher that was away for longer compares every page. */
export async function forgetOldVersions(sql: Sql): Promise<void> {
  await sql`
    with old as (
      delete from catalog_version
      where at < now() - interval '7 days' and version < (select version from catalog_state)
      returning version
    )
    delete from catalog_touched where version <= (select max(version) from old)`;
}
