import { FORM } from '../../domain/relevance.ts';
import type { Entry, LanguageIndex } from '../lexicon-types.ts';
import { resolveStem, singularPortuguese } from '../text/stem.ts';
import { foldLowered } from '../text/text.ts';
import type { Unit } from '../text/tokenize.ts';

/** A form found in a text: which units it covers and how surely it is meant. */
export type Candidate = {
  entry: Entry;
  /** Positions of the covered units, ascending. */
  at: number[];
  /** 1 for the form as written; less for stems, gaps, missing accents and repairs. */
  quality: number;
};

const SHORT_STEM = 3;
const MAX_GAP = 4;

/**
 * Finds every form of one language in the units, contiguous or with gaps. Packaging holds no form, nor do the
 * pieces of a word that lost a letter to `_` (CAFE_NA is not coffee).
 */
export function findForms(units: readonly Unit[], index: LanguageIndex): Candidate[] {
  const stems = stemsOf(units, index);
  const found: Candidate[] = [];
  for (let from = 0; from < units.length; from += 1) {
    findFrom(units, stems, from, index, found);
    findGapped(units, stems, from, index, found);
  }
  return found.filter(({ at }) => at.every((place) => isWord(units, place)));
}

const stemsOf = (units: readonly Unit[], index: LanguageIndex): string[] =>
  units.map((unit) =>
    unit.spaced ? resolveStem(unit.text, index.language, index.stem, index.stemWords) : unit.text,
  );

/**
 * Finds forms of several words whose content words all stand in a long query, in any order and however far apart:
 * "mon canapé est griffé, je voudrais une housse" is "housse de canapé". Names alone, for a story says much besides.
 */
export function findScattered(units: readonly Unit[], index: LanguageIndex): Candidate[] {
  // The first place of each, so that the cost does not grow with words said again.
  const places = new Map(
    stemsOf(units, index)
      .map((stem, at) => [stem, at] as const)
      .reverse(),
  );
  return [...places.keys()].flatMap((first) =>
    (index.gapped.get(first) ?? []).flatMap(({ entry, content }) => {
      const at = content.flatMap((word) => places.get(word) ?? []);
      if (entry.purpose || at.length < content.length || new Set(at).size < 2) return [];
      return { entry, at: at.sort((a, b) => a - b), quality: FORM.scattered };
    }),
  );
}

/** Whether a unit is a word, neither a piece of one that lost a letter ("MAGN_SIO") nor what a thing is packed in. */
export function isWord(units: readonly Unit[], place: number): boolean {
  const isTorn = units[place]?.after === '_' && place + 1 < units.length;
  return !isTorn && units[place - 1]?.after !== '_' && units[place]?.packaging !== true;
}

function findFrom(
  units: readonly Unit[],
  stems: readonly string[],
  from: number,
  index: LanguageIndex,
  found: Candidate[],
): void {
  const text = units[from]?.text ?? '';
  const stem = stems[from] ?? '';
  const long = index.longest.get(text) ?? 0;
  const reach = text === stem ? long : Math.max(long, index.longest.get(stem) ?? 0);
  const end = Math.min(units.length, from + reach);
  let key: Key = { exact: '', accented: '', stem: '' };
  let spacedBefore = false;
  for (let to = from; to < end; to += 1) {
    const unit = units[to];
    if (!unit) break;
    // In unspaced scripts a form crosses a space only if it begins at the start of a run.
    if (!unit.spaced && unit.starts && to > from && !units[from]?.starts) break;
    if (to === from + 1 && !mayBegin(units, stems, from, index)) break;
    const space = to > from && (spacedBefore || unit.spaced) ? ' ' : '';
    key = {
      exact: key.exact + space + unit.text,
      accented: key.accented + space + unit.accented,
      stem: key.stem + space + stems[to],
    };
    spacedBefore = unit.spaced;
    const exact = index.exact.get(key.exact) ?? NONE;
    const stemmed = unit.spaced ? stemEntries(key, index) : NONE;
    if (exact.length === 0 && stemmed.length === 0) continue;
    const at = range(from, to);
    for (const entry of exact) {
      const quality = accentQuality(key, entry);
      if (quality === 1 || !entry.strict) found.push({ entry, at, quality });
    }
    for (const entry of stemmed) {
      if (!exact.includes(entry))
        found.push({ entry, at, quality: stemQuality(units, at, key.stem, entry) });
    }
  }
}

/** Whether forms may begin with two units; in scripts without spaces all may. */
function mayBegin(
  units: readonly Unit[],
  stems: readonly string[],
  from: number,
  { pairs }: LanguageIndex,
): boolean {
  const [one, two] = [units[from], units[from + 1]];
  if (!one?.spaced || !two?.spaced) return true;
  const [stem = '', next = ''] = [stems[from], stems[from + 1]];
  return pairs.mayBegin(one.text, two.text) || pairs.mayBegin(stem, next);
}

/** Some units as the keys of a language's forms, and with their accents. */
type Key = { exact: string; accented: string; stem: string };

const NONE: readonly Entry[] = [];

function stemEntries({ exact, stem }: Key, index: LanguageIndex): readonly Entry[] {
  const stemmed = index.stems.get(stem) ?? NONE;
  const plain = stem === exact ? undefined : index.exact.get(stem);
  return plain ? [...stemmed, ...plain.filter((entry) => !entry.strict)] : stemmed;
}

// Accents that are written are meant ("bò" is not "bộ"); without any, all readings stay open.
function accentQuality({ exact, accented }: Key, entry: Entry): number {
  if (accented === entry.accented) return 1;
  return accented === exact ? FORM.unaccented : FORM.wrongAccent;
}

// One stem, two words: "peito" is not "peita", nor "Eisen" "Eis".
function stemQuality(units: readonly Unit[], at: number[], stem: string, entry: Entry): number {
  const [unit] = at.flatMap((place) => units[place] ?? []);
  if (at.length > 1 || unit === undefined) return FORM.stem;
  const form = foldLowered(entry.accented);
  const isOther =
    entry.language === 'pt' && singularPortuguese(unit.text) !== singularPortuguese(form);
  const isShort =
    stem.length <= SHORT_STEM && unit.text !== stem && form.length !== unit.text.length;
  if (isShort) return FORM.shortStem;
  return isOther ? FORM.looseStem : FORM.stem;
}

/** Words that negate the next one: "água sem gás" does not contain "água com gás" with a gap. */
const NEGATIONS = new Set(['sem', 'sin', 'without', 'sans', 'ohne', 'senza', 'zonder']);

function findGapped(
  units: readonly Unit[],
  stems: readonly string[],
  from: number,
  index: LanguageIndex,
  found: Candidate[],
): void {
  const first = stems[from];
  for (const form of (first === undefined ? undefined : index.gapped.get(first)) ?? []) {
    const at = placesOf(form.content, stems, from);
    if (at === null) continue;
    const isNegated = at.some(
      (place) => place > from && NEGATIONS.has(units[place - 1]?.text ?? ''),
    );
    if (!isNegated) found.push({ entry: form.entry, at, quality: FORM.gapped });
  }
}

/** Where some stems stand, the first of them at `from`; null unless all follow at little distance. */
function placesOf(
  content: readonly string[],
  stems: readonly string[],
  from: number,
): number[] | null {
  let at: number[] | null = null;
  let next = from + 1;
  for (let part = 1; part < content.length; part += 1) {
    const last = Math.min(stems.length, next + MAX_GAP);
    while (next < last && stems[next] !== content[part]) next += 1;
    if (next >= last) return null;
    at ??= [from];
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
