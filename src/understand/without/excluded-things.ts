import { LEAST_FORM } from '../../domain/relevance.ts';
import { FILLERS, JOINTS } from '../lexicon/exclusion-words.ts';
import type { Lexicon, Manner, Marker, Need } from '../lexicon-types.ts';
import { type Candidate, findForms } from '../reading/find.ts';
import type { Unit } from '../text/tokenize.ts';
import type { Diet, Name } from '../types.ts';
import type { Match } from './diets.ts';

/** An excluded thing at the units [`from`, `to`), with its marker, and the range of its name alone. */
export type Excluded = { diet: Diet; manner: Manner; from: number; to: number; name: Match };

/** A query with its candidates. */
export type Text = { units: readonly Unit[]; needs: readonly Candidate[]; lexicon: Lexicon };

/** Maximum words between a marker and what it excludes. */
export const MAX_FILLERS = 4;
/** Ambiguous markers ("no" is Portuguese for "in the"): only names of the marker's language may follow them. */
export const DOUBTFUL = new Set(['no', 'non', 'zero', 'bebas']);
/** Markers that only exclude diets: 无线 and 무선 mean wireless. */
const JOINED = new Set(['无', '無', '무', '노', '零', '免', 'بی', 'بي']);
const LEAST_WORD = 3;
const MAX_NAME = 5;
const MAX_THINGS = 4;

export const isFiller = ({ units }: Text, at: number): boolean =>
  FILLERS.has(units[at]?.text ?? '-');

/** Finds the things that a marker excludes: "not a case or a screen protector". */
export function thingsBeside(marker: Marker, at: number, text: Text): Excluded[] {
  const things: Excluded[] = [];
  let thing = thingBeside(marker, at, text);
  while (thing !== null && things.length < MAX_THINGS) {
    things.push(thing);
    const next = thing.to;
    if (marker.side === 'before' || !JOINTS.has(text.units[next]?.text ?? '-')) break;
    const further = thingBeside({ ...marker, words: [''] }, next, text);
    thing = further !== null && further.to > next ? further : null;
  }
  return things;
}

/** Finds the thing (not a diet) that a marker excludes: "não capinha", "not a case", "sem cadarço". */
function thingBeside(marker: Marker, at: number, text: Text): Excluded | null {
  if (JOINED.has(marker.words.join(''))) return null;
  const end = at + marker.words.length;
  let start = end;
  while (marker.side === 'after' && start < end + MAX_FILLERS && isFiller(text, start)) start += 1;
  const beside = needBeside(marker, start, at, text);
  const both = marker.manner === 'not' ? needOfBoth(marker, start, at, text) : null;
  const name = meantWith(both, beside) ?? wordBeside(marker, start, text);
  if (name === null) return null;
  const words = text.units.slice(name.from, name.to);
  if (DOUBTFUL.has(marker.words.join(' ')) && words.some((word) => isPortuguese(word, text))) {
    return null;
  }
  const needs = name.targets.flatMap((target) => text.lexicon.needs.get(target) ?? []);
  return {
    diet: ownDiet(words, needs, marker),
    ...{ manner: marker.manner, name },
    ...{ from: Math.min(at, name.from), to: Math.max(end, name.to) },
  };
}

/** Tells English "no leather" from Portuguese "no shopping" (at the mall). */
const isPortuguese = ({ text }: Unit, { lexicon }: Text) =>
  lexicon.languages.get('pt')?.words.has(text) === true;

type Thing = Match & { targets: string[] };

/** Joins the combined meaning of a word with its own; both are excluded. */
const meantWith = (both: Thing | null, alone: Thing | null): Thing | null =>
  both && alone ? { ...alone, targets: [...both.targets, ...alone.targets] } : (both ?? alone);

