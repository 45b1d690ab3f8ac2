import { LEAST_FORM } from '../../domain/relevance.ts';
import { remembered } from '../../domain/remembered.ts';
import type { Word } from '../../domain/search.ts';
import type { Entry, Lexicon, Need } from '../lexicon-types.ts';
import type { Candidate } from '../reading/find.ts';
import { ancestorsOf } from '../reading/parts.ts';
import { type Measure, measuresIn, numberAsWritten, numbersIn } from '../text/measures.ts';
import { expandShorthand } from '../text/shorthand.ts';
import { tokenize, type Unit } from '../text/tokenize.ts';
import { readUnits, titleOf, wordOf } from '../text/words.ts';
import type { DocumentTokens, SourceDocument } from '../types.ts';
import { needsOf, readPortuguese, readTitle, type TitleReading } from './title.ts';

const MAX_TITLE_CHARS = 400;
const MAX_TITLE_WORDS = 48;
const MAX_BODY_CHARS = 6000;
const MAX_BODY_WORDS = 400;
/** Shorter stop words in bodies are not indexed. */
const LEAST_NOISE = 'n:'.length + 4;

/** The fields of a title while they are filled. */
type Fields = { head: Set<string>; title: Set<string>; aside: Set<string> };

/** Cache sizes. */
const REMEMBERED = { words: 10_000, categories: 1000 };

/** The tokens of a category or body: concepts; words and measures. */
type Said = { concepts: string[]; words: string[] };

/** The lexicon with caches of what records repeat. */
type Reader = {
  lexicon: Lexicon;
  /** Returns the tokens of a word; null if it is not indexed. */
  wordOf: (text: string) => Word | null;
  needsOf: (category: string) => Need[];
  /** Returns the tokens of a category, for records without a body. */
  saidOf: (category: string) => Said;
};

/** Returns the analysis of catalog records into index tokens by field. */
export function openDocuments(lexicon: Lexicon): (document: SourceDocument) => DocumentTokens {
  const known = remembered((text: string) => wordOf(text, lexicon), REMEMBERED.words);
  const needs = (category: string) =>
    needsOf(readPortuguese(readUnits(category, lexicon, 200, 24), lexicon).spans, lexicon);
  const said = (category: string) => readText(textOf(category, ''), known, lexicon);
  const reader: Reader = {
    lexicon,
    wordOf: known,
    needsOf: remembered(needs, REMEMBERED.categories),
    saidOf: remembered(said, REMEMBERED.categories),
  };
  return (document) => analyse(document, reader);
}

function analyse(document: SourceDocument, reader: Reader): DocumentTokens {
  const { lexicon } = reader;
  const written = tokenize(document.title);
  const units = expandShorthand(
    startOf(written, document.title),
    document.title,
    lexicon.shorthand,
  );
  const brand = tokenize(document.brand ?? '', 100, 8);
  const title = readTitle(units, brand, lexicon);
  const categoryNeeds = reader.needsOf(document.category ?? '');
  const subjects = title.heads.filter((need) => need.kind !== 'attribute');

  const fields: Fields = {
    head: new Set(headTokens(title.heads, lexicon)),
    title: new Set(),
    aside: new Set(),
  };
  for (const unit of brand) addWord(fields.title, unit, reader);
  const numbers = numbersIn(units);
  addWords(fields, units, title, numbers, reader);
  addNumbers(fields, units, title.asideStart, numbers);
  const turn = Math.min(title.headEnd, title.asideStart);
  for (const { token, at } of conceptsNamed(title.candidates, lexicon)) {
    (at >= turn || title.owners.has(at) ? fields.aside : fields.title).add(token);
  }
  for (const need of title.heads) for (const id of need.broader) fields.title.add(`c:${id}`);
  if (subjects.length === 0) for (const need of categoryNeeds) fields.title.add(`c:${need.id}`);

  const anywhere = new Set(bodyTokens(document, title.candidates, reader));
  for (const need of [...subjects, ...categoryNeeds]) {
    anywhere.add(`c:${need.id}`);
    for (const id of ancestorsOf(need.id, lexicon)) anywhere.add(`c:${id}`);
  }
  return {
    head: [...fields.head],
    title: [...fields.title],
    aside: [...fields.aside],
    anywhere: [...anywhere],
    name: titleOf(written),
  };
}

/** Returns the units of a title, cut to a maximum length. */
function startOf(written: Unit[], title: string): Unit[] {
  const isShort = title.length <= MAX_TITLE_CHARS && written.length <= MAX_TITLE_WORDS;
  return isShort ? written : tokenize(title, MAX_TITLE_CHARS, MAX_TITLE_WORDS);
}

