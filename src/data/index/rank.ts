import type { Hit, Store } from '../../domain/catalog.ts';
import { placeKey } from '../../domain/places.ts';
import { LOSS } from '../../domain/relevance.ts';
import type { SearchPlan } from '../../domain/search.ts';
import {
  OFFER_PRICE,
  offerColumns,
  PRODUCT_PRICE,
  type PriceColumns,
  productColumns,
} from '../catalog/records.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { distanceFrom } from './circles.ts';
import { KINDS } from './format.ts';
import type { Candidates, Retrieval } from './retrieve.ts';
import { type Cut, coverageColumn, ranking } from './score.ts';
import type { Slot } from './slots.ts';

/** A ranked result, besides the columns of its record. */
export type RankedRow = {
  number: number;
  relevance: number;
  covered: boolean;
  score: number;
  /** Indexes of the slots that the record matches at all, and of those that it fully covers. */
  coverage: { any: number[]; full: number[] };
  store: (Store & { distance: number | null }) | null;
};

/** Ordered results, and an upper bound on the match score of records left out. */
export type Ranked<Row> = { rows: (Row & RankedRow)[]; bound: number };

/** The most records with exactly the queried title; more are never shown. */
const MOST_NAMESAKES = 1000;

/** Checks candidates against all constraints, scores them and returns the best in order. */
export async function rankProducts<Row>(
  sql: Sql,
  retrieval: Retrieval,
  candidates: Candidates,
  cut: Cut,
): Promise<Ranked<Row>> {
  const { plan } = retrieval;
  const rows = await sql<RawRow<Row>[]>`
    with walk as materialized (${withNamesake(sql, retrieval, candidates)}),
    candidate as materialized (
      select record.number, record.keys, record.name, p.id, located.distance, located.preferred, 1::float8 as quality,
        p.price_amount, ${keepsTo(sql, wantedPrice(plan), PRODUCT_PRICE)} as affordable,
        ${isOfPreferred(sql, plan, sql`p.merchant_id`)} as is_preferred_merchant
      from walk cross join unnest(walk.numbers) as taken (number)
      join search_record record on record.kind = ${KINDS.product} and record.number = taken.number
      join product p on p.id = record.id
      ${nearestStore(sql, plan, sql`p.merchant_id`, cut)}
      where (${!isLocated(plan)} or located.found) and ${keepsTo(sql, allowedPrice(plan), PRODUCT_PRICE)}
        and (${!plan.inStockOnly} or p.in_stock)
        and (${ids(plan.categoryIds)}::text is null
          or p.category_id = any(${ids(plan.categoryIds)}::text::bigint[]))
        and (${ids(plan.merchantIds)}::text is null
          or p.merchant_id = any(${ids(plan.merchantIds)}::text::bigint[]))
    ),
    ${ranking(sql, retrieval, cut)}
    select walk.bound, best.position, best.number, best.relevance, best.covered, best.score,
      ${coverageColumn(sql, retrieval)}, ${storeColumn(sql, plan, sql`p.merchant_id`)}, ${productColumns(sql)}
    from walk left join best on true
    left join product p on p.id = best.id
    left join merchant m on m.id = p.merchant_id
    left join category c on c.id = p.category_id
    order by best.position`;
  return toRanked(rows);
}

/** The same for public offers; one without merchant is valid everywhere. */
export async function rankOffers<Row>(
  sql: Sql,
  retrieval: Retrieval,
  candidates: Candidates,
  cut: Cut,
): Promise<Ranked<Row>> {
  const { plan } = retrieval;
  const rows = await sql<RawRow<Row>[]>`
    with walk as materialized (${withNamesake(sql, retrieval, candidates)}),
    candidate as materialized (
      select record.number, record.keys, record.name, o.id, located.distance, located.preferred,
        1 - ${LOSS.quality}::float8 * (1 - o.quality_score) as quality,
        ${sql.unsafe(OFFER_PRICE.amount)} as price_amount,
        ${keepsTo(sql, wantedPrice(plan), OFFER_PRICE)} as affordable,
        ${isOfPreferred(sql, plan, sql`o.merchant_id`)} as is_preferred_merchant
      from walk cross join unnest(walk.numbers) as taken (number)
      join search_record record on record.kind = ${KINDS.offer} and record.number = taken.number
      join offer o on o.id = record.id
      left join product p on p.id = o.product_id
      ${nearestStore(sql, plan, sql`o.merchant_id`, cut)}
      where is_public(o, now())
        and (${!isLocated(plan)} or located.found or o.merchant_id is null)
        and ${keepsTo(sql, allowedPrice(plan), OFFER_PRICE)}
        and (${ids(plan.categoryIds)}::text is null
          or p.category_id = any(${ids(plan.categoryIds)}::text::bigint[])
          or o.ai_category_key = any(${arrayText(plan.aiCategoryKeys)}::text::text[]))
        and (${ids(plan.merchantIds)}::text is null
          or o.merchant_id = any(${ids(plan.merchantIds)}::text::bigint[]))
    ),
    ${ranking(sql, retrieval, cut)}
    select walk.bound, best.position, best.number, best.relevance, best.covered, best.score,
      ${coverageColumn(sql, retrieval)}, ${storeColumn(sql, plan, sql`o.merchant_id`)}, ${offerColumns(sql)}
    from walk left join best on true
    left join offer o on o.id = best.id
    left join merchant m on m.id = o.merchant_id
    left join product p on p.id = o.product_id
    order by best.position`;
  return toRanked(rows);
}

