import { LEAST_RELEVANCE, LEAST_SHARE_OF_BEST, LOSS } from '../../domain/relevance.ts';
import type { SearchPlan } from '../../domain/search.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import type { Retrieval } from './retrieve.ts';
import { mostOf, totalOf } from './slots.ts';
import { wantedKeys } from './tiers.ts';

/** The cut-off of results, where it is not the default share of the best relevance. */
export type Cut = {
  relevance?: number;
  radiusMeters?: number;
  /** Score by the match alone. */
  byMatch?: boolean;
  /** Only records that are the wanted thing itself, not what goes with it. */
  isLed?: boolean;
};

/** How well a record matches, apart from preferences. */
export type Match = { relevance: number; covered: boolean };

/** Returns the best possible match. */
export function ceilingOf({ slots }: Retrieval): Match {
  return { relevance: slots.length === 0 ? 1 : mostOf(slots) / totalOf(slots), covered: true };
}

/**
 * Returns the least that a product outside the preferred part loses: one beyond the circle's radius, or not of the
 * preferred merchant, location or price.
 */
export function leastLoss(plan: SearchPlan, preferred: SearchPlan): number {
  const radiusShare = (preferred.near?.radiusMeters ?? 0) / (plan.near?.radiusMeters ?? 1);
  return Math.min(
    ...(speaksOfPlace(plan) ? [LOSS.elsewhere] : []),
    ...(plan.preferredPrice === null ? [] : [LOSS.beyondPrice]),
    ...(plan.preferredMerchantIds === null ? [] : [LOSS.otherMerchant]),
    ...(plan.near === null ? [] : [distanceLoss(plan) * radiusShare]),
  );
}

const speaksOfPlace = ({ preferredDistrict, preferredNear }: SearchPlan) =>
  preferredDistrict !== null || preferredNear !== null;
const distanceLoss = ({ nearby }: SearchPlan) => (nearby ? LOSS.nearby : LOSS.distance);

/** The CTEs from `candidate` to `best`: scores by slots, cuts off and orders. */
export function ranking(sql: Sql, retrieval: Retrieval, cut: Cut) {
  const { plan } = retrieval;
  const least =
    cut.relevance !== undefined
      ? sql`${cut.relevance}::float8 - 1e-9`
      : sql`greatest(${LEAST_RELEVANCE}::float8,
          ${LEAST_SHARE_OF_BEST}::float8 * (select max(relevance) from scored)) - 1e-9`;
  const radius = plan.near?.radiusMeters ?? null;
  const far = sql`case when ${radius === null} then 0
    else coalesce(${distanceLoss(plan)}::float8 * distance / ${radius ?? 1}::float8, 0) end`;
  // The dearest result loses the whole share, one without a price half of it.
  const dear = plan.cheap
    ? sql`${LOSS.dear}::float8 * case when price_amount is null then 0.5
        else percent_rank() over (order by price_amount nulls last) end`
    : sql`0`;
  const elsewhere = speaksOfPlace(plan)
    ? sql`case when preferred then 0 else ${LOSS.elsewhere}::float8 end`
    : sql`0`;
  const beyond =
    plan.preferredPrice === null
      ? sql`0`
      : sql`case when affordable then 0 else ${LOSS.beyondPrice}::float8 end`;
  const others =
    plan.preferredMerchantIds === null
      ? sql`0`
      : sql`case when is_preferred_merchant then 0 else ${LOSS.otherMerchant}::float8 end`;
  const factors = cut.byMatch
    ? sql``
    : sql`* quality * (1 - ${far}) * (1 - ${dear}) * (1 - ${elsewhere}) * (1 - ${beyond}) * (1 - ${others})`;
  return sql`
    ${scored(sql, retrieval)},
    relevant as (
      select *, search_score(relevance ${factors}, covered, 1) as score
      from scored where relevance >= ${least} and (led or ${cut.isLed !== true})
    ),
    best as (
      select *, row_number() over (order by ${order(sql, plan)}) as position
      from relevant
      order by position limit ${plan.limit}
    )`;
}

/** Sums each slot's best match in a record, as a share of the total weight. */
function scored(sql: Sql, { plan, slots }: Retrieval) {
  if (slots.length === 0) {
    return sql`scored as (select *, 1::float8 as relevance, true as covered, true as led, false as is_namesake
      from candidate)`;
  }
  const wanted = wantedKeys(slots);
  const required = requiredSlots(slots);
  const leading = required.filter((index) => plan.clauses[slots[index]?.clause ?? 0]?.leads);
  const isNamesake = sql`coalesce(candidate.name = hashtextextended(${plan.title}, 0), false)`;
  return sql`
    wanted as materialized (
      select * from unnest(
        ${arrayText(wanted.map(({ key }) => key))}::text::int[],
        ${arrayText(wanted.map(({ slot }) => slot))}::text::int[],
        ${arrayText(wanted.map(({ impact }) => impact))}::text::float8[],
        ${arrayText(wanted.map(({ isFull }) => isFull))}::text::boolean[]
      ) as wanted (key, slot, impact, is_full)
    ),
    part as (
      select candidate.number, wanted.slot, max(wanted.impact) as impact,
        bool_or(wanted.is_full) as is_full
      from candidate
      cross join lateral unnest(candidate.keys & ${distinctKeys(wanted)}::text::int[]) as own (key)
      join wanted on wanted.key = own.key
      group by candidate.number, wanted.slot
    ),
    coverage as (
      select number, sum(impact) / ${totalOf(slots)}::float8 as relevance,
        count(*) filter (where is_full and slot = any(${arrayText(required)}::text::int[]))
          = ${required.length}::int as covered,
        count(*) filter (where is_full and slot = any(${arrayText(leading)}::text::int[]))
          = ${leading.length}::int as led
      from part group by number
    ),
    scored as (
      select candidate.*,
        case when ${isNamesake} then 1 else least(1, coverage.relevance) end as relevance,
        coverage.covered or ${isNamesake} as covered, coverage.led, ${isNamesake} as is_namesake
      from candidate join coverage on coverage.number = candidate.number
    )`;
}

/** The slots that a result in `best` matches at all, and those that it fully covers. */
export function coverageColumn(sql: Sql, { slots }: Retrieval) {
  if (slots.length === 0) return sql`'{"any": [], "full": []}'::json as coverage`;
  return sql`(
    select json_build_object(
      'any', coalesce(json_agg(distinct wanted.slot), '[]'),
      'full', coalesce(json_agg(distinct wanted.slot) filter (where wanted.is_full), '[]'))
    from unnest(best.keys & ${distinctKeys(wantedKeys(slots))}::text::int[]) as own (key)
    join wanted on wanted.key = own.key
  ) as coverage`;
}

const distinctKeys = (wanted: { key: number }[]) =>
  arrayText([...new Set(wanted.map(({ key }) => key))].sort((a, b) => a - b));

const requiredSlots = (slots: Retrieval['slots']) =>
  slots.flatMap(({ isRequired }, index) => (isRequired ? [index] : []));

function order(sql: Sql, { sort }: SearchPlan) {
  const ties = sql`score desc, is_namesake desc, distance nulls last, number`;
  if (sort === 'distance') return sql`distance nulls last, ${ties}`;
  if (sort === 'price_asc') return sql`price_amount nulls last, ${ties}`;
  if (sort === 'price_desc') return sql`price_amount desc nulls last, ${ties}`;
  return ties;
}
