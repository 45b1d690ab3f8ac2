import { hintedLanguages } from './language.ts';
import type { Candidate } from './match.ts';
import type { Unit } from './tokenize.ts';
import type { LanguageIndex } from './types.ts';

/** How likely each language is, 0..1, from whose forms cover the text and whose letters it uses. */
export type Prior = Map<string, number>;

// Most asks of a mall in São Paulo are Portuguese, then English, then Spanish.
const HABIT: Record<string, number> = {
  pt: 0.18,
  en: 0.14,
  es: 0.08,
  fr: 0.02,
  it: 0.02,
  de: 0.02,
  zh: 0.02,
};
const HINT = 1.2;
const PHRASE = 0.25;
const VOCABULARY = 0.6;

/** Scores the languages by the units that their forms cover; rare knowledge counts more. */
export function scoreLanguages(
  units: readonly Unit[],
  candidates: readonly Candidate[],
  indexes: readonly LanguageIndex[],
): Map<string, number> {
  const knows = units.map(() => new Map<string, number>());
  const scores = new Map(indexes.map(({ language }) => [language, HABIT[language] ?? 0]));
  addVocabulary(units, indexes, knows);
  for (const { entry, at, quality } of candidates) {
    for (const position of at) {
      const known = knows[position];
      if (known && (known.get(entry.language) ?? 0) < quality) known.set(entry.language, quality);
    }
  }
  for (const [position, known] of knows.entries()) {
    const size = units[position]?.spaced ? 1 : 0.4;
    const share = size / Math.sqrt(Math.max(1, known.size));
    for (const [language, quality] of known) add(scores, language, share * quality);
  }
  for (const [language, phrase] of longestPhrases(candidates)) {
    add(scores, language, PHRASE * (phrase - 1));
  }
  for (const language of hintedLanguages(units)) {
    if (scores.has(language)) add(scores, language, HINT);
  }
  return scores;
}

// A word that occurs inside a form ("crema" in "crema hidratante") speaks for the language too.
function addVocabulary(
  units: readonly Unit[],
  indexes: readonly LanguageIndex[],
  knows: readonly Map<string, number>[],
): void {
  for (const [position, unit] of units.entries()) {
    if (!unit.spaced) continue;
    for (const { language, words } of indexes) {
      if (words.has(unit.text)) knows[position]?.set(language, VOCABULARY);
    }
  }
}

function longestPhrases(candidates: readonly Candidate[]): Map<string, number> {
  const longest = new Map<string, number>();
  for (const { entry, at, quality } of candidates) {
    if (quality < 0.9 || at.length < 2) continue;
    longest.set(entry.language, Math.max(longest.get(entry.language) ?? 1, at.length));
  }
  return longest;
}

function add(scores: Map<string, number>, language: string, value: number): void {
  scores.set(language, (scores.get(language) ?? 0) + value);
}

/** Turns scores into a prior: the best language has 1, none less than 0.15. */
export function priorOf(scores: ReadonlyMap<string, number>): Prior {
  const best = Math.max(...scores.values(), 0.01);
  return new Map(
    [...scores].map(([language, score]) => [language, 0.15 + 0.85 * (score / best) ** 1.5]),
  );
}

/** The language to report: the best one when it leads clearly, else null. */
export function guessLanguage(scores: ReadonlyMap<string, number>): string | null {
  const ranked = [...scores]
    .filter(([language]) => language !== 'emoji')
    .sort((a, b) => b[1] - a[1]);
  const [best] = ranked;
  if (!best || best[1] < 0.3) return null;
  // Two scripts of one language do not make it doubtful.
  const second = ranked.find(([language]) => familyOf(language) !== familyOf(best[0]));
  return !second || best[1] >= second[1] * 1.12 ? best[0] : null;
}

function familyOf(language: string): string {
  return language.split('-')[0] ?? language;
}
