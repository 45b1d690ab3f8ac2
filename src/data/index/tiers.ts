import { arrayText } from '../connection/arrays.ts';
import { most, type Posting, type Slot } from './slots.ts';

/** Converts slots to the parallel arrays that `search_best` takes. */
export function slotArrays(slots: Slot[]) {
  const tiers = slots.map(tiersOf);
  const lists = distinctLists(tiers.flat());
  return {
    ...{ keys: arrayText(lists.flat()), lists: arrayText(numbersOf(lists)) },
    ...tierArrays(tiers, lists),
    ...bestArrays(slots),
    ...wantedArrays(slots),
  };
}

/** A slot's keys of equal impact: what they contribute, and whether they cover the slot. */
type Tier = { keys: number[]; worth: number; mayCover: boolean; covers: boolean };

function tiersOf({ weight, postings }: Slot): Tier[] {
  const tiers: Posting[][] = [];
  for (const posting of postings) {
    const last = tiers.at(-1);
    if (last?.[0] !== undefined && posting.impact === last[0].impact) last.push(posting);
    else tiers.push([posting]);
  }
  return tiers.map((tier, index) => ({
    keys: tier.map(({ key }) => key),
    worth: weight * (tier[0]?.impact ?? 0),
    // A record in this tier may also have a key of lesser impact that covers.
    mayCover: tiers.slice(index).some((one) => one.some(({ isFull }) => isFull)),
    covers: tier.every(({ isFull }) => isFull),
  }));
}

function distinctLists(tiers: Tier[]): number[][] {
  return [...new Map(tiers.map(({ keys }) => [keys.join(), keys])).values()];
}

function tierArrays(tiers: Tier[][], lists: number[][]) {
  const flat = tiers.flat();
  const names = lists.map((keys) => keys.join());
  const firstTiers = [1];
  for (const own of tiers) firstTiers.push((firstTiers.at(-1) ?? 1) + own.length);
  return {
    tierLists: arrayText(flat.map(({ keys }) => names.indexOf(keys.join()) + 1)),
    tierWorth: arrayText(flat.map(({ worth }) => worth)),
    tierMayCover: arrayText(flat.map(({ mayCover }) => mayCover)),
    tierCovers: arrayText(flat.map(({ covers }) => covers)),
    firstTiers: arrayText(firstTiers),
  };
}

function bestArrays(slots: Slot[]) {
  const weights = slots.map((slot) => slot.weight * most(slot));
  const after = weights.map((_, index) => sum(weights.slice(index + 1)));
  return {
    slotCount: slots.length,
    required: arrayText(slots.map(({ isRequired }) => isRequired)),
    slotMost: arrayText(weights),
    afterMost: arrayText(after),
  };
}

/** Lists what each key contributes to which slot, and whether it covers it. */
export const wantedKeys = (slots: Slot[]) =>
  slots.flatMap(({ weight, postings }, slot) =>
    postings.map(({ key, impact, isFull }) => ({ key, slot, impact: impact * weight, isFull })),
  );

function wantedArrays(slots: Slot[]) {
  const wanted = wantedKeys(slots).sort((a, b) => a.key - b.key);
  return {
    wantedKeys: arrayText(wanted.map(({ key }) => key)),
    wantedSlots: arrayText(wanted.map(({ slot }) => slot + 1)),
    wantedImpacts: arrayText(wanted.map(({ impact }) => impact)),
    wantedFull: arrayText(wanted.map(({ isFull }) => isFull)),
  };
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** Returns for each member of each list the 1-based number of its list. */
export function numbersOf(lists: number[][]): number[] {
  return lists.flatMap((members, index) => members.map(() => index + 1));
}
