import { LEAST_FORM, ROLE } from '../../domain/relevance.ts';
import type { Clause, Word } from '../../domain/search.ts';
import type { Lexicon } from '../lexicon-types.ts';
import type { Unit } from '../text/tokenize.ts';
import { wordIn } from '../text/words.ts';
import { isOwner } from './belongings.ts';
import { findForms } from './find.ts';
import { chooseSpans, type Span } from './spans.ts';

const MAX_INNER = 4;

/**
 * Makes clauses of the needs inside a longer form: the lemon of "suco de limão", the phone of "iPhone case". Their low
 * weight only orders the results of the form's own concept.
 */
export function innerClauses(
  units: readonly Unit[],
  spans: readonly Span[],
  lexicon: Lexicon,
): Clause[] {
  const clauses = new Map<string, Clause>();
  for (const { at, readings } of spans) {
    const entry = readings[0]?.entry;
    const need = entry && lexicon.needs.get(entry.target);
    if (!entry || !need || need.kind === 'attribute' || entry.solid) continue;
    for (const inner of innerNeeds(units, at, entry.language, need.id, lexicon)) {
      const { target } = inner;
      const owner = lexicon.needs.get(target);
      const isOwned = owner !== undefined && isOwner(owner, lexicon);
      // Portuguese words match literally; owners need a clause all the same, as they are seldom the head.
      if (entry.language === 'pt' && !isOwned) continue;
      const words = isOwned ? ownerWords(inner, units, lexicon) : [];
      clauses.set(target, {
        label: owner?.label ?? target,
        kind: 'concept',
        weight: ROLE.soft,
        leads: false,
        words,
        meanings: words.length > 0 ? [] : [{ token: `c:${target}`, sureness: 1 }],
        names: [],
      });
    }
  }
  return [...clauses.values()].slice(0, MAX_INNER);
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
      covered.length < inside.length &&
      quality > LEAST_FORM.sure &&
      !entry.purpose &&
      entry.target !== id,
  );
  const spans = chooseSpans(inside, inner, new Map([[language, 1]]));
  const covered = spans.reduce((count, span) => count + span.at.length, 0);
  // In unspaced scripts, needs inside a word are coincidences unless they cover it all.
  if (covered < inside.length && inside.some((unit) => !unit.spaced)) return [];
  return spans.flatMap((span) => {
    const target = span.readings[0]?.entry.target;
    if (target === undefined || !lexicon.needs.has(target)) return [];
    return { target, at: span.at.flatMap((position) => at[position] ?? []) };
  });
}

/** A need inside a form, with its positions. */
type Inner = { target: string; at: number[] };

/** Returns the words that name it in Portuguese too ("iphone"). */
function ownerWords({ target, at }: Inner, units: readonly Unit[], lexicon: Lexicon): Word[] {
  const portuguese = lexicon.languages.get('pt');
  return at
    .flatMap((position) => units[position] ?? [])
    .filter(({ text }) => portuguese?.exact.get(text)?.some((entry) => entry.target === target))
    .flatMap((unit) => wordIn(unit, lexicon) ?? [])
    .map((word) => ({ ...word, belongsTo: true }));
}