// Lamb matches a search for meat, so the nearest broader need is indexed too; but not a place (bread, bakery).
function headTokens(heads: readonly Need[], lexicon: Lexicon): string[] {
  const nearest = heads
    .flatMap((need) => need.broader.slice(0, 1))
    .filter((id) => lexicon.needs.get(id)?.kind !== 'place');
  return [...heads.map((need) => need.id), ...nearest].map((id) => `c:${id}`);
}

function addWords(
  fields: Fields,
  units: readonly Unit[],
  { isStuffed, named, owners, asideStart }: TitleReading,
  numbers: readonly Measure[],
  reader: Reader,
): void {
  const inNumbers = new Set(numbers.flatMap(({ at }) => (at.length > 1 ? at : [])));
  for (const [position, unit] of units.entries()) {
    if (inNumbers.has(position)) continue;
    const isBeside = isStuffed || unit.packaging === true || named.has(position);
    const isAside = position >= asideStart || owners.has(position);
    const field = isAside ? fields.aside : isBeside ? fields.title : fields.head;
    // The title says the abbreviation; its expansion is worth less than the word written out.
    if (unit.written === undefined) {
      addWord(field, unit, reader);
      continue;
    }
    for (const short of tokenize(unit.written)) addWord(field, short, reader);
    const meant = reader.wordOf(unit.text);
    if (meant !== null) (field === fields.head ? fields.title : field).add(meant.token);
  }
}

function addNumbers(
  { head, aside }: Fields,
  units: readonly Unit[],
  asideStart: number,
  numbers: readonly Measure[],
): void {
  const fieldAt = ([first = 0]: readonly number[]) => (first >= asideStart ? aside : head);
  for (const { token, at } of [...measuresIn(units), ...numbers]) fieldAt(at).add(token);
  for (const { at } of numbers) {
    const token = numberAsWritten(units, at);
    if (token !== null) fieldAt(at).add(token);
  }
}

// Every name in the title is indexed, even inside a longer form, unless that form is solid.
function conceptsNamed(
  candidates: readonly Candidate[],
  lexicon: Lexicon,
): { token: string; at: number }[] {
  const solid = new Set<number>();
  for (const { entry, at, quality } of candidates) {
    if (entry.solid && at.length > 1 && quality > LEAST_FORM.sure)
      for (const position of at) solid.add(position);
  }
  return candidates
    .filter(({ entry, at }) => entry.solid || !at.every((position) => solid.has(position)))
    .filter(({ at }) => at.length > 1 || !at.some((position) => solid.has(position)))
    .filter(({ entry }) => !entry.purpose && lexicon.needs.has(entry.target))
    .map(({ entry, at }) => ({ token: `c:${entry.target}`, at: at[0] ?? 0 }));
}

function bodyTokens(
  { category, body }: SourceDocument,
  titleCandidates: readonly Candidate[],
  reader: Reader,
): string[] {
  const { lexicon } = reader;
  const { concepts, words } = body
    ? readText(textOf(category ?? '', body), reader.wordOf, lexicon)
    : reader.saidOf(category ?? '');
  const purposes = titleCandidates.filter(({ entry }) => entry.purpose);
  return [...concepts, ...conceptTokens(purposes, lexicon), ...words];
}

const textOf = (category: string, body: string) => `${category} . ${body}`;

function readText(text: string, known: Reader['wordOf'], lexicon: Lexicon): Said {
  const units = readUnits(text, lexicon, MAX_BODY_CHARS, MAX_BODY_WORDS);
  const { spans } = readPortuguese(units, lexicon);
  const readings = spans.flatMap((span) => span.readings[0] ?? []);
  return {
    concepts: conceptTokens(readings, lexicon),
    words: [...bodyWords(units, known), ...measuresIn(units).map(({ token }) => token)],
  };
}

function conceptTokens(named: readonly { entry: Entry }[], lexicon: Lexicon): string[] {
  return named
    .filter(({ entry }) => lexicon.needs.has(entry.target))
    .map(({ entry }) => `c:${entry.target}`);
}

function addWord(field: Set<string>, { text }: Unit, reader: Reader): void {
  const word = reader.wordOf(text);
  if (word === null) return;
  field.add(word.token);
  if (word.spelled !== null) field.add(word.spelled);
}

/** Returns the tokens of body words: stems only, without short stop words. */
function bodyWords(units: readonly Unit[], known: Reader['wordOf']): string[] {
  return units
    .flatMap(({ text }) => known(text) ?? [])
    .map(({ token }) => token)
    .filter((token) => !token.startsWith('n:') || token.length >= LEAST_NOISE);
}
