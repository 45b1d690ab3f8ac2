import type { Span } from './choose.ts';
import { type HeadPlace, PREPOSITIONS, traitsOf } from './language.ts';
import type { Unit } from './tokenize.ts';
import type { Lexicon, Need } from './types.ts';

/** One need that the query names, with what else the same words may mean. */
export type Part = {
  need: Need;
  at: number[];
  language: string;
  purpose: boolean;
  /** Below 0.7 the words were repaired or split: a guess. */
  quality: number;
  /** How likely the language of the form is, 0..1: a stray word of another one should not lead. */
  plausible: number;
  others: { id: string; weight: number }[];
  /** First half of a compound word: describes, never leads. */
  modifier: boolean;
  /** True when a narrower part says the same thing better, or when it was combined into one. */
  absorbed: boolean;
};

const OTHER_READING = 0.6;
const FAINTEST = 0.25;
const PLAUSIBLE = 0.5;

/** Turns the readings of the chosen spans into parts; each need appears once. */
export function partsOf(spans: readonly Span[], lexicon: Lexicon): Part[] {
  const parts = new Map<string, Part>();
  for (const { at, readings } of spans) {
    const [best] = readings;
    const need = best && lexicon.needs.get(best.entry.target);
    if (!best || !need) continue;
    const known = parts.get(need.id);
    if (known) {
      known.purpose &&= best.entry.purpose;
      known.quality = Math.max(known.quality, best.quality);
      continue;
    }
    const others = readings
      .slice(1, 4)
      .filter(
        ({ entry, value }) => lexicon.needs.has(entry.target) && value >= FAINTEST * best.value,
      )
      .map(({ entry, value }) => ({
        id: entry.target,
        weight: (OTHER_READING * value) / best.value,
      }));
    const { quality, plausible } = best;
    parts.set(need.id, makePart(need, best.entry, { at, quality, plausible, others }));
  }
  return [...parts.values()];
}

/** A part with nothing special about it but what `fields` say. */
export function makePart(
  need: Need,
  from: { language: string; purpose: boolean },
  fields: Partial<Part>,
): Part {
  const { language, purpose } = from;
  const plain = { at: [], quality: 1, plausible: 1, others: [], modifier: false, absorbed: false };
  return { need, language, purpose, ...plain, ...fields };
}

/** Chooses the part that the query is about; an attribute never is, a purpose only alone. */
export function chooseHead(
  parts: readonly Part[],
  units: readonly Unit[],
  language: string | null,
  lexicon: Lexicon,
): Part | null {
  const able = parts.filter((part) => part.need.kind !== 'attribute' && !part.modifier);
  const likely = able.filter((part) => part.plausible >= PLAUSIBLE);
  const sure = (likely.length > 0 ? likely : able).filter((part) => part.quality >= 0.7);
  const naming = (sure.length > 0 ? sure : able).filter((part) => !part.purpose && !part.absorbed);
  const place = language === null ? 'first' : traitsOf(language).head;
  const head = headAt(naming.length > 0 ? naming : able, units, language, place);
  return head && narrowest(head, able, lexicon);
}

function headAt(
  able: readonly Part[],
  units: readonly Unit[],
  language: string | null,
  place: HeadPlace,
): Part | null {
  const first = able[0] ?? null;
  if (place === 'first') return first;
  const last = able[able.length - 1] ?? null;
  if (place === 'last' || !first) return last;
  const prepositions = PREPOSITIONS[language ?? ''];
  const start = first.at[first.at.length - 1] ?? 0;
  const stop = units.findIndex((unit, at) => at > start && prepositions?.has(unit.text));
  if (stop < 0) return last;
  return able.filter((part) => (part.at[0] ?? 0) < stop).at(-1) ?? first;
}

// "medicine for headache": the painkiller is the medicine that is meant, so it leads.
function narrowest(head: Part, able: readonly Part[], lexicon: Lexicon): Part {
  const narrower = able.find(
    (part) =>
      part !== head &&
      ancestorsOf(part.need.id, lexicon).includes(head.need.id) &&
      (!part.purpose || sameKind(part.need, head.need)),
  );
  if (!narrower) return head;
  head.absorbed = true;
  return narrower;
}

function sameKind(a: Need, b: Need): boolean {
  return a.kind === b.kind || (a.kind !== 'place' && b.kind !== 'place' && b.kind !== 'service');
}

/** All broader needs of a need, nearest first. */
export function ancestorsOf(id: string, lexicon: Lexicon): string[] {
  const seen = new Set<string>([id]);
  const queue = [id];
  for (let at = 0; at < queue.length; at += 1) {
    for (const broader of lexicon.needs.get(queue[at] ?? '')?.broader ?? []) {
      if (seen.has(broader)) continue;
      seen.add(broader);
      queue.push(broader);
    }
  }
  return queue.slice(1);
}
