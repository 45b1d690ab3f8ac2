import { type KnownGroup, keysFrom, keysOfAny } from './plan.ts';

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
 */
export function makeSteps(groups: KnownGroup[]): Steps {
  const lists: number[][] = [];
  const together = groups.slice(0, GROUPS_TOGETHER).map((group) => tiersOf(group, lists));
  const steps = combine(together)
    .filter(({ members }) => members.length > 0)
    .sort((a, b) => b.least - a.least || b.members.length - a.members.length)
    .map(({ members }) => members);
  const rest = groups.slice(GROUPS_TOGETHER).map((group) => [lists.push(keysOfAny(group))]);
  const full = together.map((tiers) => (tiers[1] ?? tiers[0])?.list ?? 1);
  return { lists, steps: [...steps, ...rest], full };
}

/** The best match alone. */
export function bestStep(groups: KnownGroup[]): Steps {
  const { lists, steps, full } = makeSteps(groups);
  const best = (steps[0] ?? full).map((list) => lists[list - 1] ?? []);
  const all = best.map((_, place) => place + 1);
  return { lists: best, steps: [all], full: all };
}

type Tier = { list: number; least: number };

function tiersOf(group: KnownGroup, lists: number[][]): Tier[] {
  const tiers: Tier[] = [];
  let size = 0;
  for (const share of TIERS) {
    const { keys, least } = keysFrom(group, share * group.most);
    const records = group.postings
      .filter(({ key }) => keys.includes(key))
      .reduce((sum, posting) => sum + posting.records, 0);
    // The same records as before are no tier of their own.
    if (records === size) continue;
    size = records;
    tiers.push({ list: lists.push(keys), least: least * group.weight });
  }
  return tiers;
}

type Combination = { members: number[]; least: number };

function combine(together: Tier[][]): Combination[] {
  return together.reduce<Combination[]>(
    (all, tiers) =>
      all.flatMap(({ members, least }) => [
        { members, least },
        ...tiers.map((tier) => ({ members: [...members, tier.list], least: least + tier.least })),
      ]),
    [{ members: [], least: 0 }],
  );
}

/**
 * Lists that every record of at least this relevance is in: a group that all the others together
 * cannot make up for is needed, with at least the impact that they leave open.
 */
export function neededLists(groups: KnownGroup[], relevance: number, total: number): number[][] {
  const reach = groups.reduce((sum, group) => sum + group.weight * group.most, 0);
  const needed = groups.flatMap((group) => {
    const others = reach - group.weight * group.most;
    // A little lower, so that rounding loses nobody.
    const impact = (relevance * total - others) / group.weight - 1e-9;
    return impact > 0 ? [keysFrom(group, impact).keys] : [];
  });
  return needed.length > 0 ? needed : [groups.flatMap(keysOfAny)];
}
