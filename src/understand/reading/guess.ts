import { FORM, LANGUAGE } from '../../domain/relevance.ts';
import type { Entry, LanguageIndex, Lexicon, WordSet } from '../lexicon-types.ts';
import type { Script, Unit } from '../text/tokenize.ts';
import { type Candidate, findForms } from './find.ts';
import { priorOf, scoreLanguages, traitsOf } from './languages.ts';

/** What splitting compounds found besides candidates. */
export type Guesses = {
  /** Modifiers of compounds, at the position of the word. */
  modifiers: Candidate[];
  /** Unknown first parts of words that are read as their last part alone. */
  rests: { at: number; text: string; language: string }[];
};

const MAX_REPAIRED_WORDS = 3;
/** From this length on, a typo is likelier than a compound with an unknown first part. */
const LEAST_PLAIN_TYPO = 8;

/** Adds candidates for unknown words: splits them as compounds, or else corrects them as typos. */
export function addGuesses(
  units: readonly Unit[],
  candidates: Candidate[],
  known: ReadonlySet<number>,
  indexes: readonly LanguageIndex[],
  lexicon: Lexicon,
): Guesses {
  const covered = new Set([...known, ...candidates.flatMap((candidate) => candidate.at)]);
  // Lazy: most queries have no unknown word.
  let compounding: readonly LanguageIndex[] | null = null;
  const modifiers: Candidate[] = [];
  const rests: Guesses['rests'] = [];
  let repaired = 0;
  for (const [position, unit] of units.entries()) {
    if (covered.has(position) || !unit.spaced || lexicon.spacedWords.has(unit.text)) continue;
    if (indexes.some((index) => index.stemWords.has(index.stem(unit.text)))) continue;
    compounding ??= plausibleAmong(indexes, units, candidates);
    const compounds = compounding.map((index) => splitCompound(unit, position, index));
    const isSplit = compounds.some((compound) => compound.modifiers.length > 0);
    const isTried = !isSplit && repaired < MAX_REPAIRED_WORDS;
    if (isTried) repaired += 1;
    const repairs = (isTried ? repairWord(unit, lexicon.spacedWords) : []).flatMap((word) =>
      findRepaired(units, position, word, indexes),
    );
    candidates.push(...repairs);
    // A long word at edit distance 1 is no coincidence.
    if (repairs.length > 0 && unit.text.length >= LEAST_PLAIN_TYPO) continue;
    for (const [number, { heads, modifiers: firsts, rest }] of compounds.entries()) {
      const language = compounding[number]?.language ?? '';
      if (rest !== null) rests.push({ at: position, text: rest, language });
      candidates.push(...heads);
      modifiers.push(...firsts);
    }
  }
  return { modifiers, rests };
}

/** Returns the plausible languages by the words already found; all if there are none. */
function plausibleAmong(
  indexes: readonly LanguageIndex[],
  units: readonly Unit[],
  candidates: readonly Candidate[],
): readonly LanguageIndex[] {
  if (candidates.length === 0) return indexes;
  const prior = priorOf(scoreLanguages(units, candidates, indexes));
  return indexes.filter(({ language }) => (prior.get(language) ?? 0) >= LANGUAGE.inflects);
}

function findRepaired(
  units: readonly Unit[],
  position: number,
  word: string,
  indexes: readonly LanguageIndex[],
): Candidate[] {
  const repaired = units.map((unit, at) =>
    at === position ? { ...unit, text: word, accented: word } : unit,
  );
  return indexes
    .filter((index) => index.words.has(word))
    .flatMap((index) => findForms(repaired, index))
    .filter(({ at, entry }) => at.includes(position) && !entry.target.startsWith('!'))
    .map((candidate) => ({ ...candidate, quality: candidate.quality * FORM.repaired }));
}

