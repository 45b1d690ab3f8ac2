import { type SearchPlan, SOFT_WEIGHT } from '../../domain/search.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import type { Retrieval } from './candidates.ts';
import { RANK_SHIFT } from './keys.ts';
import { FACTORS } from './plan.ts';
import { keyOf, LEVELS } from './tokens.ts';

/** Only an alternative that stands for its group about as well as its name makes a full match. */
const FULL_ALTERNATIVE = 0.6;
/** A record is a result from this share of the wanted weight on… */
export const LEAST_RELEVANCE = 0.2;
/** …and of the best result's relevance, so that a mention in passing does not trail behind good hits. */
export const LEAST_SHARE_OF_BEST = 0.35;
/** How much the distance may move a result by relevance, at most. */
const DISTANCE_SHARE = 0.15;
/** The same when the query asks for something near. */
const NEARBY_SHARE = 0.4;
/** How much a result loses that is not in the district that the query speaks of. */
const ELSEWHERE_SHARE = 0.2;
/** How much a result loses that does not keep to the price that the query speaks of. */
const BEYOND_PRICE_SHARE = 0.25;
/** How much the price may move a result, at most, when the query asks for something cheap. */
const CHEAP_SHARE = 0.3;
/** What orders records of one score, before their age: the static rank. */
const RANK = `number >> ${RANK_SHIFT}`;

/** What cuts the results, where it is not the usual share of the best one's relevance. */
export type Cut = {
  share?: number | undefined;
  relevance?: number;
  radiusMeters?: number;
  /** Scored by the match alone. */
  byMatch?: boolean;
};

/**
 * The most that a product can score which is not in the preferred part: further away than the radius of its
 * circle, or not of the district or the price that the query speaks of.
 */
export function mostElsewhere({ plan, groups }: Retrieval, preferred: Retrieval): number {
  const wanted = plan.groups.reduce((sum, group) => sum + group.weight, 0);
  const reach = groups.reduce((sum, group) => sum + group.weight * group.most, 0) / wanted;
  const radiusShare = (preferred.plan.near?.radiusMeters ?? 0) / (plan.near?.radiusMeters ?? 1);
  const losses = [
    ...(plan.preferredDistrict === null ? [] : [ELSEWHERE_SHARE]),
    ...(plan.preferredPrice === null ? [] : [BEYOND_PRICE_SHARE]),
    ...(plan.near === null ? [] : [distanceShare(plan) * radiusShare]),
  ];
  return reach * (1 - Math.min(...losses));
}

const distanceShare = ({ nearby }: SearchPlan) => (nearby ? NEARBY_SHARE : DISTANCE_SHARE);

/** From `candidate` to `best`: scored by coverage of the groups, cut to what is relevant, in order. */
export function ranking(sql: Sql, { plan, counts }: Retrieval, cut: Cut) {
  const least =
    cut.relevance !== undefined
      ? sql`${cut.relevance}::float8 - 1e-9`
      : sql`greatest(${LEAST_RELEVANCE}::float8,
          ${cut.share ?? LEAST_SHARE_OF_BEST}::float8 * (select max(relevance) from scored)) - 1e-9`;
  const radius = plan.near?.radiusMeters ?? null;
  const far = sql`case when ${radius === null} then 0
    else coalesce(${distanceShare(plan)}::float8 * distance / ${radius ?? 1}::float8, 0) end`;
  // The dearest of the results loses the whole share; what has no price, half of it.
  const dear = plan.cheap
    ? sql`${CHEAP_SHARE}::float8 * case when price_amount is null then 0.5
        else percent_rank() over (order by price_amount nulls last) end`
    : sql`0`;
  const elsewhere =
    plan.preferredDistrict === null
      ? sql`0`
      : sql`case when preferred then 0 else ${ELSEWHERE_SHARE}::float8 end`;
  const beyond =
    plan.preferredPrice === null
      ? sql`0`
      : sql`case when affordable then 0 else ${BEYOND_PRICE_SHARE}::float8 end`;
  const factors = cut.byMatch
    ? sql``
    : sql`* quality * (1 - ${far}) * (1 - ${dear}) * (1 - ${elsewhere}) * (1 - ${beyond})`;
  return sql`
    ${scored(sql, plan, counts)},
    relevant as (
      -- Rounded, so that equal scores are equal whatever the order they were summed in.
      select *, round(least(1, relevance ${factors})::numeric, 9)::float8 as score
      from scored where relevance >= ${least}
    ),
    best as (
      select *, row_number() over (order by ${order(sql, plan)}) as place
      from relevant
      order by place limit ${plan.limit}
    )`;
}

