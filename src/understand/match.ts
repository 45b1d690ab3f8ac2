import { resolveStem } from './stem.ts';
import { joinUnits, type Unit } from './tokenize.ts';
import type { Entry, LanguageIndex } from './types.ts';

/** A form found in a text: which units it covers and how surely it is meant. */
export type Candidate = {
  entry: Entry;
  /** Positions of the covered units, ascending. */
  at: number[];
  /** 1 for the form as written; less for stems, gaps, missing accents and repairs. */
  quality: number;
};

const STEM_QUALITY = 0.92;
const GAP_QUALITY = 0.85;
const WRONG_ACCENT = 0.75;
const MAX_GAP = 4;

/** Finds every form of one language in the units, contiguous ones and those with gaps. */
export function findForms(units: readonly Unit[], index: LanguageIndex): Candidate[] {
  const stems = units.map((unit) =>
    unit.spaced ? resolveStem(unit.text, index.language, index.stem, index.stemWords) : unit.text,
  );
  const found: Candidate[] = [];
  for (let from = 0; from < units.length; from += 1) {
    findFrom(units, stems, from, index, found);
    findGapped(stems, from, index, found);
  }
  return found;
}

function findFrom(
  units: readonly Unit[],
  stems: readonly string[],
  from: number,
  index: LanguageIndex,
  found: Candidate[],
): void {
  const text = units[from]?.text ?? '';
  const reach = Math.max(index.longest.get(text) ?? 0, index.longest.get(stems[from] ?? '') ?? 0);
  let exactKey = '';
  let stemKey = '';
  let spacedBefore = false;
  for (let to = from; to < Math.min(units.length, from + reach); to += 1) {
    const unit = units[to];
    if (!unit) break;
    // A word of an unspaced script may run over a space only from where a word starts.
    if (!unit.spaced && unit.starts && to > from && !units[from]?.starts) break;
    const space = to > from && (spacedBefore || unit.spaced) ? ' ' : '';
    exactKey += space + unit.text;
    stemKey += space + stems[to];
    spacedBefore = unit.spaced;
    const exact = index.exact.get(exactKey);
    const at = range(from, to);
    for (const entry of exact ?? []) {
      const quality = accentQuality(units.slice(from, to + 1), entry);
      if (quality === 1 || !entry.strict) found.push({ entry, at, quality });
    }
    if (!unit.spaced) continue;
    for (const entry of stemEntries(stemKey, exactKey, index)) {
      if (!exact?.includes(entry)) found.push({ entry, at, quality: STEM_QUALITY });
    }
  }
}

function stemEntries(stemKey: string, exactKey: string, index: LanguageIndex): readonly Entry[] {
  const stemmed = index.stems.get(stemKey) ?? [];
  const plain = stemKey === exactKey ? undefined : index.exact.get(stemKey);
  return plain ? [...stemmed, ...plain.filter((entry) => !entry.strict)] : stemmed;
}

// Who writes accents means them: "bò" is not "bộ". Who leaves them out is given all readings.
function accentQuality(units: readonly Unit[], entry: Entry): number {
  const accented = joinUnits(units, (unit) => unit.accented);
  if (accented === entry.accented) return 1;
  const folded = joinUnits(units, (unit) => unit.text);
  return accented === folded ? 0.97 : WRONG_ACCENT;
}

function findGapped(
  stems: readonly string[],
  from: number,
  index: LanguageIndex,
  found: Candidate[],
): void {
  const first = stems[from];
  for (const form of (first === undefined ? undefined : index.gapped.get(first)) ?? []) {
    const at = [from];
    let next = from + 1;
    for (const stem of form.content.slice(1)) {
      const last = Math.min(stems.length, next + MAX_GAP);
      while (next < last && stems[next] !== stem) next += 1;
      if (next >= last) break;
      at.push(next);
      next += 1;
    }
    if (at.length === form.content.length) {
      found.push({ entry: form.entry, at, quality: GAP_QUALITY });
    }
  }
}

function range(from: number, to: number): number[] {
  const positions: number[] = [];
  for (let position = from; position <= to; position += 1) positions.push(position);
  return positions;
}
