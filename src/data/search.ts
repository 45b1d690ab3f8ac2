import type { Hit, Offer, Product, Store } from '../domain/catalog.ts';
import { placeKey } from '../domain/places.ts';
import { type SearchPlan, SOFT_WEIGHT } from '../domain/search.ts';
import type { Sql } from './client.ts';
import {
  type OfferRow,
  offerColumns,
  type ProductRow,
  productColumns,
  toOffer,
  toProduct,
} from './records.ts';

// How much a token counts by where the record has it: what its title is about, the rest of the title,
// description and categories.
const HEAD_FACTOR = 1;
const TITLE_FACTOR = 0.7;
const BODY_FACTOR = 0.3;
/** Only an alternative that stands for its group about as well as its name makes a full match. */
const FULL_ALTERNATIVE = 0.6;
/** A record is a result from this share of the wanted weight on… */
const LEAST_RELEVANCE = 0.2;
/** …and of the best result's relevance, so that a mention in passing does not trail behind good hits. */
const LEAST_SHARE_OF_BEST = 0.35;
/** Sorted by price or distance, only results about as good as the best one may take part. */
const LEAST_SHARE_WHEN_SORTED = 0.7;
/** How much the distance may move a result by relevance, at most. */
const DISTANCE_SHARE = 0.15;

type SearchRow = {
  relevance: number;
  covered: boolean;
  score: number;
  store: (Store & { distance: number | null }) | null;
};

/** Finds products, best first. */
export async function searchProducts(sql: Sql, plan: SearchPlan): Promise<Hit<Product>[]> {
  const rows = await sql<(SearchRow & ProductRow)[]>`
    with ${queryTables(sql, plan)},
    candidate as (
      select p.id, place.store, place.distance, 1::float8 as quality, p.price_amount
      from product p
      ${locatedJoin(sql, plan)} join place on place.merchant_id = p.merchant_id
      where ${commonFilters(sql, plan)}
        and (${!plan.inStockOnly} or p.in_stock)
        and (${ids(plan.categoryIds)}::text is null
          or p.category_id = any(${ids(plan.categoryIds)}::text::bigint[]))
        and (${ids(plan.merchantIds)}::text is null
          or p.merchant_id = any(${ids(plan.merchantIds)}::text::bigint[]))
    ),
    ${ranking(sql, plan, sql`product_search`)}
    select best.relevance, best.covered, best.score, best.store, ${productColumns(sql)}
    from best
    join product p on p.id = best.id
    join merchant m on m.id = p.merchant_id
    left join category c on c.id = p.category_id
    order by best.place`;
  return rows.map((row) => toHit(toProduct(row), row));
}

/** Finds offers of the public index, best first: by relevance and quality score together. */
export async function searchOffers(sql: Sql, plan: SearchPlan): Promise<Hit<Offer>[]> {
  const rows = await sql<(SearchRow & OfferRow)[]>`
    with ${queryTables(sql, plan)},
    candidate as (
      select o.id, place.store, place.distance, 0.75 + 0.25 * o.quality_score as quality,
        coalesce(o.price_amount, p.price_amount) as price_amount
      from offer o
      left join product p on p.id = o.product_id
      left join place on place.merchant_id = o.merchant_id
      where is_public(o, now())
        -- A payment offer without merchant is valid everywhere.
        and (o.merchant_id is null or place.merchant_id is not null or ${!isLocated(plan)})
        and ${offerPriceFilter(sql, plan)}
        and (${ids(plan.categoryIds)}::text is null
          or p.category_id = any(${ids(plan.categoryIds)}::text::bigint[])
          or o.ai_category_key = ${plan.aiCategoryKey})
        and (${ids(plan.merchantIds)}::text is null
          or o.merchant_id = any(${ids(plan.merchantIds)}::text::bigint[]))
    ),
    ${ranking(sql, plan, sql`offer_search`)}
    select best.relevance, best.covered, best.score, best.store, ${offerColumns(sql)}
    from best
    join offer o on o.id = best.id
    left join merchant m on m.id = o.merchant_id
    left join product p on p.id = o.product_id
    order by best.place`;
  return rows.map((row) => toHit(toOffer(row), row));
}

function isLocated(plan: SearchPlan): boolean {
  return plan.city !== null || plan.district !== null || plan.near !== null;
}

function locatedJoin(sql: Sql, plan: SearchPlan) {
  return isLocated(plan) ? sql`` : sql`left`;
}

function ids(list: number[] | null): string | null {
  return list === null ? null : `{${list.join(',')}}`;
}

