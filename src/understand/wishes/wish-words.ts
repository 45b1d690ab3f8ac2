import { LANGUAGE, LEAST_FORM, ROLE } from '../../domain/relevance.ts';
import type { Clause } from '../../domain/search.ts';
import { needClause } from '../clauses/clauses.ts';
import type { Lexicon, WishRow } from '../lexicon-types.ts';
import { type Candidate, findForms } from '../reading/find.ts';
import { familyOf, mayBeWritten } from '../reading/languages.ts';
import type { Part } from '../reading/parts.ts';
import type { Script, Unit } from '../text/tokenize.ts';
import type { Signals } from '../types.ts';

/** A query as it was read, before it is known whether it names a thing or only a wish. */
export type WishedQuery = {
  /** The units with the places among them, and without places and measures. */
  all: readonly Unit[];
  units: readonly Unit[];
  parts: readonly Part[];
  clauses: readonly Clause[];
  signals: Signals;
  namesPlace: boolean;
  likely: string | null;
};

/** The forms of wishes in the units, the longest of those that overlap. */
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
    const rival = chosen.find(({ at }) => at.some((place) => one.at.includes(place)));
    if (rival === undefined || rival.at.join() === one.at.join()) chosen.push(one);
  }
  return chosen;
}

/** The languages that a query may be in, the likely one first. */
export function wishLanguages({ all, likely }: WishedQuery, { wishes }: Lexicon): string[] {
  const scripts = new Set<Script>(all.map(({ script }) => script));
  const written = [...(wishes?.languages.keys() ?? [])].filter((one) => mayBeWritten(one, scripts));
  const own = written.filter((one) => isLikely(one, likely));
  return [...own, ...written.filter((one) => !own.includes(one))];
}

/** Whether a language is the likely one of a query, in whichever script. */
export const isLikely = (language: string, likely: string | null): boolean =>
  likely !== null && familyOf(language) === familyOf(likely);

/** Whether a part names a thing, for sure enough to be what is searched for. */
export const isThing = ({ need, language, modifier, quality, plausible }: Part): boolean =>
  need.kind !== 'attribute' &&
  !modifier &&
  quality >= LEAST_FORM.known &&
  (plausible >= LANGUAGE.leads || language === 'emoji');

/** Whether a clause is a word that is no number: a brand, a team, somebody's name. */
export const isName = ({ kind, label }: Clause): boolean => kind === 'term' && !/^\d/.test(label);

/** The line of the table that serves a wish, of one need or of none in particular. */
export const rowFor = (wish: string, id: string | null, { wishes }: Lexicon) =>
  wishes?.table.find(
    (row) => row.wish === wish && (id === null ? row.of.length === 0 : row.of.includes(id)),
  );

/** A clause for what serves a wish: any of these things is what was asked for. */
export const wishClause = ({ label, needs }: WishRow): Clause =>
  needClause(label, ROLE.head, needs);
