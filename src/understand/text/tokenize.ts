import { foldLowered, lower } from './text.ts';

/** Scripts that the lexicon distinguishes. */
export type Script =
  | 'latin'
  | 'cyrillic'
  | 'greek'
  | 'hebrew'
  | 'arabic'
  | 'devanagari'
  | 'bengali'
  | 'tamil'
  | 'georgian'
  | 'thai'
  | 'hangul'
  | 'kana'
  | 'han'
  | 'emoji'
  | 'other';

/** The unit of matching: a word, or one character of a script without spaces. */
export type Unit = {
  text: string;
  accented: string;
  script: Script;
  /** False for Han, kana, Hangul and Thai, where words are found by longest match. */
  spaced: boolean;
  /** True after white space or punctuation. */
  starts: boolean;
  /** Spaces and punctuation up to the next unit or the end, 8 characters at most. */
  after: string;
  /** The abbreviation that it was expanded from, of one word or several. */
  written?: string;
  /** Names the packaging, not the thing. */
  packaging?: boolean;
};

const MAX_CHARS = 1024;
const MAX_WORDS = 64;
const MAX_UNITS = 160;
const MAX_AFTER = 8;
const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|(?![#*])\p{Extended_Pictographic}/gu;
const PICTURE = /\p{Extended_Pictographic}/u;
const MARK = /^\p{M}$/u;
const NUMBERED = /^\D{4,}?(\d{1,4})$/;
const PURE_LATIN = /^[ -\u02ff]*$/;

const RANGES: ReadonlyArray<readonly [number, number, Script]> = [
  [0x0370, 0x03ff, 'greek'],
  [0x0400, 0x052f, 'cyrillic'],
  [0x0590, 0x05ff, 'hebrew'],
  [0x0600, 0x06ff, 'arabic'],
  [0x0750, 0x08ff, 'arabic'],
  [0x0900, 0x097f, 'devanagari'],
  [0x0980, 0x09ff, 'bengali'],
  [0x0b80, 0x0bff, 'tamil'],
  [0x0e00, 0x0e7f, 'thai'],
  [0x10a0, 0x10ff, 'georgian'],
  [0x1100, 0x11ff, 'hangul'],
  [0x3005, 0x3007, 'han'],
  [0x3040, 0x30ff, 'kana'],
  [0x3130, 0x318f, 'hangul'],
  [0x31f0, 0x31ff, 'kana'],
  [0x3400, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'hangul'],
  [0xf900, 0xfaff, 'han'],
  [0x20000, 0x3ffff, 'han'],
];

/** Returns the script of a character; everything below Greek, digits included, counts as Latin. */
function scriptOf(character: string): Script {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x0370 || (code >= 0x1e00 && code < 0x1f00)) return 'latin';
  for (const [from, to, script] of RANGES) if (code >= from && code <= to) return script;
  return PICTURE.test(character) ? 'emoji' : 'other';
}

/** Returns whether a script separates words by spaces; each emoji is a word. */
function isSpaced(script: Script): boolean {
  return script !== 'han' && script !== 'kana' && script !== 'hangul' && script !== 'thai';
}

/** Cuts a text into units; reads at most the first 1024 characters and 64 words by default. */
export function tokenize(text: string, maxChars = MAX_CHARS, maxWords = MAX_WORDS): Unit[] {
  const maxUnits = maxWords === MAX_WORDS ? MAX_UNITS : maxWords * 2;
  const units: Unit[] = [];
  let words = 0;
  let end = -1;
  const lowered = lower(text.slice(0, maxChars));
  for (const match of lowered.matchAll(RUN)) {
    const starts = match.index !== end;
    endUnit(units, lowered, end, match.index);
    end = match.index + match[0].length;
    splitRun(match[0], starts, units);
    words += 1;
    if (words >= maxWords || units.length >= maxUnits) break;
  }
  endUnit(units, lowered, end, lowered.length);
  return units.slice(0, maxUnits);
}

function endUnit(units: readonly Unit[], text: string, from: number, to: number): void {
  const last = units[units.length - 1];
  if (last) last.after = text.slice(from, Math.min(to, from + MAX_AFTER));
}

function splitRun(run: string, starts: boolean, units: Unit[]): void {
  if (PURE_LATIN.test(run)) {
    splitNumber(run, starts, units);
    return;
  }
  let piece = '';
  let script: Script | null = null;
  let first = starts;
  const flush = () => {
    if (piece && script === 'latin') splitNumber(piece, first, units);
    else if (piece && script) units.push(makeUnit(piece, script, first));
    first = piece ? false : first;
    piece = '';
  };
  for (const character of run) {
    if (piece && MARK.test(character)) {
      piece += character;
      continue;
    }
    const next = scriptOf(character);
    if (next !== script || !isSpaced(next)) flush();
    script = next;
    piece += character;
  }
  flush();
}

// "iPhone15" must match "iPhone 15", but "A54" and "5W30" are one word.
function splitNumber(run: string, starts: boolean, units: Unit[]): void {
  const number = NUMBERED.exec(run)?.[1];
  const name = number === undefined ? run : run.slice(0, -number.length);
  units.push(makeUnit(name, 'latin', starts));
  if (number !== undefined) units.push(makeUnit(number, 'latin', false));
}

function makeUnit(piece: string, script: Script, starts: boolean): Unit {
  const text = foldLowered(piece);
  return { text, accented: piece, script, spaced: isSpaced(script), starts, after: '' };
}

/** Joins units into an index key: words by a space, unspaced characters directly. */
export function joinUnits(units: readonly Unit[], pick: (unit: Unit) => string): string {
  let key = '';
  let spaced = false;
  for (const unit of units) {
    if (key && (spaced || unit.spaced)) key += ' ';
    key += pick(unit);
    spaced = unit.spaced;
  }
  return key;
}

/** Returns whether the units from `at` on are these folded words. */
export const standAt = (words: readonly string[], units: readonly Unit[], at: number): boolean =>
  words.every((word, position) => units[at + position]?.text === word);
