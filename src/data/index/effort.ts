import type { SearchPlan } from '../../domain/search.ts';
import type { Reach } from './retrieve.ts';

/** The work that a search may cost. */
export type Effort = {
  /** Successive limits, tried while records left out might be better than those found. */
  reaches: Reach[];
  /** Successive numbers of candidates for a sort by price. */
  priceDepths: number[];
  /** Tolerance on the bound: an offer's number has its quality only in steps. */
  slack: number;
};

/** Scoring this many takes 0.1 s (two idle cores; the deadline is 1 s)… */
const LAST_DEPTH = 20_000;
/** …and this many with coordinates: squares may include a shop of thousands of products just outside the circle. */
const LAST_DEPTH_NEAR = 5_000;

/** Returns the default effort: at first a few times the limit. */
export function effortFor(plan: SearchPlan): Effort {
  const { limit } = plan;
  // With preferences, any equally good match may come first.
  const all = 20 * limit;
  const wanted = Math.max(10, 3 * limit);
  const first = hasWishes(plan)
    ? { wanted: all, depth: all, budget: all }
    : { wanted, depth: wanted, budget: all, skipsBroad: true };
  const last = plan.near === null ? LAST_DEPTH : LAST_DEPTH_NEAR;
  return {
    reaches: [
      first,
      { wanted: 500, depth: 500, budget: 3000 },
      { wanted: last, depth: last, budget: last },
    ],
    priceDepths: [60, 1000, LAST_DEPTH],
    slack: 0.003,
  };
}

/** Overrides for a plan ordered by the match alone. */
export const NO_WISHES = {
  ...{ near: null, cheap: false },
  ...{ preferredDistrict: null, preferredNear: null, preferredPrice: null },
  preferredMerchantIds: null,
};

/** Tells whether more than match and static rank orders the results, which makes the bound on the rest loose. */
export const hasWishes = ({ near, cheap, ...plan }: SearchPlan) =>
  cheap ||
  [
    near,
    plan.preferredDistrict,
    plan.preferredNear,
    plan.preferredPrice,
    plan.preferredMerchantIds,
  ].some((wish) => wish !== null);