/** Finds the need beside a marker, in the language of the marker. */
function needBeside(marker: Marker, start: number, at: number, text: Text): Thing | null {
  const things = text.needs
    .filter((one) => one.entry.language === marker.language && isThing(one, text.lexicon))
    .map(({ entry, at: positions }) => ({
      ...{ target: entry.target, from: positions[0] ?? 0, to: (positions.at(-1) ?? 0) + 1 },
    }))
    .filter(({ from, to }) => (marker.side === 'after' ? from === start : to === at))
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  const [first] = things;
  if (first === undefined) return null;
  const { to } = first;
  const from = marker.side === 'before' && first.from === 0 ? lastWord(text.units, to) : first.from;
  const same = things.filter((thing) => thing.from === first.from && thing.to === to);
  // An ambiguous word excludes all its needs; a hand-written one comes first and gives the label.
  const written = same.filter(({ target }) => !target.startsWith('+'));
  const targets = [...written, ...same].map(({ target }) => target);
  return { targets: [...new Set(targets)], from, to };
}

/** "iPhone ケースじゃない": only the last word is excluded, the first is what is wanted. */
function lastWord(units: readonly Unit[], to: number): number {
  return Math.max(
    0,
    units.slice(0, to).findLastIndex(({ starts }) => starts),
  );
}

/** Finds the need of a name and an earlier word together: "iphone, not a case", "Handy, keine Hülle". */
function needOfBoth(marker: Marker, start: number, at: number, text: Text): Thing | null {
  const index = text.lexicon.languages.get(marker.language);
  if (index === undefined) return null;
  const { units } = text;
  const isWhole = (together: readonly Unit[]) =>
    findForms(together, index).find(
      (form) => form.at.length === together.length && isThing(form, text.lexicon),
    );
  for (const [from, to] of namesBeside(marker, start, at, units)) {
    const name = units.slice(from, to);
    for (const other of units.slice(0, Math.min(from, at))) {
      const [last] = name;
      const one = last && {
        ...last,
        text: other.text + last.text,
        accented: other.accented + last.accented,
      };
      const ways = [
        [other, ...name],
        [...name, other],
        ...(one?.spaced && to - from === 1 ? [[one]] : []),
      ];
      const whole = ways.flatMap((way) => isWhole(way) ?? [])[0];
      if (whole) return { targets: [whole.entry.target], from, to };
    }
  }
  return null;
}

/** Lists the ranges of a name beside a marker: one word, or up to 5 characters of a script without spaces. */
function namesBeside({ side }: Marker, start: number, at: number, units: readonly Unit[]) {
  const isName = (from: number, to: number) =>
    to - from === 1 || units.slice(from, to).every(({ spaced }) => !spaced);
  return Array.from({ length: MAX_NAME }, (_, position): [number, number] =>
    side === 'after' ? [start, start + MAX_NAME - position] : [at - MAX_NAME + position, at],
  ).filter(([from, to]) => from >= 0 && to <= units.length && isName(from, to));
}

/** Finds an unknown word after "sem", the only marker that excludes unknown words: "sem estampa". */
function wordBeside({ words, side }: Marker, start: number, { units, needs }: Text): Thing | null {
  const unit = units[start];
  if (words.join(' ') !== 'sem' || side !== 'after' || unit?.script !== 'latin') return null;
  if (unit.text.length < LEAST_WORD || needs.some(({ at }) => at.includes(start))) return null;
  return { targets: [], from: start, to: start + 1 };
}

function isThing({ entry, quality }: Candidate, { needs }: Lexicon): boolean {
  const kind = needs.get(entry.target)?.kind;
  const isTold = kind === 'item' || kind === 'dish' || kind === 'attribute';
  return !entry.purpose && quality >= LEAST_FORM.sure && isTold;
}

const OWN = 'own:';

/** Returns whether a diet was made for a thing, rather than read from the lexicon. */
export const isOwn = ({ id }: Diet): boolean => id.startsWith(OWN);

function ownDiet(units: readonly Unit[], needs: readonly Need[], { language }: Marker): Diet {
  const written = units.map(({ accented }) => accented).join(' ');
  // Labels like "com gás": the exclusion is "sem gás".
  const name = (language === 'pt' ? written : (needs[0]?.label ?? written)).replace(/^com /, '');
  const isLatin = units.every(({ script }) => script === 'latin');
  const names: Name[] = [
    ...needs.map(({ id }) => ({ need: id })),
    ...(isLatin ? [{ words: units.map(({ text }) => text), open: false }] : []),
  ];
  return {
    ...{ id: `${OWN}${name}`, tells: `without "${name}"`, label: `sem ${name}`, needs: [] },
    ...{ says: [], names, foreign: [], foods: [], except: [], parts: [] },
  };
}
