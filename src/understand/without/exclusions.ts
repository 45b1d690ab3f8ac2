import { LEAST_FORM, ROLE } from '../../domain/relevance.ts';
import type { Clause } from '../../domain/search.ts';
import { plainWords } from '../clauses/clauses.ts';
import { markersAt } from '../lexicon/exclusion-words.ts';
import type { Lexicon, Manner, Need } from '../lexicon-types.ts';
import { type Candidate, findForms, isWord } from '../reading/find.ts';
import { ancestorsOf } from '../reading/parts.ts';
import type { Span } from '../reading/spans.ts';
import { tokenize, type Unit } from '../text/tokenize.ts';
import type { Diet, Exclusion } from '../types.ts';
import { knownDiets } from './diets.ts';
import { compoundOf, excludedBy } from './excluded.ts';
import { type Excluded, isOwn, type Text } from './excluded-things.ts';

/** The remaining units of a query, and its exclusions. */
export type ExtractedExclusions = {
  rest: Unit[];
  exclusions: Exclusion[];
  /** Language scores of the extracted words, on the scale of `scoreLanguages`. */
  heard: ReadonlyMap<string, number>;
};

const MAX_EXCLUSIONS = 6;

/**
 * Extracts what results must be without. Forms of the lexicon stay in the units ("sem fio", "frost free");
 * `readNeeds` finds the needs in the units.
 */
export function extractExclusions(
  units: readonly Unit[],
  lexicon: Lexicon,
  readNeeds: () => readonly Candidate[],
): ExtractedExclusions {
  const marked = units.map((_, at) => (isWord(units, at) ? markersAt(units, at, lexicon) : []));
  const joined = units.map((unit) => compoundOf(unit, lexicon));
  if (!marked.some((markers) => markers.length > 0) && joined.every((one) => one === null)) {
    return { rest: [...units], exclusions: [], heard: new Map() };
  }
  const text: Text = { units, needs: readNeeds(), lexicon };
  const found: Excluded[] = [];
  for (const [at] of units.entries()) {
    if (found.some(({ from, to }) => at >= from && at < to)) continue;
    const diet = joined[at];
    if (diet) {
      const name = { from: at, to: at + 1 };
      found.push({ diet, manner: 'without', ...name, name });
    } else found.push(...excludedBy(marked[at] ?? [], at, text));
  }
  return apart(found.slice(0, MAX_EXCLUSIONS), text);
}

/** Needs whose descendants are eaten or drunk. */
const FOOD = new Set([
  'food',
  'grocery',
  'greengrocer',
  'butcher',
  'fishmonger',
  'baby-formula',
  'gift-basket',
]);

/**
 * Adds the diets that clauses ask for by a need ("vegan", "diabetic"), unless the head is no food: socks for diabetics
 * need no check for sugar.
 */
export function withDietsAsked(
  known: readonly Exclusion[],
  clauses: readonly Clause[],
  { spans, units, head }: { spans: readonly Span[]; units: readonly Unit[]; head: Need | null },
  lexicon: Lexicon,
): Exclusion[] {
  const inside = new Set(spans.flatMap((span) => needsInside(span, units, lexicon)));
  const own = new Set(known.flatMap(({ clause }) => clause ?? []));
  const clauseOf = ({ needs }: Diet) =>
    clauses.find(
      (clause) =>
        !own.has(clause) && needs.some((need) => clause.meanings[0]?.token === `c:${need}`),
    ) ?? null;
  const isFood =
    head === null || [head.id, ...ancestorsOf(head.id, lexicon)].some((id) => FOOD.has(id));
  const asked = [...knownDiets().values()].flatMap((diet): Exclusion[] => {
    const clause = clauseOf(diet);
    const isAsked = clause !== null || diet.needs.some((need) => inside.has(need));
    const isNew = isAsked && !known.some((one) => one.diet.id === diet.id);
    return isNew && isFood ? [{ diet, manner: 'without', clause }] : [];
  });
  const told = known.map((one) => ({ ...one, clause: one.clause ?? clauseOf(one.diet) }));
  return [...told, ...asked];
}

/** Returns the needs inside a longer form: "hambúrguer vegano" is a need of its own, and vegan. */
function needsInside({ at, readings }: Span, units: readonly Unit[], lexicon: Lexicon): string[] {
  const index = lexicon.languages.get(readings[0]?.entry.language ?? '');
  if (index === undefined || at.length < 2) return [];
  const inner = at.flatMap((position) => units[position] ?? []);
  const isSure = ({ quality }: Candidate) => quality >= LEAST_FORM.sure;
  return findForms(inner, index)
    .filter(isSure)
    .map(({ entry }) => entry.target);
}

/** Removes the exclusions from the units, unless the lexicon has a form for marker and name together. */
function apart(found: readonly Excluded[], { units, needs, lexicon }: Text): ExtractedExclusions {
  const taken = new Set<number>();
  const exclusions: Exclusion[] = [];
  for (const { diet, manner, from, to, name } of found) {
    const own = isOwn(diet);
    const form = needs.find(
      ({ at, quality }) =>
        quality >= LEAST_FORM.sure &&
        at.some((position) => position >= name.from && position < name.to) &&
        at.some(
          (position) =>
            position >= from && position < to && (position < name.from || position >= name.to),
        ),
    );
    const target = form?.entry.target ?? null;
    const isAsked =
      target !== null && [...knownDiets().values()].some(({ needs: own }) => own.includes(target));
    const stays = target !== null && (!isAsked || diet.needs.includes(target));
    if (stays && own) continue;
    // An unknown word also stays searchable; records that name it are dropped all the same.
    const leaves = !stays && (!own || diet.names.some((one) => 'need' in one));
    if (leaves) for (let position = from; position < to; position += 1) taken.add(position);
    if (!exclusions.some((one) => one.diet.id === diet.id)) {
      exclusions.push({ diet, manner, clause: leaves ? askFor(diet, manner, lexicon) : null });
    }
  }
  const rest = units.flatMap((unit, position) =>
    taken.has(position) ? [] : [taken.has(position - 1) ? { ...unit, starts: true } : unit],
  );
  return { rest, exclusions, heard: heardIn(taken, { units, needs, lexicon }) };
}

/** Scores languages by the removed words; a word of several languages counts less for each. */
function heardIn(positions: ReadonlySet<number>, { units, needs, lexicon }: Text) {
  const heard = new Map<string, number>();
  for (const position of positions) {
    const known = new Set([
      ...markersAt(units, position, lexicon).map(({ language }) => language),
      ...needs.flatMap(({ at, entry }) => (at.includes(position) ? entry.language : [])),
    ]);
    for (const language of known) {
      heard.set(language, (heard.get(language) ?? 0) + 1 / Math.sqrt(known.size));
    }
  }
  return heard;
}

/** Makes a clause for records that say that they are without it; null for "not a case". */
function askFor(diet: Diet, manner: Manner, lexicon: Lexicon): Clause | null {
  if (manner === 'not' && isOwn(diet)) return null;
  const own = diet.names.flatMap((name) => ('need' in name ? [`c:${name.need}`] : []));
  const meant = isOwn(diet) ? own : diet.says.map((id) => `c:${id}`);
  return {
    ...{ label: diet.label, kind: 'concept', weight: ROLE.attribute, leads: false, names: [] },
    words: plainWords(tokenize(diet.label).slice(1), lexicon).flatMap(({ words }) => words),
    meanings: meant.map((token) => ({ token, sureness: 1 })),
  };
}
