import { chooseSpans, type Span } from './choose.ts';
import { mayBeWritten } from './language.ts';
import { type Candidate, findForms } from './match.ts';
import { guessLanguage, type Prior, priorOf, scoreLanguages } from './prior.ts';
import { repairWord, splitCompound } from './repair.ts';
import type { Script, Unit } from './tokenize.ts';
import type { LanguageIndex, Lexicon } from './types.ts';

/** A query cut into spans, before it becomes an intent. */
export type Reading = {
  spans: Span[];
  /** First parts of compound words, by the position of the word. */
  modifiers: Candidate[];
  language: string | null;
  /** The best language even when it does not lead clearly. */
  likely: string | null;
};

const MAX_REPAIRED_WORDS = 3;
const REPAIR_QUALITY = 0.6;
const PLAUSIBLE = 0.6;
/** Forms as they are written, at most without their accents. */
const AS_WRITTEN = 0.95;

/** Finds the forms of all languages in the units and picks the plausible ones. */
export function readQuery(units: readonly Unit[], lexicon: Lexicon): Reading {
  const indexes = indexesFor(units, lexicon);
  const candidates = indexes.flatMap((index) => findForms(units, index));
  const modifiers = addGuesses(units, candidates, indexes, lexicon);
  const scores = scoreLanguages(units, candidates, indexes);
  const likely = [...scores].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
  const language = units.length > 0 ? guessLanguage(scores) : null;
  const prior = priorOf(scores);
  const believable = language === null ? candidates : withoutStrayWords(candidates, prior);
  return { spans: chooseSpans(units, believable, prior), modifiers, language, likely };
}

// A word of another language is written as it is there: "better" is not German beds.
function withoutStrayWords(candidates: readonly Candidate[], prior: Prior): Candidate[] {
  return candidates.filter(
    ({ entry, quality }) => quality >= AS_WRITTEN || (prior.get(entry.language) ?? 0) >= PLAUSIBLE,
  );
}

/** The needs that the units name in any language, before anything is chosen among them. */
export function findNeeds(units: readonly Unit[], lexicon: Lexicon): Candidate[] {
  return indexesFor(units, lexicon)
    .flatMap((index) => findForms(units, index))
    .filter(({ entry }) => lexicon.needs.has(entry.target));
}

function indexesFor(units: readonly Unit[], lexicon: Lexicon): LanguageIndex[] {
  const scripts = new Set<Script>(units.map((unit) => unit.script));
  return [...lexicon.languages.values()].filter(({ language }) => mayBeWritten(language, scripts));
}

// Words that no form covers: split as compounds first, then repaired as typos.
function addGuesses(
  units: readonly Unit[],
  candidates: Candidate[],
  indexes: readonly LanguageIndex[],
  lexicon: Lexicon,
): Candidate[] {
  const covered = new Set(candidates.flatMap((candidate) => candidate.at));
  // Asked for by a word that nobody knows; most queries have none.
  let compounding: readonly LanguageIndex[] | null = null;
  const modifiers: Candidate[] = [];
  let repaired = 0;
  for (const [position, unit] of units.entries()) {
    if (covered.has(position) || !unit.spaced || lexicon.spacedWords.has(unit.text)) continue;
    if (indexes.some((index) => index.stemWords.has(index.stem(unit.text)))) continue;
    compounding ??= plausibleAmong(indexes, units, candidates);
    const compounds = compounding.map((index) => splitCompound(unit, position, index));
    for (const compound of compounds) {
      candidates.push(...compound.heads);
      modifiers.push(...compound.modifiers);
    }
    if (compounds.some((compound) => compound.modifiers.length > 0)) continue;
    if (repaired >= MAX_REPAIRED_WORDS) continue;
    repaired += 1;
    for (const word of repairWord(unit, lexicon.spacedWords)) {
      candidates.push(...findRepaired(units, position, word, indexes));
    }
  }
  return modifiers;
}

/** The languages that the words already found may well be in; all of them when none were. */
function plausibleAmong(
  indexes: readonly LanguageIndex[],
  units: readonly Unit[],
  candidates: readonly Candidate[],
): readonly LanguageIndex[] {
  if (candidates.length === 0) return indexes;
  const prior = priorOf(scoreLanguages(units, candidates, indexes));
  return indexes.filter(({ language }) => (prior.get(language) ?? 0) >= PLAUSIBLE);
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
    .map((candidate) => ({ ...candidate, quality: candidate.quality * REPAIR_QUALITY }));
}
