import { FORM, LANGUAGE, LEAST_FORM, OTHER_MEANING, ROLE } from '../../domain/relevance.ts';
import type { Lexicon, Need } from '../lexicon-types.ts';
import type { Unit } from '../text/tokenize.ts';
import { type HeadPlace, PREPOSITIONS, traitsOf } from './languages.ts';
import type { QueryReading } from './read.ts';
import type { Span } from './spans.ts';

/** A need that the query names, with other meanings of the same words. */
export type Part = {
  need: Need;
  at: number[];
  language: string;
  purpose: boolean;
  /** Quality of the match; below `LEAST_FORM.known` it is a guess. */
  quality: number;
  /** The prior of its language, 0..1: words of an unlikely language do not become the head. */
  plausible: number;
  others: { id: string; weight: number }[];
  /** The modifier of a compound, never the head. */
  modifier: boolean;
  /** Covered by a narrower or combined part. */
  absorbed: boolean;
  /** Outside the focus of a long query. */
  mentioned: boolean;
};

/** Lists the needs of the chosen spans and the modifiers of compounds. */
export function partsOf(reading: QueryReading, lexicon: Lexicon): Part[] {
  const parts = partsOfSpans(reading.spans, lexicon);
  for (const { entry, at, quality } of reading.modifiers) {
    const need = lexicon.needs.get(entry.target);
    const beside = parts.find((part) => part.at[0] === at[0] && part.language === entry.language);
    if (!need || !beside || parts.some((part) => part.need.id === need.id)) continue;
    parts.push(makePart(need, entry, { at, quality, modifier: true }));
  }
  return parts;
}

// Each need appears once.
function partsOfSpans(spans: readonly Span[], lexicon: Lexicon): Part[] {
  const parts = new Map<string, Part>();
  for (const { at, readings } of spans) {
    const [best] = readings;
    const need = best && lexicon.needs.get(best.entry.target);
    if (!best || !need) continue;
    const known = parts.get(need.id);
    if (known) {
      known.purpose &&= best.entry.purpose;
      known.quality = Math.max(known.quality, best.quality);
      known.at = [...known.at, ...at].sort((a, b) => a - b);
      continue;
    }
    const others = readings
      .slice(1, 4)
      .filter(
        ({ entry, value }) =>
          lexicon.needs.has(entry.target) && value >= OTHER_MEANING.least * best.value,
      )
      .map(({ entry, value }) => ({
        id: entry.target,
        weight: (OTHER_MEANING.share * value) / best.value,
      }));
    const { quality, plausible } = best;
    parts.set(need.id, makePart(need, best.entry, { at, quality, plausible, others }));
  }
  return [...parts.values()];
}

/** Makes a part, with defaults for absent `fields`. */
export function makePart(
  need: Need,
  from: { language: string; purpose: boolean },
  fields: Partial<Part>,
): Part {
  const { language, purpose } = from;
  const plain = { at: [], quality: 1, plausible: 1, others: [], modifier: false };
  const flags = { absorbed: false, mentioned: false };
  return { need, language, purpose, ...plain, ...flags, ...fields };
}

/** Adds the need that two parts mean together (repair + phone); the two parts stay as absorbed. */
export function combineParts(parts: readonly Part[], lexicon: Lexicon): Part[] {
  const result = [...parts];
  for (const [position, a] of parts.entries()) {
    for (const b of parts.slice(position + 1)) {
      if (a.absorbed || b.absorbed || Math.min(a.quality, b.quality) < LEAST_FORM.combined)
        continue;
      const need = combinedNeed(a.need, b.need, lexicon);
      if (!need || result.some((part) => part.need.id === need.id)) continue;
      if (a.need.kind !== 'attribute') a.absorbed = true;
      if (b.need.kind !== 'attribute') b.absorbed = true;
      const both = { language: a.language, purpose: a.purpose && b.purpose };
      const at = [...new Set([...a.at, ...b.at])].sort((x, y) => x - y);
      const quality = Math.max(FORM.combined, Math.min(a.quality, b.quality));
      const plausible = Math.max(a.plausible, b.plausible);
      result.push(makePart(need, both, { at, quality, plausible }));
    }
  }
  return result.sort((x, y) => (x.at[0] ?? 0) - (y.at[0] ?? 0));
}

