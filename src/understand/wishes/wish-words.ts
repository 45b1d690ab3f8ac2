import { LANGUAGE, LEAST_FORM, ROLE } from '../../domain/relevance.ts';
import type { Clause } from '../../domain/search.ts';
import { needClause } from '../clauses/clauses.ts';
import type { Lexicon, WishRow } from '../lexicon-types.ts';
import { type Candidate, findForms } from '../reading/find.ts';
import { familyOf, mayBeWritten } from '../reading/languages.ts';
import type { Part } from '../reading/parts.ts';
import type { Script, Unit } from '../text/tokenize.ts';
import type { Signals } from '../types.ts';

/** An analysed query, before it is decided whether it names a thing or only a wish. */
export type WishedQuery = {
  /** All units, and the units without mentions, measures and exclusions. */
  all: readonly Unit[];
  units: readonly Unit[];
  parts: readonly Part[];
  clauses: readonly Clause[];
  signals: Signals;
  namesPlace: boolean;
  likely: string | null;
};

/** Finds the forms of wishes in the units; of overlapping ones, the longest. */
export function wishForms(
  units: readonly Unit[],
  language: string,
  { wishes }: Lexicon,
): Candidate[] {
  const index = wishes?.languages.get(language);
  if (index === undefined) return [];
  const longestFirst = findForms(units, index)
    .filter(({ quality }) => quality >= LEAST_FORM.sure)
    .sort((a, b) => b.at.length - a.at.length);
  const chosen: Candidate[] = [];
  for (const one of longestFirst) {
    const rival = chosen.find(({ at }) => at.some((position) => one.at.includes(position)));
    if (rival === undefined || rival.at.join() === one.at.join()) chosen.push(one);
  }
  return chosen;
}

/** Lists the languages that a query may be in by its scripts, the likely one first. */
export function wishLanguages({ all, likely }: WishedQuery, { wishes }: Lexicon): string[] {
  const scripts = new Set<Script>(all.map(({ script }) => script));
  const written = [...(wishes?.languages.keys() ?? [])].filter((one) => mayBeWritten(one, scripts));
  const own = written.filter((one) => isLikely(one, likely));
  return [...own, ...written.filter((one) => !own.includes(one))];
}

/** Returns whether a language is the likely one, in any script. */
export const isLikely = (language: string, likely: string | null): boolean =>
  likely !== null && familyOf(language) === familyOf(likely);

/** Returns whether a part surely names a thing. */
export const isThing = ({ need, language, modifier, quality, plausible }: Part): boolean =>
  need.kind !== 'attribute' &&
  !modifier &&
  quality >= LEAST_FORM.known &&
  (plausible >= LANGUAGE.leads || language === 'emoji');

/** Returns whether a clause is an unknown word and no number: a brand, a team, a person. */
export const isName = ({ kind, label }: Clause): boolean => kind === 'term' && !/^\d/.test(label);

/** Finds the table line of a wish for a need, or its general line if `id` is null. */
export const rowFor = (wish: string, id: string | null, { wishes }: Lexicon) =>
  wishes?.table.find(
    (row) => row.wish === wish && (id === null ? row.of.length === 0 : row.of.includes(id)),
  );

/** Makes the head clause of a wish: any of its needs matches. */
export const wishClause = ({ label, needs }: WishRow): Clause =>
  needClause(label, ROLE.head, needs);
