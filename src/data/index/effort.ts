import type { SearchPlan } from '../../domain/search.ts';
import type { Reach } from './retrieve.ts';

/** How much work a search may be. */
export type Effort = {
  /** How far it reaches; further at each next try, while what is left out may be better than what was found. */
  reaches: Reach[];
  /** How many candidates of at least some relevance are taken from the cheapest or dearest on. */
  priceDepths: number[];
  /** By what share a record left out may be better: an offer's number tells its quality in steps. */
  slack: number;
};

/** To score so many takes 0.1 s (two cores at rest; the deadline is 1 s)… */
const LAST_DEPTH = 20_000;
/** …and so many with coordinates: squares may hold a shop of thousands of products just outside the circle. */
const LAST_DEPTH_NEAR = 5_000;

/** The usual effort: a few times what is asked for at first. */
export function effortFor(plan: SearchPlan): Effort {
  const { limit } = plan;
  // A wish may put any of those first that match about as well.
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

/** A plan that is ordered by the match alone has these. */
export const NO_WISHES = {
  ...{ near: null, cheap: false },
  ...{ preferredDistrict: null, preferredNear: null, preferredPrice: null },
  preferredMerchantIds: null,
};

/** Whether more than the match and the static rank orders results: then the score of the rest tells little. */
export const hasWishes = ({ near, cheap, ...plan }: SearchPlan) =>
  cheap ||
  [
    near,
    plan.preferredDistrict,
    plan.preferredNear,
    plan.preferredPrice,
    plan.preferredMerchantIds,
  ].some((wish) => wish !== null);