/** Letters tried in corrections, by script; right-to-left and Indic ones as ranges. */
const ALPHABETS: Partial<Record<Script, readonly string[]>> = {
  latin: [...'abcdefghijklmnopqrstuvwxyz'],
  cyrillic: [...'абвгдежзийклмнопрстуфхцчшщъыьэюяієї'],
  greek: [...'αβγδεζηθικλμνξοπρστυφχψω'],
  arabic: lettersBetween(0x0621, 0x064a),
  hebrew: lettersBetween(0x05d0, 0x05ea),
  devanagari: [...lettersBetween(0x0902, 0x0939), ...lettersBetween(0x093e, 0x094d)],
  georgian: lettersBetween(0x10d0, 0x10f0),
  bengali: [...lettersBetween(0x0985, 0x09b9), ...lettersBetween(0x09be, 0x09cd)],
  tamil: [...lettersBetween(0x0b85, 0x0bb9), ...lettersBetween(0x0bbe, 0x0bcd)],
};
const MIN_TYPO = 5;
const MAX_TYPO = 24;

function lettersBetween(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
}

/** Returns up to three corrections of an unknown word: at edit distance 1, else words that sound alike. */
function repairWord({ text: word, script }: Unit, known: WordSet): string[] {
  if (word.length < MIN_TYPO || word.length > MAX_TYPO || /\d/.test(word)) return [];
  const found = withinOneEdit(word, script, known);
  if (found.length === 0 && script === 'latin') return soundAlikes(word, known);
  // The first letter is seldom mistyped: prefer corrections that keep it.
  const kept = found.filter((candidate) => candidate[0] === word[0]);
  return (kept.length > 0 ? kept : found).slice(0, 3);
}

/** Returns the known words of four letters or more at Damerau-Levenshtein distance 1. */
export function withinOneEdit(word: string, script: Script, known: WordSet): string[] {
  const letters = ALPHABETS[script] ?? [];
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
  return [...found];
}

/** Spellings of one sound that are more than one edit apart, in Portuguese, Spanish, English and German. */
const SAME_SOUND = [
  ...['f ph', 'x ch', 'x sh', 'x ss', 'k qu', 'k ck', 'u oo'],
  ...['i ee', 'i ea', 'i ie', 'f th', 's sc', 'n nh', 'l lh', 'cs x', 'ks x'],
].flatMap((pair) => {
  const [one = '', other = ''] = pair.split(' ');
  return [
    { from: one, to: other },
    { from: other, to: one },
  ];
});

/** Returns known words that sound alike: up to two sounds respelt, or letters doubled or undoubled. */
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
/** Shorter last parts without a known first part are coincidences. */
const LEAST_LOOSE = 5;
const JOINTS = ['', 's', 'n', 'en', 'es', 'e', 'er'];

/** A compound: its head (the last part) and its modifier (the first). */
type Compound = {
  heads: Candidate[];
  modifiers: Candidate[];
  /** The first part if it is unknown. */
  rest: string | null;
};

const NO_COMPOUND: Compound = { heads: [], modifiers: [], rest: null };

/** Splits an unknown word into two forms, in languages that write compounds as one word. */
function splitCompound(unit: Unit, position: number, index: LanguageIndex): Compound {
  const word = unit.text;
  let loose: Compound = NO_COMPOUND;
  if (!traitsOf(index.language).compounds) return NO_COMPOUND;
  if (word.length < MIN_COMPOUND || word.length > 40) return NO_COMPOUND;
  for (let cut = MIN_PART; cut <= word.length - MIN_PART; cut += 1) {
    const heads = lookUp(word.slice(cut), index);
    if (heads.length === 0) continue;
    const modifiers = modifiersOf(word.slice(0, cut), index);
    if (modifiers.length > 0) {
      return {
        heads: heads.map((entry) => ({ entry, at: [position], quality: FORM.compoundHead })),
        modifiers: modifiers.map((entry) => ({
          entry,
          at: [position],
          quality: FORM.compoundModifier,
        })),
        rest: null,
      };
    }
    if (loose === NO_COMPOUND && word.length - cut >= LEAST_LOOSE) {
      const guesses = heads.map((entry) => ({ entry, at: [position], quality: FORM.compoundTail }));
      loose = { heads: guesses, modifiers: [], rest: word.slice(0, cut) };
    }
  }
  return loose;
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
