import { LEAST_FORM } from '../../domain/relevance.ts';
import { FILLERS, JOINTS } from '../lexicon/exclusion-words.ts';
import type { Lexicon, Manner, Marker, Need } from '../lexicon-types.ts';
import { type Candidate, findForms } from '../reading/find.ts';
import type { Unit } from '../text/tokenize.ts';
import type { Diet, Name } from '../types.ts';
import type { Match } from './diets.ts';

/** A thing that is excluded, the units that say so, and those of its name. */
export type Excluded = { diet: Diet; manner: Manner; from: number; to: number; name: Match };

/** A query with the needs that it names. */
export type Text = { units: readonly Unit[]; needs: readonly Candidate[]; lexicon: Lexicon };

/** How many words may stand between a marker and what it excludes. */
export const MAX_FILLERS = 4;
/** "no" is Portuguese for "in the", "non" and "0" may belong to a name: only names of their own language follow them. */
export const DOUBTFUL = new Set(['no', 'non', 'zero', 'bebas']);
/** One character that excludes only foods: 无线 is wireless, 무선 too. */
const JOINED = new Set(['无', '無', '무', '노', '零', '免', 'بی', 'بي']);
const LEAST_WORD = 3;
const MAX_NAME = 5;
const MAX_THINGS = 4;

export const isFiller = ({ units }: Text, at: number): boolean =>
  FILLERS.has(units[at]?.text ?? '-');

/** Things that a marker excludes: "not a case or a screen protector". */
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

/** The thing, no food, that a marker at a unit excludes: "não capinha", "not a case", "sem cadarço". */
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

/** "no leather" excludes it, "no shopping" says where. */
const isPortuguese = ({ text }: Unit, { lexicon }: Text) =>
  lexicon.languages.get('pt')?.words.has(text) === true;

type Thing = Match & { targets: string[] };

/** What a word means with another comes before what it means alone; both are excluded. */
const meantWith = (both: Thing | null, alone: Thing | null): Thing | null =>
  both && alone ? { ...alone, targets: [...both.targets, ...alone.targets] } : (both ?? alone);

/** A need that the words beside the marker name in its language. */
function needBeside(marker: Marker, start: number, at: number, text: Text): Thing | null {
  const things = text.needs
    .filter((one) => one.entry.language === marker.language && isThing(one, text.lexicon))
    .map(({ entry, at: places }) => ({
      ...{ target: entry.target, from: places[0] ?? 0, to: (places.at(-1) ?? 0) + 1 },
    }))
    .filter(({ from, to }) => (marker.side === 'after' ? from === start : to === at))
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  const [first] = things;
  if (first === undefined) return null;
  const { to } = first;
  const from = marker.side === 'before' && first.from === 0 ? lastWord(text.units, to) : first.from;
  const same = things.filter((thing) => thing.from === first.from && thing.to === to);
  // A word of several meanings excludes them all; what was written by hand names it.
  const written = same.filter(({ target }) => !target.startsWith('+'));
  const targets = [...written, ...same].map(({ target }) => target);
  return { targets: [...new Set(targets)], from, to };
}

/** "iPhone ケースじゃない": what is not meant is the last word, for the first is what is. */
function lastWord(units: readonly Unit[], to: number): number {
  return Math.max(
    0,
    units.slice(0, to).findLastIndex(({ starts }) => starts),
  );
}

/** "iphone, not a case", "Handy, keine Hülle": the need that a name and a word of the query mean together. */
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

/** Where a name beside a marker may stand: one word, or some characters of a script without spaces. */
function namesBeside({ side }: Marker, start: number, at: number, units: readonly Unit[]) {
  const isName = (from: number, to: number) =>
    to - from === 1 || units.slice(from, to).every(({ spaced }) => !spaced);
  return Array.from({ length: MAX_NAME }, (_, place): [number, number] =>
    side === 'after' ? [start, start + MAX_NAME - place] : [at - MAX_NAME + place, at],
  ).filter(([from, to]) => from >= 0 && to <= units.length && isName(from, to));
}

/** Of words that nobody knows only "sem" makes an exclusion: "sem estampa". */
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

/** Whether it is a thing told like a diet, and none of the lexicon's. */
export const isOwn = ({ id }: Diet): boolean => id.startsWith(OWN);

function ownDiet(units: readonly Unit[], needs: readonly Need[], { language }: Marker): Diet {
  const written = units.map(({ accented }) => accented).join(' ');
  // "com gás" is a need of its own: who wants none of it wants "sem gás".
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