/** Marks the parts outside the focus as mentioned. */
export function markMentioned(parts: readonly Part[], focus: ReadonlySet<number>): void {
  for (const part of parts) {
    if (part.at.length > 0 && !part.at.some((position) => focus.has(position)))
      part.mentioned = true;
  }
}

/** The need of toys, which imitate other things. */
export const TOY = 'toys';

/** Absorbs what a toy imitates, so that the toy is the head: "cafeteira de brinquedo", "toy guitar". */
export function absorbImitated(parts: readonly Part[], lexicon: Lexicon): void {
  const toy = parts.find(({ need, purpose, absorbed }) => need.id === TOY && !purpose && !absorbed);
  if (toy === undefined) return;
  const isBeside = ({ at }: Part) =>
    at.some((position) => toy.at.includes(position - 1) || toy.at.includes(position + 1));
  for (const part of parts) {
    const { need, purpose } = part;
    const isToy = part === toy || ancestorsOf(need.id, lexicon).includes(TOY);
    if (need.kind === 'item' && !purpose && !isToy && isBeside(part)) part.absorbed = true;
  }
}

/** Chooses the head noun: never an attribute or modifier, a purpose only if nothing else is named. */
export function chooseHead(
  parts: readonly Part[],
  units: readonly Unit[],
  language: string | null,
  lexicon: Lexicon,
): Part | null {
  const able = parts.filter((part) => part.need.kind !== 'attribute' && !part.modifier);
  const wanted = able.filter((part) => !part.mentioned);
  const asked = wanted.length > 0 ? wanted : able;
  const likely = asked.filter((part) => part.plausible >= LANGUAGE.leads);
  const sure = (likely.length > 0 ? likely : asked).filter(
    (part) => part.quality >= LEAST_FORM.known,
  );
  const naming = (sure.length > 0 ? sure : asked).filter((part) => !part.purpose && !part.absorbed);
  const headPlace = language === null ? 'first' : traitsOf(language).head;
  const head = headAt(naming.length > 0 ? naming : asked, units, language, headPlace);
  return head && narrowest(head, able, lexicon);
}

function headAt(
  able: readonly Part[],
  units: readonly Unit[],
  language: string | null,
  headPlace: HeadPlace,
): Part | null {
  const first = able[0] ?? null;
  if (headPlace === 'first') return first;
  const last = able[able.length - 1] ?? null;
  if (headPlace === 'last' || !first) return last;
  const prepositions = PREPOSITIONS[language ?? ''];
  const start = first.at[first.at.length - 1] ?? 0;
  const stop = units.findIndex((unit, at) => at > start && prepositions?.has(unit.text));
  if (stop < 0) return last;
  return able.filter((part) => (part.at[0] ?? 0) < stop).at(-1) ?? first;
}

// "medicine for headache": the narrower painkiller becomes the head.
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

/** Orders parts by weight: the head first, guesses last. */
export function orderParts(parts: readonly Part[], head: Part | null): Part[] {
  const rank = (part: Part) =>
    part === head ? 9 : weightOf(part, head) + (part.quality < LEAST_FORM.known ? -1 : 0);
  return [...parts].sort((a, b) => rank(b) - rank(a));
}

/** Returns the weight of a part by its role in the query. */
export function weightOf(part: Part, head: Part | null): number {
  if (part === head) return part.quality < LEAST_FORM.known ? ROLE.named : ROLE.head;
  const isMentioned = part.mentioned && part.need.kind !== 'attribute';
  if (part.absorbed || isMentioned) return ROLE.absorbed;
  if (part.need.kind === 'attribute' || part.modifier) return ROLE.attribute;
  if (part.plausible < LANGUAGE.leads) return ROLE.stray;
  return part.purpose ? ROLE.purpose : ROLE.named;
}

/** Returns all broader needs, nearest first (breadth-first). */
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

/** Returns the need that two needs mean together; a service also combines with broader needs of a thing. */
export function combinedNeed(a: Need, b: Need, lexicon: Lexicon): Need | null {
  const direct = lexicon.combinations.get(`${a.id} ${b.id}`);
  if (direct) return lexicon.needs.get(direct) ?? null;
  if (a.kind !== 'service' && b.kind !== 'service') return null;
  const [service, thing] = a.kind === 'service' ? [a, b] : [b, a];
  for (const id of ancestorsOf(thing.id, lexicon)) {
    const found = lexicon.combinations.get(`${service.id} ${id}`);
    if (found) return lexicon.needs.get(found) ?? null;
  }
  return null;
}
