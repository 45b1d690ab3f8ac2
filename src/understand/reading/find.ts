import { FORM } from '../../domain/relevance.ts';
import { entriesOf } from '../lexicon/word-facts.ts';
import type { Entry, LanguageIndex, WordFacts } from '../lexicon-types.ts';
import type { Unit } from '../text/tokenize.ts';

/** A form found in a text, the units that it covers, and the quality of the match. */
export type Candidate = {
  entry: Entry;
  /** Positions of the covered units, ascending. */
  at: number[];
  /** 1 for the form as written; less for stems, gaps, missing accents and repairs. */
  quality: number;
};

const MAX_GAP = 4;

/**
 * Finds every form of one language in the units, contiguous or with gaps. Skips packaging, and fragments of words
 * with a letter lost to `_` (CAFE_NA is not coffee).
 */
export function findForms(units: readonly Unit[], index: LanguageIndex): Candidate[] {
  const facts = units.map(index.factsOf);
  const found: Candidate[] = [];
  for (const [from, { own, reach, gapped }] of facts.entries()) {
    const at = [from];
    for (const { entry, quality } of own) found.push({ entry, at, quality });
    if (reach > 1) findLonger(units, facts, from, index, found);
    if (gapped.size > 0) findGapped(units, facts, from, found);
  }
  return found.filter(({ at }) => at.every((position) => isWord(units, position)));
}

/**
 * Finds forms whose content words all occur in a long query, in any order and at any distance: "mon canapé est
 * griffé, je voudrais une housse" is "housse de canapé". Purpose forms are ignored, as a story would match too many.
 */
export function findScattered(units: readonly Unit[], index: LanguageIndex): Candidate[] {
  // First occurrences only, so that repeated words do not add cost.
  const positions = new Map(
    units.map((unit, at) => [index.factsOf(unit).stem, at] as const).reverse(),
  );
  return [...positions.keys()].flatMap((first) =>
    (index.gapped.get(first) ?? []).flatMap(({ entry, content }) => {
      const at = content.flatMap((word) => positions.get(word) ?? []);
      if (entry.purpose || at.length < content.length || new Set(at).size < 2) return [];
      return { entry, at: at.sort((a, b) => a - b), quality: FORM.scattered };
    }),
  );
}

/** Returns whether a unit is a word: no fragment of one that lost a letter ("MAGN_SIO"), and no packaging. */
export function isWord(units: readonly Unit[], position: number): boolean {
  const isTorn = units[position]?.after === '_' && position + 1 < units.length;
  return !isTorn && units[position - 1]?.after !== '_' && units[position]?.packaging !== true;
}

/** Finds contiguous forms of several words that start at `from`. */
function findLonger(
  units: readonly Unit[],
  facts: readonly WordFacts[],
  from: number,
  index: LanguageIndex,
  found: Candidate[],
): void {
  const first = units[from] as Unit;
  if (!mayBegin(units, facts, from, index)) return;
  const end = Math.min(units.length, from + (facts[from]?.reach ?? 0));
  const key = { exact: first.text, accented: first.accented, stem: facts[from]?.stem ?? '' };
  let spacedBefore = first.spaced;
  for (let to = from + 1; to < end; to += 1) {
    const unit = units[to] as Unit;
    // In unspaced scripts, a form spans a space only if it starts a run.
    if (!unit.spaced && unit.starts && !first.starts) break;
    const space = spacedBefore || unit.spaced ? ' ' : '';
    key.exact += space + unit.text;
    key.accented += space + unit.accented;
    key.stem += space + facts[to]?.stem;
    spacedBefore = unit.spaced;
    const { exact, stemmed } = entriesOf(key, index, unit.spaced);
    if (exact.length === 0 && stemmed.length === 0) continue;
    const at = range(from, to);
    for (const { entry, quality } of exact) found.push({ entry, at, quality });
    for (const entry of stemmed) found.push({ entry, at, quality: FORM.stem });
  }
}

/** Returns whether forms may start with the two units at `from`; always true in scripts without spaces. */
function mayBegin(
  units: readonly Unit[],
  facts: readonly WordFacts[],
  from: number,
  { pairs }: LanguageIndex,
): boolean {
  const [one, two] = [units[from], units[from + 1]];
  if (!one?.spaced || !two?.spaced) return true;
  const [stem = '', next = ''] = [facts[from]?.stem, facts[from + 1]?.stem];
  return pairs.mayBegin(one.text, two.text) || pairs.mayBegin(stem, next);
}

/** Words that negate the next one: "água sem gás" is no gapped match of "água com gás". */
const NEGATIONS = new Set(['sem', 'sin', 'without', 'sans', 'ohne', 'senza', 'zonder']);

function findGapped(
  units: readonly Unit[],
  facts: readonly WordFacts[],
  from: number,
  found: Candidate[],
): void {
  const gapped = facts[from]?.gapped;
  const end = Math.min(facts.length, from + 1 + MAX_GAP);
  for (let second = from + 1; second < end; second += 1) {
    const stem = facts[second]?.stem ?? '';
    const forms = gapped?.get(stem);
    if (forms === undefined || isAmong(stem, facts, from + 1, second)) continue;
    for (const { entry, content } of forms) {
      const at = positionsOf(content, facts, [from, second]);
      const isNegated = at?.some(
        (position) => position > from && NEGATIONS.has(units[position - 1]?.text ?? ''),
      );
      if (isNegated === false && at) found.push({ entry, at, quality: FORM.gapped });
    }
  }
}

/** Returns whether a stem occurs in [`from`, `to`): only its nearest occurrence counts. */
function isAmong(stem: string, facts: readonly WordFacts[], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (facts[at]?.stem === stem) return true;
  return false;
}

/** Extends `at`, the positions of the first two stems, to all; null if a gap is longer than `MAX_GAP`. */
function positionsOf(
  content: readonly string[],
  facts: readonly WordFacts[],
  at: number[],
): number[] | null {
  let next = (at[1] ?? 0) + 1;
  for (const stem of content.slice(2)) {
    const last = Math.min(facts.length, next + MAX_GAP);
    while (next < last && facts[next]?.stem !== stem) next += 1;
    if (next >= last) return null;
    at.push(next);
    next += 1;
  }
  return at;
}

function range(from: number, to: number): number[] {
  const positions: number[] = [];
  for (let position = from; position <= to; position += 1) positions.push(position);
  return positions;
}