type RawRow<Row> = { bound: number; position: number | null } & RankedRow & Row;

function toRanked<Row>(rows: RawRow<Row>[]): Ranked<Row> {
  return {
    rows: rows.filter(({ position }) => position !== null),
    bound: rows[0]?.bound ?? 0,
  };
}

/** Adds the records whose title equals the whole query (known-item search). */
function withNamesake(sql: Sql, { kind, plan }: Retrieval, candidates: Candidates): Candidates {
  if (plan.title === null) return candidates;
  return sql`
    select best.numbers | array(
      select number from search_record
      where kind = ${KINDS[kind]} and name = hashtextextended(${plan.title}, 0) limit ${MOST_NAMESAKES}
    ) as numbers, best.bound
    from (${candidates}) best`;
}

/** Builds a hit from a record and its ranking. */
export function toHit<T>(
  record: T,
  row: RankedRow,
  { clauses }: SearchPlan,
  slots: Slot[],
): Hit<T> {
  const { store, coverage } = row;
  const labels = (isWanted: (own: number[]) => boolean) =>
    clauses.flatMap(({ label }, clause) => {
      const own = slots.flatMap((slot, index) =>
        slot.clause === clause && slot.isRequired ? [index] : [],
      );
      return own.length > 0 && isWanted(own) ? [label] : [];
    });
  const hasAny = (own: number[]) => own.some((index) => coverage.any.includes(index));
  const hasAll = (own: number[]) => own.every((index) => coverage.full.includes(index));
  return {
    record,
    match: row.covered ? 'exact' : 'partial',
    score: row.score,
    missing: row.covered ? [] : labels((own) => !hasAny(own)),
    loose: row.covered ? [] : labels((own) => hasAny(own) && !hasAll(own)),
    nearestStore: store === null ? null : { ...store, distanceMeters: store.distance },
  };
}

function isLocated(plan: SearchPlan): boolean {
  return plan.city !== null || plan.district !== null || plan.near !== null;
}

function ids(list: number[] | null): string | null {
  return list === null ? null : arrayText(list);
}

/** Joins a merchant's nearest store that meets the location constraint; only needed if there is one. */
function nearestStore(
  sql: Sql,
  plan: SearchPlan,
  merchant: ReturnType<Sql>,
  { radiusMeters }: Cut,
) {
  if (!isLocated(plan)) {
    return sql`cross join (
      select false as found, null::float8 as distance, false as preferred) located`;
  }
  const radius = radiusMeters ?? plan.near?.radiusMeters ?? null;
  return sql`
    left join lateral (
      select true as found, distance, preferred from (${stores(sql, plan, merchant)}) s
      where (${radius}::float8 is null or distance <= ${radius}::float8)
      order by distance nulls last, preferred desc, id limit 1
    ) located on true`;
}

function storeColumn(sql: Sql, plan: SearchPlan, merchant: ReturnType<Sql>) {
  return sql`(
    select json_build_object(
      'id', id, 'name', name, 'address', address, 'district', district, 'city', city,
      'state', state, 'latitude', latitude, 'longitude', longitude, 'distance', distance)
    from (${stores(sql, plan, merchant)}) s
    order by distance nulls last, preferred desc, id limit 1
  ) as store`;
}

/** Selects a merchant's stores in the city and district, with their distance. */
function stores(sql: Sql, plan: SearchPlan, merchant: ReturnType<Sql>) {
  const { city, district, near } = plan;
  return sql`
    select s.*, ${distanceFrom(sql, near)} as distance,
      ${isPreferred(sql, plan)} as preferred
    from store s
    where s.merchant_id = ${merchant}
      and (${city === null} or s.city_key = ${placeKey(city ?? '')})
      and (${district === null} or s.district_key = ${placeKey(district ?? '')})`;
}

/** Whether a store is in the preferred district or circle. */
function isPreferred(sql: Sql, { preferredDistrict, preferredNear }: SearchPlan) {
  if (preferredNear === null) {
    return sql`${preferredDistrict !== null} and s.district_key = ${placeKey(preferredDistrict ?? '')}`;
  }
  return sql`coalesce(${distanceFrom(sql, preferredNear)} <= ${preferredNear.radiusMeters}, false)`;
}

/** Whether a record belongs to a preferred merchant. */
const isOfPreferred = (
  sql: Sql,
  { preferredMerchantIds }: SearchPlan,
  merchant: ReturnType<Sql>,
) =>
  preferredMerchantIds === null
    ? sql`false`
    : sql`coalesce(${merchant} = any(${arrayText(preferredMerchantIds)}::text::bigint[]), false)`;

const allowedPrice = ({ minPrice: min, maxPrice: max }: SearchPlan): PriceRange => ({ min, max });
const wantedPrice = ({ preferredPrice }: SearchPlan): PriceRange =>
  preferredPrice ?? { min: null, max: null };

type PriceRange = NonNullable<SearchPlan['preferredPrice']>;

/** Whether a price lies in a range in minor units of BRL; always true for an unbounded range. */
function keepsTo(sql: Sql, { min, max }: PriceRange, columns: PriceColumns) {
  if (min === null && max === null) return sql`true`;
  const [amount, currency] = [sql.unsafe(columns.amount), sql.unsafe(columns.currency)];
  return sql`coalesce(${currency} = 'BRL'
    and ${amount} between ${min ?? 0} and ${max ?? Number.MAX_SAFE_INTEGER}, false)`;
}
