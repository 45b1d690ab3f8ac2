import type { BrandIndex, Lexicon } from '../lexicon-types.ts';
import { tokenize, type Unit } from '../text/tokenize.ts';

/** A brand in a query: its positions, and its words as titles write them. */
export type NamedBrand = { at: number[]; words: readonly string[] };

/** Shorter stems match by coincidence. */
const LEAST_STEM = 4;
const MOST_ENDING = 2;
const KATAKANA = /^[ァ-ヺー]$/;

/** Parses `lexicon/brands.txt`: `name: spelling, …`; `*` before a name makes it a spelling too. */
export function indexBrands(text: string): BrandIndex {
  const names = new Map<string, readonly string[]>();
  const makers = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    const [name = '', spellings] = line.split(':');
    if (spellings === undefined || line.startsWith('#')) continue;
    const words = tokenize(name.replace('*', '')).map(({ text }) => text);
    const forms = spellings.split(',').map((form) => tokenize(form).map(({ text }) => text));
    if (!name.startsWith('*') && words.length === 1) makers.add(words.join(''));
    for (const form of name.startsWith('*') ? [words, ...forms] : forms) {
      if (form.length > 0) names.set(form.join(' '), words);
    }
  }
  const lengths = [...names.keys()].map((key) => key.split(' ').length);
  return { names, makers, longest: Math.max(0, ...lengths) };
}

/** Finds the brands in the units by longest match. */
export function findBrands(units: readonly Unit[], { brands }: Lexicon): NamedBrand[] {
  const found: NamedBrand[] = [];
  if (brands === undefined) return found;
  for (let from = 0; from < units.length; ) {
    const one = isWithin(units, from) ? null : brandAt(units, from, brands);
    if (one !== null) found.push(one);
    from = one === null ? from + 1 : from + one.at.length;
  }
  return found;
}

function brandAt(
  units: readonly Unit[],
  from: number,
  { names, longest }: BrandIndex,
): NamedBrand | null {
  for (let length = Math.min(longest, units.length - from); length > 0; length -= 1) {
    const to = from + length;
    if (isWithin(units, to)) continue;
    const key = units.slice(from, to).map(({ text }) => text);
    const words = names.get(key.join(' ')) ?? withoutEnding(units[from], length, names);
    if (words === undefined) continue;
    return { at: Array.from({ length }, (_, position) => from + position), words };
  }
  return null;
}

/** Finds inflected brands in other scripts with spaces: "айфона". */
function withoutEnding(unit: Unit | undefined, length: number, names: BrandIndex['names']) {
  if (unit === undefined || length > 1 || !unit.spaced || unit.script === 'latin') return undefined;
  for (let ending = 1; ending <= MOST_ENDING; ending += 1) {
    const stem = unit.text.slice(0, -ending);
    const words = stem.length >= LEAST_STEM ? names.get(stem) : undefined;
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Returns whether a unit lies inside a run of katakana, where no word starts. */
function isWithin(units: readonly Unit[], at: number): boolean {
  const [before, unit] = [units[at - 1], units[at]];
  if (before === undefined || unit === undefined || unit.starts) return false;
  return KATAKANA.test(before.text) && KATAKANA.test(unit.text);
}
