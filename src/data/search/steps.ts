import { type KnownGroup, keysFrom } from './plan.ts';

/** Groups beyond these many heaviest ones order candidates, but are not looked for together. */
export const GROUPS_TOGETHER = 3;
/** A group's records in three sizes: those that match it as well as any, well, and at all. */
const TIERS = [1, 0.5, 0];

/** Lists of keys, and the intersections of lists that are tried for candidates, best match first. */
export type Steps = {
  lists: number[][];
  steps: number[][];
  /** A record in all of these matches everything well. */
  full: number[];
};

/** Everything, in the order of the static rank. */
export const everythingStep = (keys: number[]): Steps => ({
  lists: [keys],
  steps: [[1]],
  full: [1],
});

/**
 * Which lists to intersect, in the order of the score that being in all of them guarantees; the last
 * ones take in whatever matches anything. Lists are numbered from 1.
 *
 * Records that cannot weigh `worth` are left out where the index tells: no step brings a record more than
 * that of the best tier that it has of each group. Without this bound, a word in the text of all records
 * that is too little for a result had every record scored. A tier is cut for it, which costs the walk a list
 * more, only where that leaves out at least `many` records.
 */
export function makeSteps(groups: KnownGroup[], worth = 0, many = 0): Steps {
  const lists: number[][] = [];
  const aim = { worth, many, lists };
  const together = groups.slice(0, GROUPS_TOGETHER).map(tiersOf);
  const rest = groups.slice(GROUPS_TOGETHER);
  const restMost = rest.reduce((sum, group) => sum + group.weight * group.most, 0);
  const steps = combine(together)
    .filter((tiers) => tiers.length > 0)
    .flatMap((tiers) => makeStep(tiers, restMost, aim))
    .sort((a, b) => b.least - a.least || b.members.length - a.members.length);
  const last = rest.flatMap((group) => {
    const any = { group, from: 0, most: group.most };
    return makeStep([any], restMost - group.weight * group.most, aim);
  });
  const full = together.map((tiers) => {
    const well = tiers[1] ?? tiers[0];
    return well === undefined ? 1 : listOf(keysFrom(well.group, well.from).keys, lists);
  });
  return { lists, steps: [...steps, ...last].map(({ members }) => members), full };
}

/** The best match alone. */
export function bestStep(groups: KnownGroup[]): Steps {
  const { lists, steps, full } = makeSteps(groups);
  const best = (steps[0] ?? full).map((list) => lists[list - 1] ?? []);
  const all = best.map((_, place) => place + 1);
  return { lists: best, steps: [all], full: all };
}

/** About how many records weigh `worth`: those of its largest step, if its lists lie in one another. */
export function recordsWorth(groups: KnownGroup[], worth: number): number {
  const { lists, steps } = makeSteps(groups, worth);
  const postings = new Map(groups.flatMap((group) => group.postings.map((one) => [one.key, one])));
  const sizes = lists.map((keys) =>
    keys.reduce((sum, key) => sum + (postings.get(key)?.records ?? 0), 0),
  );
  return Math.max(0, ...steps.map((step) => Math.min(...step.map((list) => sizes[list - 1] ?? 0))));
}

/** The records that a group has at least the impact `from` on; in no better tier, `most` at most. */
type Tier = { group: KnownGroup; from: number; most: number };

function tiersOf(group: KnownGroup): Tier[] {
  const tiers: Tier[] = [];
  let size = 0;
  let better = Number.POSITIVE_INFINITY;
  for (const share of TIERS) {
    const from = share * group.most;
    const { keys } = keysFrom(group, from);
    const records = recordsAt(group, keys);
    const below = group.postings.filter(({ impact }) => impact < better);
    better = from;
    // The same records as before are no tier of their own.
    if (records === size) continue;
    size = records;
    tiers.push({ group, from, most: Math.max(...below.map(({ impact }) => impact)) });
  }
  return tiers;
}

/** All ways to take one tier or none of each group. */
function combine(together: Tier[][]): Tier[][] {
  return together.reduce<Tier[][]>(
    (all, tiers) => all.flatMap((chosen) => [chosen, ...tiers.map((tier) => [...chosen, tier])]),
    [[]],
  );
}

type Aim = { worth: number; many: number; lists: number[][] };

/** A step over tiers, each cut to what the others and `beside` leave open of `worth`; none if all of it. */
function makeStep(tiers: Tier[], beside: number, { worth, many, lists }: Aim) {
  const most = tiers.reduce((sum, tier) => sum + tier.group.weight * tier.most, beside);
  if (most < worth) return [];
  const members = new Set<number>();
  let least = 0;
  for (const { group, from, most: own } of tiers) {
    const open = own - (most - worth) / group.weight;
    const all = keysFrom(group, from);
    const cut = keysFrom(group, Math.max(from, open));
    const chosen = recordsAt(group, all.keys) - recordsAt(group, cut.keys) >= many ? cut : all;
    members.add(listOf(chosen.keys, lists));
    least += chosen.least * group.weight;
  }
  return [{ members: [...members], least }];
}

const recordsAt = ({ postings }: KnownGroup, keys: number[]) =>
  postings.reduce((sum, { key, records }) => (keys.includes(key) ? sum + records : sum), 0);

/** The number of a list of keys. */
function listOf(keys: number[], lists: number[][]): number {
  const place = lists.findIndex((list) => list.join() === keys.join());
  return place < 0 ? lists.push(keys) : place + 1;
}
