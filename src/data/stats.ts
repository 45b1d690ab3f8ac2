import type { ItemViews, MerchantActivity, ProductStats } from '../domain/stats.ts';
import type { Sql } from './client.ts';

/** Reads the all-time counts of products; an id that nobody has viewed is absent. */
export async function readProductStats(
  sql: Sql,
  productIds: number[],
): Promise<Map<number, ProductStats>> {
  const rows = await sql<ProductStats[]>`
    select product_id as "productId", views as "viewsCount", likes as "likesCount",
      dislikes as "dislikesCount"
    from product_total where product_id = any(${`{${productIds.join(',')}}`}::text::bigint[])`;
  return new Map(rows.map((row) => [row.productId, { ...row }]));
}

type MerchantRow = {
  name: string | null;
  /** Arrays, because a large merchant has thousands of these. */
  items: [kind: ItemViews['kind'], id: number, user: number, agent: number, name: string][] | null;
  baseline: MerchantActivity['baseline'];
};

/**
 * Reads the views of one merchant in [now - 24 h, now), exact to the event, and its baseline: the
 * latest daily snapshot taken strictly before `now` (zeros when the merchant is absent from it).
 * `now` defaults to the database's clock, the one that stamps the events.
 */
export async function readMerchantActivity(
  sql: Sql,
  merchantId: number,
  now: Date | null = null,
): Promise<MerchantActivity> {
  const [row] = await sql<MerchantRow[]>`
    with clock as materialized (
      select coalesce(${now?.toISOString() ?? null}::text::timestamptz, now()) as now
    ), viewed as (
      select case when v.metric = 3 then 'offer' else 'product' end as kind, v.item_id,
        coalesce(sum(v.views) filter (where v.metric <> 2), 0) as by_user,
        coalesce(sum(v.views) filter (where v.metric = 2), 0) as by_agent
      from clock, merchant_views(${merchantId}, clock.now) v
      group by 1, 2
    )
    select
      (select name from merchant where id = ${merchantId}) as name,
      (
        select json_agg(json_build_array(
          v.kind, v.item_id, v.by_user, v.by_agent, coalesce(p.name, o.title, '')
        ))
        from viewed v
        left join product p on v.kind = 'product' and p.id = v.item_id
        left join offer o on v.kind = 'offer' and o.id = v.item_id
      ) as items,
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
      ) as baseline`;
  return {
    merchantName: row?.name ?? '',
    items: (row?.items ?? []).map(([kind, id, user, agent, name]) => ({
      kind,
      id,
      user,
      agent,
      name,
    })),
    baseline: row?.baseline ?? null,
  };
}