/** The sum over the groups of the best that a record has for each, as a share of what is wanted. */
function scored(sql: Sql, plan: SearchPlan, counts: Retrieval['counts']) {
  if (plan.groups.length === 0) {
    return sql`scored as (select *, 1::float8 as relevance, true as covered from candidate)`;
  }
  const wanted = wantedKeys(plan, counts);
  const total = plan.groups.reduce((sum, group) => sum + group.weight, 0);
  const required = plan.groups.filter((group) => group.weight > SOFT_WEIGHT).length;
  return sql`
    wanted as materialized (
      select * from unnest(
        ${arrayText(wanted.map(({ key }) => key))}::text::int[],
        ${arrayText(wanted.map(({ group }) => group))}::text::int[],
        ${arrayText(wanted.map(({ impact }) => impact))}::text::float8[],
        ${arrayText(wanted.map(({ full }) => full))}::text::boolean[]
      ) as wanted (key, "group", impact, "full")
    ),
    part as (
      select candidate.number, wanted."group", max(wanted.impact) as impact,
        bool_or(wanted."full") as "full"
      from candidate
      cross join lateral unnest(candidate.keys & ${distinctKeys(wanted)}::text::int[]) as own (key)
      join wanted on wanted.key = own.key
      group by candidate.number, wanted."group"
    ),
    coverage as (
      select number, sum(impact) / ${total}::float8 as relevance,
        count(*) filter (where "full") = ${required}::int as covered
      from part group by number
    ),
    scored as (
      select candidate.*, coverage.relevance, coverage.covered
      from candidate join coverage on coverage.number = candidate.number
    )`;
}

/** Of a result in `best`: the groups of the plan that it has at all, and those that it has in full. */
export function coverageColumn(sql: Sql, { plan, counts }: Retrieval) {
  if (plan.groups.length === 0) return sql`'{"any": [], "full": []}'::json as coverage`;
  return sql`(
    select json_build_object(
      'any', coalesce(json_agg(distinct wanted."group"), '[]'),
      'full', coalesce(json_agg(distinct wanted."group") filter (where wanted."full"), '[]'))
    from unnest(best.keys & ${distinctKeys(wantedKeys(plan, counts))}::text::int[]) as own (key)
    join wanted on wanted.key = own.key
  ) as coverage`;
}

const distinctKeys = (wanted: { key: number }[]) =>
  arrayText([...new Set(wanted.map(({ key }) => key))].sort((a, b) => a - b));

/** What each key brings to which group, and whether it makes a full match of that group. */
function wantedKeys(plan: SearchPlan, counts: Retrieval['counts']) {
  return plan.groups.flatMap((group, index) =>
    group.alternatives.flatMap(({ token, weight }) => {
      const known = counts.get(token);
      if (known === undefined) return [];
      return FACTORS.map(([level, factor]) => ({
        key: keyOf(known.id, level),
        group: index,
        impact: weight * factor * group.weight,
        full: group.weight > SOFT_WEIGHT && weight >= FULL_ALTERNATIVE && level !== LEVELS.anywhere,
      }));
    }),
  );
}

function order(sql: Sql, { sort }: SearchPlan) {
  const ties = sql`score desc, distance nulls last, ${sql.unsafe(RANK)}, updated_at desc, id`;
  if (sort === 'distance') return sql`distance nulls last, ${ties}`;
  if (sort === 'price_asc') return sql`price_amount nulls last, ${ties}`;
  if (sort === 'price_desc') return sql`price_amount desc nulls last, ${ties}`;
  return ties;
}
