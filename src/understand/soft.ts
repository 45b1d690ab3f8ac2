import { chooseSpans, type Span } from './choose.ts';
import { findForms } from './match.ts';
import { stemPortuguese } from './stem.ts';
import { tokenize, type Unit } from './tokenize.ts';
import type { Alternative, Group, Lexicon } from './types.ts';
import { isNoise } from './words.ts';

const SOFT = 0.3;
const MAX_SOFT = 4;

/** A need named inside a longer form, and where. */
type Inner = { target: string; place: number };

/**
 * Groups for what a form says beyond the need it names: "dipirona" is one painkiller among many,
 * "suco de limão" one juice. They weigh little and only order results that the concept found.
 */
export function softGroups(
  units: readonly Unit[],
  spans: readonly Span[],
  lexicon: Lexicon,
): Group[] {
  const groups = new Map<string, Group>();
  for (const { at, readings } of spans) {
    const entry = readings[0]?.entry;
    const need = entry && lexicon.needs.get(entry.target);
    if (!entry || !need || need.kind === 'attribute') continue;
    const named = new Set(tokenize(need.label).map((unit) => stemPortuguese(unit.text)));
    const inner = entry.solid ? [] : innerNeeds(units, at, entry.language, need.id, lexicon);
    for (const position of at) {
      const group = softGroup(units[position], position, inner, named, lexicon);
      if (group) groups.set(group.alternatives[0]?.token ?? '', group);
    }
  }
  return [...groups.values()].slice(0, MAX_SOFT);
}

function innerNeeds(
  units: readonly Unit[],
  at: readonly number[],
  language: string,
  id: string,
  lexicon: Lexicon,
): Inner[] {
  const index = lexicon.languages.get(language);
  const inside = at.flatMap((position) => units[position] ?? []);
  if (!index || inside.length < 2) return [];
  const inner = findForms(inside, index).filter(
    ({ entry, at: covered, quality }) =>
      covered.length < inside.length && quality > 0.9 && !entry.purpose && entry.target !== id,
  );
  const spans = chooseSpans(inside, inner, new Map([[language, 1]]));
  const covered = spans.reduce((count, span) => count + span.at.length, 0);
  // Without spaces, needs found inside a word are chance unless they make up all of it.
  if (covered < inside.length && inside.some((unit) => !unit.spaced)) return [];
  return spans.flatMap((span) => {
    const target = span.readings[0]?.entry.target;
    const place = at[span.at[0] ?? 0];
    return target && place !== undefined && lexicon.needs.has(target) ? [{ target, place }] : [];
  });
}

function softGroup(
  unit: Unit | undefined,
  position: number,
  inner: readonly Inner[],
  named: ReadonlySet<string>,
  lexicon: Lexicon,
): Group | null {
  if (!unit) return null;
  const found = inner.find(({ place }) => place === position);
  const alternatives: Alternative[] = [];
  const stem = stemPortuguese(unit.text);
  if (
    unit.script === 'latin' &&
    unit.text.length > 2 &&
    !named.has(stem) &&
    !isNoise(unit.text, 'pt', lexicon)
  ) {
    alternatives.push({ token: `w:${stem}`, weight: 1 });
  }
  // An iPhone case is wanted for its word; that it is for some phone says less.
  if (found) {
    const weight = alternatives.length > 0 ? 0.5 : 1;
    alternatives.push({ token: `c:${found.target}`, weight });
  }
  const label = (found && lexicon.needs.get(found.target)?.label) ?? unit.accented;
  if (alternatives.length === 0 || named.has(stem)) return null;
  return { label, kind: found ? 'concept' : 'term', weight: SOFT, alternatives };
}
