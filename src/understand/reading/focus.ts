import { LEAST_FORM, LONG_QUERY } from '../../domain/relevance.ts';
import type { Lexicon } from '../lexicon-types.ts';
import { standAt, type Unit } from '../text/tokenize.ts';
import { familyOf } from './languages.ts';
import type { Part } from './parts.ts';

/** Punctuation that ends a clause. */
const BREAK = /[.!?;,:…\n—–。！？；，、：،؟؛।]/;
/** Verb-final languages: the thing wanted stands before the phrase of wanting. */
const VERB_LAST = new Set(['ja', 'ko', 'tr', 'hi', 'bn', 'ta', 'ur', 'fa', 'ka']);

/**
 * Finds the positions that say what a long query wants, as opposed to the story around it ("my cat tore the sofa, do
 * you have a cover?"): the clause beside its last phrase of wanting that names a thing. Null if there is none.
 */
export function findFocus(
  units: readonly Unit[],
  parts: readonly Part[],
  language: string | null,
  { wishes }: Lexicon,
): ReadonlySet<number> | null {
  const wants = wishes?.wants.get(language ?? '');
  if (wants === undefined || language === null || units.length < LONG_QUERY) return null;
  const things = new Set(parts.filter(isThing).flatMap(({ at }) => at));
  const isLast = VERB_LAST.has(familyOf(language));
  for (const { from, to } of spansOf(units, wants).reverse()) {
    const behind = range(to, endOfClause(units, to));
    const before = range(startOfClause(units, from), from);
    const sides = isLast ? [before, behind] : [behind, before];
    const side = sides.find((one) => one.some((at) => things.has(at)));
    if (side !== undefined) return new Set(side);
  }
  return null;
}

const isThing = ({ need, modifier, quality, absorbed }: Part): boolean =>
  need.kind !== 'attribute' && !modifier && !absorbed && quality >= LEAST_FORM.known;

/** Finds the phrases of wanting, in order. */
function spansOf(units: readonly Unit[], wants: ReadonlyMap<string, readonly string[][]>) {
  return units.flatMap(({ text }, from) => {
    const said = (wants.get(text) ?? []).filter((words) => standAt(words, units, from));
    const length = Math.max(0, ...said.map((words) => words.length));
    return length === 0 ? [] : [{ from, to: from + length }];
  });
}

function startOfClause(units: readonly Unit[], at: number): number {
  let start = at;
  while (start > 0 && !BREAK.test(units[start - 1]?.after ?? '')) start -= 1;
  return start;
}

function endOfClause(units: readonly Unit[], at: number): number {
  let end = at;
  while (end < units.length && (end === at || !BREAK.test(units[end - 1]?.after ?? ''))) end += 1;
  return end;
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, position) => from + position);
