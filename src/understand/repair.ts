import { traitsOf } from './language.ts';
import type { Candidate } from './match.ts';
import type { Script, Unit } from './tokenize.ts';
import type { Entry, LanguageIndex, WordSet } from './types.ts';

/** Letters that a typo may have swapped or dropped, by script; right-to-left and Indic ones as ranges. */
const ALPHABETS: Partial<Record<Script, readonly string[]>> = {
  latin: [...'abcdefghijklmnopqrstuvwxyz'],
  cyrillic: [...'абвгдежзийклмнопрстуфхцчшщъыьэюяієї'],
  greek: [...'αβγδεζηθικλμνξοπρστυφχψω'],
  arabic: lettersBetween(0x0621, 0x064a),
  hebrew: lettersBetween(0x05d0, 0x05ea),
  devanagari: [...lettersBetween(0x0902, 0x0939), ...lettersBetween(0x093e, 0x094d)],
};
const MIN_TYPO = 5;
const MAX_TYPO = 24;

function lettersBetween(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
}

/** Known words at one edit (drop, swap, change, add a letter) from a word nobody knows. */
export function repairWord({ text: word, script }: Unit, known: WordSet): string[] {
  const letters = ALPHABETS[script];
  if (letters === undefined || word.length < MIN_TYPO || word.length > MAX_TYPO) return [];
  if (/\d/.test(word)) return [];
  const found = new Set<string>();
  const test = (candidate: string) => {
    if (candidate.length >= 4 && known.has(candidate)) found.add(candidate);
  };
  for (let at = 0; at <= word.length; at += 1) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    if (tail) test(head + tail.slice(1));
    if (tail.length > 1) test(`${head}${tail[1]}${tail[0]}${tail.slice(2)}`);
    for (const letter of letters) {
      if (tail) test(head + letter + tail.slice(1));
      test(head + letter + tail);
    }
  }
  if (found.size === 0 && script === 'latin') return soundAlikes(word, known);
  // The first letter is seldom wrong: prefer repairs that keep it.
  const kept = [...found].filter((candidate) => candidate[0] === word[0]);
  return (kept.length > 0 ? kept : [...found]).slice(0, 3);
}

/** Spellings of one sound that are more than a letter apart, in the languages of the region and in English. */
const SAME_SOUND = [
  ...['f ph', 'x ch', 'x sh', 'x ss', 'k qu', 'k ck', 'u oo'],
  ...['i ee', 'i ea', 's sc', 'n nh', 'l lh', 'cs x', 'ks x'],
].flatMap((pair) => {
  const [one = '', other = ''] = pair.split(' ');
  return [
    { from: one, to: other },
    { from: other, to: one },
  ];
});

/** Known words that sound like a word written by ear, with up to two sounds respelt or letters doubled. */
function soundAlikes(word: string, known: WordSet): string[] {
  const found = new Set<string>();
  const once = respelt(word);
  for (const spelling of [...once, ...once.flatMap(respelt)]) {
    if (spelling.length >= 4 && known.has(spelling)) found.add(spelling);
  }
  return [...found].slice(0, 3);
}

function respelt(word: string): string[] {
  const spellings: string[] = [];
  for (let at = 0; at < word.length; at += 1) {
    for (const { from, to } of SAME_SOUND) {
      if (!word.startsWith(from, at)) continue;
      spellings.push(word.slice(0, at) + to + word.slice(at + from.length));
    }
    const letter = word[at] ?? '';
    if (letter === word[at + 1]) spellings.push(word.slice(0, at) + word.slice(at + 1));
    else spellings.push(word.slice(0, at) + letter + word.slice(at));
  }
  return spellings;
}

const MIN_COMPOUND = 6;
const MIN_PART = 3;
const JOINTS = ['', 's', 'n', 'en', 'es', 'e', 'er'];
const HEAD_QUALITY = 0.85;
const MODIFIER_QUALITY = 0.7;
const LOOSE_QUALITY = 0.6;

/** What the last part of a compound word names, and what its first part adds. */
export type Compound = { heads: Candidate[]; modifiers: Candidate[] };

const NO_COMPOUND: Compound = { heads: [], modifiers: [] };

/** Splits a word that a compounding language does not know into forms that it does. */
export function splitCompound(unit: Unit, position: number, index: LanguageIndex): Compound {
  const word = unit.text;
  let loose: Candidate[] = [];
  if (!traitsOf(index.language).compounds) return NO_COMPOUND;
  if (word.length < MIN_COMPOUND || word.length > 40) return NO_COMPOUND;
  for (let cut = MIN_PART; cut <= word.length - MIN_PART; cut += 1) {
    const heads = lookUp(word.slice(cut), index);
    if (heads.length === 0) continue;
    const modifiers = modifiersOf(word.slice(0, cut), index);
    if (modifiers.length > 0) {
      return {
        heads: heads.map((entry) => ({ entry, at: [position], quality: HEAD_QUALITY })),
        modifiers: modifiers.map((entry) => ({ entry, at: [position], quality: MODIFIER_QUALITY })),
      };
    }
    if (loose.length === 0 && word.length - cut >= 4) {
      loose = heads.map((entry) => ({ entry, at: [position], quality: LOOSE_QUALITY }));
    }
  }
  return { heads: loose, modifiers: [] };
}

function modifiersOf(word: string, index: LanguageIndex): Entry[] {
  for (const joint of JOINTS) {
    if (joint && !word.endsWith(joint)) continue;
    const bare = joint ? word.slice(0, -joint.length) : word;
    if (bare.length < MIN_PART) continue;
    const entries = lookUp(bare, index);
    if (entries.length > 0) return entries;
  }
  return [];
}

function lookUp(word: string, index: LanguageIndex): Entry[] {
  const entries: readonly Entry[] =
    index.exact.get(word) ??
    index.stems.get(index.stem(word)) ??
    index.exact.get(index.stem(word)) ??
    [];
  return entries.filter((entry) => !entry.target.startsWith('!'));
}
