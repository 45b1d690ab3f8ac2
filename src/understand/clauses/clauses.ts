import { LEAST_FORM, LONG_QUERY, READING, ROLE } from '../../domain/relevance.ts';
import type { Clause, Word } from '../../domain/search.ts';
import type { Lexicon } from '../lexicon-types.ts';
import { isOwner } from '../reading/belongings.ts';
import { type Part, weightOf } from '../reading/parts.ts';
import type { QueryReading } from '../reading/read.ts';
import { measuresIn, numberAsWritten, numbersIn } from '../text/measures.ts';
import { stemPortuguese } from '../text/stem.ts';
import { transliterate } from '../text/text.ts';
import { tokenize, type Unit } from '../text/tokenize.ts';
import { isNoise, wordIn, wordOf } from '../text/words.ts';

const MAX_WORDS = 8;

/** Makes the clause of a need that the query names: its words, and the concepts that they may mean. */
export function conceptClause(
  part: Part,
  head: Part | null,
  units: readonly Unit[],
  reading: QueryReading,
  lexicon: Lexicon,
): Clause {
  const guess = part === head ? READING.loneGuess : READING.guess;
  const isForeign = part.language !== 'pt' && part.at.some((at) => units[at]?.script === 'latin');
  const sureness =
    (part.quality < LEAST_FORM.known ? guess : 1) * (isForeign ? READING.foreign : 1);
  const needs = [{ id: part.need.id, weight: 1 }, ...part.others];
  return {
    label: part.need.label,
    kind: 'concept',
    weight: weightOf(part, head),
    leads: part === head,
    words: ownWords(part, units, reading, lexicon),
    meanings: needs.map(({ id, weight }) => ({
      token: `c:${id}`,
      sureness: round(weight * sureness),
    })),
    names: ownNames(part, lexicon),
    ...(part.quality < LEAST_FORM.known ? { guessed: true } : {}),
  };
}

// In a foreign sentence, a word that Portuguese also has is a false friend ("pasta" is a folder) and must not match
// literally; a query of one word may be Portuguese after all.
function ownWords(
  part: Part,
  units: readonly Unit[],
  { language }: QueryReading,
  lexicon: Lexicon,
): Word[] {
  const portuguese = lexicon.languages.get('pt');
  // Romanised languages are exempt: their loanwords match ("bibimbap juseyo").
  const isSentence =
    language !== null && language !== 'pt' && !language.endsWith('-latn') && units.length > 1;
  const isOther = (word: string) =>
    isSentence &&
    (portuguese?.exact.get(word)?.every((entry) => entry.target !== part.need.id) ??
      portuguese?.stemWords.has(stemPortuguese(word)) === true);
  const isBelonging = part.at.length > 1 && !isOwner(part.need, lexicon);
  const own = part.at
    .flatMap((at) => units[at] ?? [])
    .filter(({ script, text }) => script === 'latin' && !isNoise(text, part.language, lexicon));
  // All or nothing: "high" alone does not match a high chair.
  if (own.some(({ text }) => isOther(text))) return [];
  const words = own
    .flatMap((unit): Word[] => {
      const word = wordIn(unit, lexicon);
      if (word === null) return [];
      return isBelonging && ownedBy(unit.text, lexicon) ? [{ ...word, belongsTo: true }] : [word];
    })
    .filter(({ token }) => token.startsWith('w:'));
  return [...new Map(words.map((word) => [word.token, word])).values()];
}

/** Returns whether a Portuguese word names an owner, see `isOwner`. */
const ownedBy = (word: string, lexicon: Lexicon) =>
  lexicon.languages
    .get('pt')
    ?.exact.get(word)
    ?.some(({ target, purpose }) => {
      const need = lexicon.needs.get(target);
      return !purpose && need !== undefined && isOwner(need, lexicon);
    }) === true;

// The Portuguese label of a foreign word's need: ranks the thing itself first among records of one concept.
function ownNames({ need, language }: Part, lexicon: Lexicon): Word[] {
  if (language === 'pt') return [];
  return plainWords(tokenize(need.label), lexicon).flatMap(({ words }) => words);
}

/** Makes clauses of what no need covers: models, numbers, brands. Of other scripts, only Cyrillic is transliterated. */
export function termClauses(
  units: readonly Unit[],
  reading: QueryReading,
  { head, focus }: { head: Part | null; focus: ReadonlySet<number> | null },
  lexicon: Lexicon,
): Clause[] {
  const covered = new Set([...reading.spans, ...reading.brands].flatMap(({ at }) => at));
  const isForeignStory =
    units.length >= LONG_QUERY && reading.language !== null && reading.language !== 'pt';
  const terms = new Map<string, Clause>();
  for (const clause of brandClauses(reading, head, lexicon)) {
    terms.set(clause.words[0]?.token ?? '', clause);
  }
  const add = (word: Word, unit: Unit, weight: number) =>
    terms.set(word.token, wordClause('term', unit.accented, weight, word));
  for (const { token, at } of numbersIn(units)) {
    const unit = units[at[0] ?? 0];
    if (unit !== undefined && !at.some((position) => covered.has(position)))
      add({ token, spelled: numberAsWritten(units, at) }, unit, ROLE.faintTerm);
    for (const position of at) covered.add(position);
  }
  for (const [position, unit] of units.entries()) {
    // The "l" of "l'huile" is no word.
    if (covered.has(position) || unit.after === "'") continue;
    const word = wordIn({ ...unit, text: termOf(unit) }, lexicon);
    if (word === null || word.token.startsWith('n:')) continue;
    const isFaint = unit.script !== 'latin' || unit.text.length === 1;
    const weight = isFaint ? ROLE.faintTerm : ROLE.term;
    add(word, unit, weightOfTerm(weight, focus?.has(position) ?? null, isForeignStory));
  }
  for (const { at, text, language } of reading.rests) {
    const unit = units[at];
    const span = reading.spans.find((one) => one.at.includes(at));
    const word = wordOf(text, lexicon);
    if (unit === undefined || word === null || span?.readings[0]?.entry.language !== language)
      continue;
    terms.set(word.token, { ...wordClause('term', text, ROLE.term, word), guessed: true });
  }
  return [...terms.values()];
}

