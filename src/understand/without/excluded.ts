import { LEAST_FORM } from '../../domain/relevance.ts';
import { JOINTS } from '../lexicon/exclusion-words.ts';
import type { Lexicon, Marker } from '../lexicon-types.ts';
import { type Candidate, findForms } from '../reading/find.ts';
import type { Unit } from '../text/tokenize.ts';
import type { Diet, Name } from '../types.ts';
import { findNames, knownDiets, type Match } from './diets.ts';
import {
  DOUBTFUL,
  type Excluded,
  isFiller,
  MAX_FILLERS,
  type Text,
  thingsBeside,
} from './excluded-things.ts';

/** Maximum units between an allergen and the word "allergic". */
const ALLERGY_REACH = 5;
const ALLERGIC = /^(.{2,}?)-?(?:allerg|alerg|alerj|intoler)/;

/** Finds what the markers at a unit exclude: diets first, then things. */
export function excludedBy(markers: readonly Marker[], at: number, text: Text): Excluded[] {
  for (const marker of markers) {
    const named = marker.manner === 'allergy' ? allergens(marker, at, text) : [];
    const first = named[0] ?? (marker.manner === 'allergy' ? null : dietBeside(marker, at, text));
    if (first) return [first, ...furtherDiets(first, text)];
  }
  const sorted = [...markers].sort(
    (a, b) =>
      b.words.length - a.words.length || Number(b.manner === 'not') - Number(a.manner === 'not'),
  );
  for (const marker of sorted) {
    const things = marker.manner === 'allergy' ? [] : thingsBeside(marker, at, text);
    if (things.length > 0) return things;
  }
  return [];
}

/** Finds diets in a query by words, then by needs; only in `language` if given. */
function dietsNamed({ units, needs, lexicon }: Text, language: string | null) {
  const known = needs.filter(
    ({ entry, quality }) =>
      quality >= LEAST_FORM.written && (language === null || entry.language === language),
  );
  const find = (names: readonly Name[], among: readonly Candidate[]) =>
    findNames(names, units, among, lexicon);
  const diets = [...knownDiets().values()];
  const byWord = diets.flatMap((diet) =>
    [...(language === null ? find(diet.names, []) : []), ...find(diet.foreign, [])].map(
      (match) => ({
        diet,
        ...match,
      }),
    ),
  );
  const byNeed = diets.flatMap((diet) =>
    find(diet.names, known).map((match) => ({ diet, ...match })),
  );
  return [
    ...byWord,
    ...(language === null ? byNeed : byNeed.filter(({ from }) => isCovered(known, from))),
  ];
}

const isCovered = (needs: readonly Candidate[], position: number) =>
  needs.some(({ at }) => at.includes(position));

const longest = <T extends Match>(matches: readonly T[]): T | undefined =>
  [...matches].sort((a, b) => b.to - b.from - (a.to - a.from))[0];

function dietBeside(marker: Marker, at: number, text: Text): Excluded | null {
  const end = at + marker.words.length;
  const isDoubtful = marker.words.length === 1 && DOUBTFUL.has(marker.words[0] ?? '');
  const all = dietsNamed(text, isDoubtful ? marker.language : null);
  if (marker.side === 'before') {
    const name = longest(
      all.filter(({ to }) => to === at || (to === at - 1 && isFiller(text, to))),
    );
    if (name === undefined || text.units[at - 1]?.after.includes(',')) return null;
    return { diet: name.diet, manner: marker.manner, from: name.from, to: end, name };
  }
  for (let start = end; start <= end + MAX_FILLERS; start += 1) {
    const name = longest(all.filter(({ from }) => from === start));
    if (name !== undefined) {
      return { diet: name.diet, manner: 'without', from: at, to: name.to, name };
    }
    if (!isFiller(text, start)) return null;
  }
  return null;
}

/** Finds the nearest allergen, after a preposition first: "alérgico a leite", "milk allergy", "lactose intolerant". */
function allergens(marker: Marker, at: number, text: Text): Excluded[] {
  const end = at + marker.words.length;
  const all = dietsNamed(text, null);
  const next = Math.min(
    ...all.flatMap(({ from }) => (from >= end && from <= end + ALLERGY_REACH ? from : [])),
  );
  const last = Math.max(
    ...all.flatMap(({ to }) => (to <= at && to >= at - ALLERGY_REACH ? to : [])),
  );
  const after = longest(all.filter(({ from }) => from === next));
  const before = longest(all.filter(({ to }) => to === last));
  const isBefore = last === at && !isFiller(text, end);
  const name = isBefore ? before : (after ?? before);
  if (name === undefined) return [];
  const [from, to] = [Math.min(at, name.from), Math.max(end, name.to)];
  return [{ diet: name.diet, manner: 'without', from, to, name }];
}

/** Finds the other diets of a list: "without nuts and milk". */
function furtherDiets(first: Excluded, text: Text): Excluded[] {
  const further: Excluded[] = [];
  const all = dietsNamed(text, null);
  for (let last = first; last.to >= first.to; ) {
    const isList = text.units[last.to - 1]?.after.trimStart().startsWith(',');
    let next = last.to;
    while (JOINTS.has(text.units[next]?.text ?? '-') || (next > last.to && isFiller(text, next)))
      next += 1;
    const name = longest(all.filter(({ from }) => from === next));
    if (name === undefined || (next === last.to && !isList)) break;
    last = { ...first, diet: name.diet, from: last.to, to: name.to, name };
    further.push(last);
  }
  return further;
}

/** Returns the diet of a word that includes its marker: "erdnussfrei", "sütsüz", "mogyoróallergia". */
export function compoundOf(unit: Unit, lexicon: Lexicon): Diet | null {
  if (!unit.spaced) return null;
  const allergic = ALLERGIC.exec(unit.text)?.[1];
  if (allergic !== undefined) return dietCalled(allergic, unit, null, lexicon);
  for (const [suffix, language] of lexicon.wishes?.exclusions.suffixes ?? []) {
    if (!unit.text.endsWith(suffix) || unit.text.length < suffix.length + 2) continue;
    const diet = dietCalled(unit.text.slice(0, -suffix.length), unit, language, lexicon);
    if (diet !== null) return diet;
  }
  return null;
}

function dietCalled(
  base: string,
  unit: Unit,
  language: string | null,
  lexicon: Lexicon,
): Diet | null {
  const indexes = [...lexicon.languages.values()].filter(
    (index) => language === null || index.language === language,
  );
  const isKnown = indexes.some((index) =>
    index.exact.get(unit.text)?.some(({ target }) => lexicon.needs.has(target)),
  );
  if (isKnown) return null;
  for (const text of [base, base.replace(/(?:s|n|en|e)$/, '')]) {
    const units = [{ ...unit, text, accented: text }];
    const needs = indexes.flatMap((index) => findForms(units, index));
    const [named] = dietsNamed({ units, needs, lexicon }, null);
    if (text.length > 1 && named !== undefined) return named.diet;
  }
  return null;
}