/** `wanted`: the query's tokens; `place`: each merchant's nearest store that meets the location. */
function queryTables(sql: Sql, plan: SearchPlan) {
  const tokens = plan.groups.flatMap((group, index) =>
    group.alternatives.map(({ token, weight }) => ({
      group: index,
      token,
      weight: weight * group.weight,
      required: group.weight > SOFT_WEIGHT && weight >= FULL_ALTERNATIVE,
    })),
  );
  const { near } = plan;
  const latitude = near?.latitude ?? null;
  const longitude = near?.longitude ?? null;
  const radius = near?.radiusMeters ?? null;
  return sql`
    wanted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(tokens)}::text::jsonb)
        as token ("group" int, token text, weight float8, required boolean)
    ),
    located as materialized (
      select s.*, ${distance(sql)} as distance
      from store s, (
        select ${latitude}::float8 as latitude, ${longitude}::float8 as longitude
      ) as here
      where (${plan.city === null} or s.city_key = ${placeKey(plan.city ?? '')})
        and (${plan.district === null} or s.district_key = ${placeKey(plan.district ?? '')})
    ),
    place as materialized (
      select distinct on (merchant_id) merchant_id, distance, json_build_object(
        'id', id, 'name', name, 'address', address, 'district', district, 'city', city,
        'state', state, 'latitude', latitude, 'longitude', longitude, 'distance', distance
      ) as store
      from located
      where ${radius === null} or distance <= ${radius}::float8
      order by merchant_id, distance nulls last, id
    )`;
}

/**
 * Great-circle distance in metres from `here` to store `s` (haversine); null without coordinates,
 * which `least` alone would not give: it ignores nulls.
 */
function distance(sql: Sql) {
  return sql`
    case when here.latitude is not null and s.latitude is not null then
      2 * 6371008.8 * asin(least(1, sqrt(
        power(sin(radians(s.latitude - here.latitude) / 2), 2)
        + cos(radians(here.latitude)) * cos(radians(s.latitude))
          * power(sin(radians(s.longitude - here.longitude) / 2), 2)
      )))
    end`;
}

function commonFilters(sql: Sql, plan: SearchPlan) {
  const { minPrice, maxPrice } = plan;
  if (minPrice === null && maxPrice === null) return sql`true`;
  return sql`(p.price_currency = 'BRL'
    and p.price_amount >= ${minPrice ?? 0} and p.price_amount <= ${maxPrice ?? Number.MAX_SAFE_INTEGER})`;
}

/** An offer without a price of its own costs what its product costs. */
function offerPriceFilter(sql: Sql, plan: SearchPlan) {
  const { minPrice, maxPrice } = plan;
  if (minPrice === null && maxPrice === null) return sql`true`;
  return sql`(coalesce(o.price_currency, p.price_currency) = 'BRL'
    and coalesce(o.price_amount, p.price_amount)
      between ${minPrice ?? 0} and ${maxPrice ?? Number.MAX_SAFE_INTEGER})`;
}

/** From `candidate` to `best`: scored by coverage of the groups, cut to what is relevant, in order. */
function ranking(sql: Sql, plan: SearchPlan, index: ReturnType<Sql>) {
  const total = plan.groups.reduce((sum, group) => sum + group.weight, 0);
  const share = plan.sort === 'relevance' ? LEAST_SHARE_OF_BEST : LEAST_SHARE_WHEN_SORTED;
  const radius = plan.near?.radiusMeters ?? null;
  return sql`
    scored as (
      select candidate.*, coverage.relevance, coverage.covered
      from candidate ${coverage(sql, plan, total, index)}
    ),
    relevant as (
      select *, least(1, relevance * quality * (1 - case when ${radius === null} then 0 else
        ${DISTANCE_SHARE}::float8 * distance / ${radius ?? 1}::float8 end)) as score
      from scored
      where relevance >= greatest(${LEAST_RELEVANCE}::float8,
        ${share}::float8 * (select max(relevance) from scored))
    ),
    best as (
      select *, row_number() over (order by ${order(sql, plan)}) as place
      from relevant
      order by place limit ${plan.limit}
    )`;
}

function coverage(sql: Sql, plan: SearchPlan, total: number, index: ReturnType<Sql>) {
  if (plan.groups.length === 0) {
    return sql`cross join (select 1::float8 as relevance, true as covered) as coverage`;
  }
  const tokens = plan.groups.flatMap((group) => group.alternatives.map(({ token }) => token));
  const required = plan.groups.filter((group) => group.weight > SOFT_WEIGHT).length;
  return sql`
    join (
      select i.id, sum(part.best) / ${total}::float8 as relevance,
        count(*) filter (where part.near_title) = ${required} as covered
      from ${index} i
      cross join lateral (
        select max(w.weight * case when w.token = any(i.head) then ${HEAD_FACTOR}::float8
            when w.token = any(i.title) then ${TITLE_FACTOR}::float8
            else ${BODY_FACTOR}::float8 end) as best,
          bool_or(w.required and (w.token = any(i.head) or w.token = any(i.title))) as near_title
        from wanted w where w.token = any(i.tokens)
        group by w."group"
      ) as part
      where i.tokens && ${sql.array(tokens)}::text[]
      group by i.id
    ) as coverage on coverage.id = candidate.id`;
}

function order(sql: Sql, plan: SearchPlan) {
  if (plan.sort === 'distance') return sql`distance nulls last, score desc, id`;
  if (plan.sort === 'price_asc') return sql`price_amount nulls last, score desc, id`;
  if (plan.sort === 'price_desc') return sql`price_amount desc nulls last, score desc, id`;
  return sql`score desc, distance nulls last, id`;
}

function toHit<T>(record: T, row: SearchRow): Hit<T> {
  const { store } = row;
  return {
    record,
    match: row.covered ? 'exact' : 'partial',
    score: row.score,
    nearestStore: store === null ? null : { ...store, distanceMeters: store.distance },
  };
}