/**
 * Lowers the weight of unknown words in a long query: outside the focus, and in foreign sentences without a focus,
 * whose words the catalog does not have.
 */
function weightOfTerm(weight: number, isWanted: boolean | null, isForeignStory: boolean): number {
  if (isWanted === false) return ROLE.soft;
  return isWanted === null && isForeignStory ? Math.min(weight, ROLE.absorbed) : weight;
}

/** Makes a clause of each word of a brand, unless a longer form contains the brand ("iphone case"). */
function brandClauses(
  { brands, spans }: QueryReading,
  head: Part | null,
  lexicon: Lexicon,
): Clause[] {
  return brands.flatMap(({ at, words }) => {
    const around = spans.filter((span) => at.every((position) => span.at.includes(position)));
    if (around.some((span) => span.at.length > at.length)) return [];
    const thing = lexicon.needs.get(around[0]?.readings[0]?.entry.target ?? '');
    // "아이폰 배터리" (iPhone battery): the phone itself is not wanted.
    const belongsTo = thing !== undefined && thing.id !== head?.need.id && isOwner(thing, lexicon);
    return words.flatMap((text) => {
      const word = wordOf(text, lexicon);
      if (word === null) return [];
      return belongsTo
        ? wordClause('term', text, ROLE.attribute, { ...word, belongsTo })
        : wordClause('term', text, ROLE.term, word);
    });
  });
}

function termOf(unit: Unit): string {
  if (unit.script === 'latin') return unit.text;
  return unit.script === 'cyrillic' && unit.text.length > 3 ? transliterate(unit.text) : '';
}

/** Makes a clause of one literal word. */
function wordClause(kind: Clause['kind'], label: string, weight: number, word: Word): Clause {
  return { label, kind, weight, leads: false, words: [word], meanings: [], names: [] };
}

/** Makes a clause of needs, without words. */
export function needClause(
  label: string,
  weight: number,
  needs: readonly string[],
  sureness = 1,
): Clause {
  const meanings = needs.map((id) => ({ token: `c:${id}`, sureness }));
  const leads = weight === ROLE.head;
  return { label, kind: 'concept', weight, leads, words: [], meanings, names: [] };
}

/** Extracts the measures of a query as clauses; the number without its unit is a weaker match. */
export function extractMeasures(units: readonly Unit[]): { rest: Unit[]; clauses: Clause[] } {
  const measures = measuresIn(units);
  const numbers = numbersIn(units);
  const whole = measures.filter(({ part }) => !part);
  const clauses = whole.map(({ token, at }): Clause => {
    const weaker = [...measures, ...numbers].filter(
      (other) => other.token !== token && other.at.some((position) => at.includes(position)),
    );
    return {
      label: at.map((position) => units[position]?.accented ?? '').join(' '),
      kind: 'term',
      weight: ROLE.measure,
      leads: false,
      words: [{ token, spelled: spelledAs(units, at) }],
      meanings: weaker.map((other) => ({ token: other.token, sureness: READING.barePart })),
      names: [],
    };
  });
  const taken = new Set(whole.flatMap(({ at }) => at));
  for (const number of numbers) {
    // The digits of "0,150" on either side of the comma are no words.
    if (number.at.length === 1 || number.at.some((position) => taken.has(position))) continue;
    const word = { token: number.token, spelled: numberAsWritten(units, number.at) };
    const label = number.at.map((position) => units[position]?.accented ?? '').join(',');
    clauses.push(wordClause('term', label, ROLE.faintTerm, word));
    for (const position of number.at) taken.add(position);
  }
  return { rest: units.filter((_, position) => !taken.has(position)), clauses };
}

/** Returns the word token of a measure written as one word ("500mg"). */
function spelledAs(units: readonly Unit[], at: readonly number[]): string | null {
  const [unit] = at.flatMap((position) => units[position] ?? []);
  return at.length === 1 && unit?.script === 'latin' ? `w:${unit.text}` : null;
}

/** Makes clauses of stop words, which only break ties between titles. */
export function noiseClauses(units: readonly Unit[], lexicon: Lexicon): Clause[] {
  return units.flatMap((unit) => {
    const word = unit.script === 'latin' ? wordOf(unit.text, lexicon) : null;
    if (word === null || !word.token.startsWith('n:')) return [];
    return wordClause('concept', unit.accented, ROLE.noise, word);
  });
}

/** Makes clauses of the literal words, for when meanings find nothing; stop words only if there is nothing else. */
export function plainWords(units: readonly Unit[], lexicon: Lexicon): Clause[] {
  const words = new Map<string, Clause>();
  for (const unit of units) {
    const word = unit.script === 'latin' ? wordIn(unit, lexicon) : null;
    if (word === null) continue;
    words.set(word.token, wordClause('term', unit.accented, ROLE.term, word));
  }
  const said = [...words].filter(([token]) => !token.startsWith('n:'));
  return (said.length > 0 ? said : [...words]).map(([, clause]) => clause).slice(0, MAX_WORDS);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
