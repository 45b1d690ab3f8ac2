import type { Sql } from '../../src/data/connection/client.ts';
import { advanceWindow, sealDueHours } from '../../src/data/statistics/hours.ts';

/** Sizes of the load at scale 1: a mall of 20k merchants with 15M views a day. */
export type Load = {
  products: number;
  merchants: number;
  events: number;
  hotEvents: number;
  hotItems: number;
};

export const HOT_MERCHANT = 1;

/** The load at a scale; at 1: 1M products, 20k merchants, 15M views, one merchant with 1.5M of them. */
export function loadAt(scale: number): Load {
  return {
    products: Math.round(1_000_000 * scale),
    merchants: Math.round(20_000 * scale),
    events: Math.round(15_000_000 * scale),
    hotEvents: Math.round(1_500_000 * scale),
    hotItems: Math.round(5_000 * scale),
  };
}

/**
 * Fills an empty, migrated database with the load: 26 hours of events whose merchants follow a heavy
 * tail, in hour-sized steps so that progress can be told; then seals the hours.
 */
export async function generateLoad(
  sql: Sql,
  load: Load,
  tell: (step: string) => void,
): Promise<void> {
  await sql`select setseed(0.42)`;
  tell(`${load.merchants} merchants and totals of ${load.products} products`);
  await sql`
    insert into merchant (id, name, name_key)
    select id, 'Loja ' || id, 'loja ' || id from generate_series(1, ${load.merchants}::bigint) id`;
  await sql`
    insert into product_total (product_id, views, likes, dislikes)
    select id, (random() * 1000)::int, (random() * 90)::int, (random() * 10)::int
    from generate_series(1, ${load.products}::bigint) id`;
  const hours = 26;
  for (let back = hours; back >= 1; back -= 1) {
    const events = Math.round(load.events / 24);
    const hot = Math.round(load.hotEvents / 24);
    tell(`${events + hot} views, ${back} hours back`);
    await sql`
      insert into view_event (at, item_id, merchant_id, metric)
      select now() - ${back}::int * interval '1 hour' + random() * interval '1 hour',
        1 + (m * 37 + floor(power(random(), 2) * 50))::bigint % ${load.products}::bigint,
        m, case when random() < 0.7 then 1 when random() < 0.6 then 2 else 3 end
      from (
        select 2 + floor(power(random(), 3) * (${load.merchants} - 1))::bigint as m
        from generate_series(1, ${events - hot}::int)
      ) x`;
    await sql`
      insert into view_event (at, item_id, merchant_id, metric)
      select now() - ${back}::int * interval '1 hour' + random() * interval '1 hour',
        1 + floor(power(random(), 2) * ${load.hotItems})::bigint, ${HOT_MERCHANT}::bigint,
        case when random() < 0.7 then 1 when random() < 0.6 then 2 else 3 end
      from generate_series(1, ${hot}::int)`;
  }
  tell('sealing hours');
  await sealDueHours(sql);
  tell('vacuum');
  await advanceWindow(sql);
  await sql`vacuum analyze`;
}
