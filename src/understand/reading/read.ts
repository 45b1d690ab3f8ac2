import { LANGUAGE, LEAST_FORM, LONG_QUERY } from '../../domain/relevance.ts';
import { findBrands, type NamedBrand } from '../lexicon/brands.ts';
import type { LanguageIndex, Lexicon } from '../lexicon-types.ts';
import type { Script, Unit } from '../text/tokenize.ts';
import { type Candidate, findForms, findScattered } from './find.ts';
import { addGuesses, type Guesses } from './guess.ts';
import {
  familyOf,
  guessLanguage,
  mayBeWritten,
  type Prior,
  priorOf,
  scoreLanguages,
} from './languages.ts';
import { chooseSpans, type Span } from './spans.ts';

const LONGEST_FUNCTION_WORD = 3;

/** The reading of a query: chosen spans, guesses, brands and language. */
export type QueryReading = Guesses & {
  spans: Span[];
  brands: NamedBrand[];
  language: string | null;
  /** The best language, even without a clear lead. */
  likely: string | null;
};

/**
 * Finds forms of all languages in the units, guesses at unknown words, and chooses spans; `heard` adds the language
 * scores of words extracted before.
 */
export function readQuery(
  units: readonly Unit[],
  lexicon: Lexicon,
  heard: ReadonlyMap<string, number> = new Map(),
): QueryReading {
  const indexes = indexesFor(units, lexicon);
  const candidates = indexes.flatMap((index) => findForms(units, index));
  const brands = findBrands(units, lexicon);
  const named = new Set(brands.flatMap(({ at }) => at));
  const { modifiers, rests } = addGuesses(units, candidates, named, indexes, lexicon);
  const scores = scoreLanguages(units, candidates, indexes);
  for (const [language, score] of heard) {
    if (scores.has(language)) scores.set(language, (scores.get(language) ?? 0) + score);
  }
  const likely = [...scores].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
  const language = units.length > 0 ? guessLanguage(scores) : null;
  const prior = priorOf(scores);
  const own = lexicon.languages.get(likely ?? '');
  if (units.length >= LONG_QUERY && own !== undefined) {
    candidates.push(...findScattered(units, own));
  }
  const isOdd = (one: Candidate) => language === null && isFunctionWord(one, units, lexicon);
  const noise = exactNoise(candidates);
  const meant = candidates.filter(
    (one) => !isStrayNoise(one, likely) && !isOdd(one) && !isInflectedNoise(one, noise),
  );
  const portuguese = language === 'pt' ? own : undefined;
  const believable = (language === null ? meant : withoutStrayWords(meant, prior)).filter(
    (one) => portuguese === undefined || !isOwnWord(one, units, portuguese),
  );
  return {
    spans: chooseSpans(units, believable, prior),
    modifiers,
    rests,
    brands,
    language,
    likely,
  };
}

// A stop word of one language may be a name in another ("oft", "minas"), and a name may share its stem ("dell").
function isStrayNoise({ entry, quality }: Candidate, likely: string | null): boolean {
  if (entry.target !== '!polite' || entry.language === 'pt') return false;
  return quality < LEAST_FORM.written || familyOf(entry.language) !== familyOf(likely ?? '');
}

const spotOf = ({ entry, at }: Candidate) => `${entry.language} ${at.join()}`;

/** Collects the language and positions of exact stop words. */
const exactNoise = (candidates: readonly Candidate[]): ReadonlySet<string> =>
  new Set(
    candidates
      .filter(({ entry, quality }) => entry.target === '!polite' && quality >= LEAST_FORM.written)
      .map(spotOf),
  );

// Turkish "bir" (one) is no inflection of "bira" (beer).
const isInflectedNoise = (one: Candidate, noise: ReadonlySet<string>): boolean =>
  one.quality < LEAST_FORM.written && one.entry.target !== '!polite' && noise.has(spotOf(one));

// With no clear language, the article "un" of French or Italian is no Turkish flour.
function isFunctionWord(
  { entry, at }: Candidate,
  units: readonly Unit[],
  { languages }: Lexicon,
): boolean {
  const text = units[at[0] ?? 0]?.text ?? '';
  if (at.length > 1 || units.length < 2 || text.length > LONGEST_FUNCTION_WORD) return false;
  if (entry.target.startsWith('!') || entry.language in LANGUAGE.habit) return false;
  return Object.keys(LANGUAGE.habit).some((language) =>
    languages
      .get(language)
      ?.exact.get(text)
      ?.some(({ target }) => target === '!polite'),
  );
}

// Unlikely languages match exactly or not at all: "better" is not German "Betten" (beds).
function withoutStrayWords(candidates: readonly Candidate[], prior: Prior): Candidate[] {
  return candidates.filter(
    ({ entry, quality }) =>
      quality >= LEAST_FORM.written || (prior.get(entry.language) ?? 0) >= LANGUAGE.inflects,
  );
}

// In a Portuguese query, a word that occurs in Portuguese forms ("vida") is not read as another language's.
function isOwnWord({ entry, at }: Candidate, units: readonly Unit[], own: LanguageIndex): boolean {
  const [position, more] = at;
  if (position === undefined || more !== undefined || entry.target.startsWith('!')) return false;
  const isForeign = familyOf(entry.language) !== familyOf(own.language);
  return isForeign && own.words.has(units[position]?.text ?? '');
}

/** Finds all candidates of needs in any language, before spans are chosen. */
export function findNeeds(units: readonly Unit[], lexicon: Lexicon): Candidate[] {
  return indexesFor(units, lexicon)
    .flatMap((index) => findForms(units, index))
    .filter(({ entry }) => lexicon.needs.has(entry.target));
}

function indexesFor(units: readonly Unit[], lexicon: Lexicon): LanguageIndex[] {
  const scripts = new Set<Script>(units.map((unit) => unit.script));
  return [...lexicon.languages.values()].filter(({ language }) => mayBeWritten(language, scripts));
}
