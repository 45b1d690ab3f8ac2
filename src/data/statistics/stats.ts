import type { ItemViews, MerchantActivity, ProductStats } from '../../domain/stats.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';

/** Reads the all-time counts of products; ids without views are absent. */
export async function readProductStats(
  sql: Sql,
  productIds: number[],
): Promise<Map<number, ProductStats>> {
  const rows = await sql<ProductStats[]>`
    select product_id as "productId", views as "viewsCount", likes as "likesCount",
      dislikes as "dislikesCount"
    from product_total where product_id = any(${arrayText(productIds)}::text::bigint[])`;
  return new Map(rows.map((row) => [row.productId, { ...row }]));
}

type MerchantRow = {
  name: string | null;
  /** Items by column: a large merchant has thousands, and rows would take twice as long. */
  offer: boolean[] | null;
  id: number[] | null;
  user: number[] | null;
  agent: number[] | null;
  itemName: string[] | null;
  baseline: MerchantActivity['baseline'];
};

/**
 * Reads a merchant's views in [now - 24 h, now), exact to the event, and its baseline: the latest daily snapshot
 * strictly before `now` (zeros if it lacks the merchant). `now` defaults to the database's clock, which stamps the
 * events.
 */
export async function readMerchantActivity(
  sql: Sql,
  merchantId: number,
  now: Date | null = null,
): Promise<MerchantActivity> {
  const [row] = await sql<MerchantRow[]>`
    with clock as materialized (
      select coalesce(${now?.toISOString() ?? null}::text::timestamptz, now()) as now
    )
    select
      (select name from merchant where id = ${merchantId}) as name,
      viewed.*,
      (
        select json_build_object(
          'date', to_char(run.taken_at at time zone 'Europe/Moscow', 'YYYY-MM-DD'),
          'productUser', coalesce(s.product_user, 0),
          'productAgent', coalesce(s.product_agent, 0),
          'offerUser', coalesce(s.offer_user, 0)
        )
        from (
          select taken_at from snapshot_run, clock
          where taken_at < clock.now order by taken_at desc limit 1
        ) run
        left join merchant_snapshot s on s.taken_at = run.taken_at and s.merchant_id = ${merchantId}
      ) as baseline
    from (
      select json_agg(v.is_offer) as offer, json_agg(v.item_id) as id, json_agg(v.by_user) as "user",
        json_agg(v.by_agent) as agent, json_agg(coalesce(p.name, o.title, '')) as "itemName"
      from clock cross join merchant_views(${merchantId}, clock.now) v
      left join product p on not v.is_offer and p.id = v.item_id
      -- Only items that have been public are named; expired offers keep their names.
      left join offer o on v.is_offer and o.id = v.item_id and o.status = 'active'
        and not o.app_only_top and (o.valid_from is null or o.valid_from <= clock.now)
    ) viewed`;
  return {
    merchantName: row?.name ?? '',
    items: row === undefined ? [] : itemsOf(row),
    baseline: row?.baseline ?? null,
  };
}

function itemsOf({ offer, id, user, agent, itemName }: MerchantRow): ItemViews[] {
  return (id ?? []).map((itemId, at) => ({
    kind: offer?.[at] ? 'offer' : 'product',
    id: itemId,
    name: itemName?.[at] ?? '',
    user: user?.[at] ?? 0,
    agent: agent?.[at] ?? 0,
  }));
}
