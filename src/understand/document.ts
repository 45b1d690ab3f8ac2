import { LEAST_FORM } from '../domain/relevance.ts';
import type { Candidate } from './find.ts';
import { type Measure, measuresIn, numberAsWritten, numbersIn } from './measures/measures.ts';
import { ancestorsOf } from './parts.ts';
import { needsOf, readPortuguese, readTitle, type TitleReading } from './title.ts';
import { tokenize, type Unit } from './tokenize.ts';
import type { DocumentTokens, Lexicon, Need, SourceDocument } from './types.ts';
import { readUnits, titleOf, tokensOf, wordOf } from './words.ts';

const MAX_TITLE_CHARS = 400;
const MAX_TITLE_WORDS = 48;
const MAX_BODY_CHARS = 6000;
const MAX_BODY_WORDS = 400;
/** Shorter noise in bodies is not indexed. */
const LEAST_NOISE = 'n:'.length + 4;

/** The fields of a title while they are filled. */
type Fields = { head: Set<string>; title: Set<string>; aside: Set<string> };

/** Gives the index tokens of a catalog record: what it is about, its title, and all else. */
export function analyseDocument(document: SourceDocument, lexicon: Lexicon): DocumentTokens {
  const units = readUnits(document.title, lexicon, MAX_TITLE_CHARS, MAX_TITLE_WORDS);
  const brand = tokenize(document.brand ?? '', 100, 8);
  const title = readTitle(units, brand, lexicon);
  const category = readPortuguese(readUnits(document.category ?? '', lexicon, 200, 24), lexicon);
  const categoryNeeds = needsOf(category.spans, lexicon);
  const subjects = title.heads.filter((need) => need.kind !== 'attribute');

  const fields: Fields = {
    head: new Set(headTokens(title.heads, lexicon)),
    title: new Set(wordTokens(brand, lexicon)),
    aside: new Set(),
  };
  const numbers = numbersIn(units);
  addWords(fields, units, title, numbers, lexicon);
  addNumbers(fields, units, title.asideStart, numbers);
  for (const { token, at } of conceptsNamed(title.candidates, lexicon)) {
    (at >= Math.min(title.headEnd, title.asideStart) ? fields.aside : fields.title).add(token);
  }
  for (const need of title.heads) for (const id of need.broader) fields.title.add(`c:${id}`);
  if (subjects.length === 0) for (const need of categoryNeeds) fields.title.add(`c:${need.id}`);

  const anywhere = new Set(bodyTokens(document, title.candidates, lexicon));
  for (const need of [...subjects, ...categoryNeeds]) {
    anywhere.add(`c:${need.id}`);
    for (const id of ancestorsOf(need.id, lexicon)) anywhere.add(`c:${id}`);
  }
  return {
    head: [...fields.head],
    title: [...fields.title],
    aside: [...fields.aside],
    anywhere: [...anywhere],
    name: titleOf(tokenize(document.title)),
  };
}

// Lamb answers a search for meat, so the nearest broader need counts too; but not a place (bread, bakery).
function headTokens(heads: readonly Need[], lexicon: Lexicon): string[] {
  const nearest = heads
    .flatMap((need) => need.broader.slice(0, 1))
    .filter((id) => lexicon.needs.get(id)?.kind !== 'place');
  return [...heads.map((need) => need.id), ...nearest].map((id) => `c:${id}`);
}

function addWords(
  fields: Fields,
  units: readonly Unit[],
  { isStuffed, named, asideStart }: TitleReading,
  numbers: readonly Measure[],
  lexicon: Lexicon,
): void {
  const inNumbers = new Set(numbers.flatMap(({ at }) => (at.length > 1 ? at : [])));
  for (const [place, unit] of units.entries()) {
    if (inNumbers.has(place)) continue;
    const isBeside = isStuffed || unit.packaging === true || named.has(place);
    const field = place >= asideStart ? fields.aside : isBeside ? fields.title : fields.head;
    // The short form is what the title says; what it stands for ranks below titles that write it out.
    const said = unit.written === undefined ? [unit] : tokenize(unit.written);
    for (const token of wordTokens(said, lexicon)) field.add(token);
    if (unit.written === undefined) continue;
    const meant = wordOf(unit.text, lexicon);
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

// Every name in the title counts, also inside a longer form, unless the form is one solid word.
function conceptsNamed(
  candidates: readonly Candidate[],
  lexicon: Lexicon,
): { token: string; at: number }[] {
  const solid = new Set<number>();
  for (const { entry, at, quality } of candidates) {
    if (entry.solid && at.length > 1 && quality > LEAST_FORM.sure)
      for (const place of at) solid.add(place);
  }
  return candidates
    .filter(({ entry, at }) => entry.solid || !at.every((place) => solid.has(place)))
    .filter(({ at }) => at.length > 1 || !at.some((place) => solid.has(place)))
    .filter(({ entry }) => !entry.purpose && lexicon.needs.has(entry.target))
    .map(({ entry, at }) => ({ token: `c:${entry.target}`, at: at[0] ?? 0 }));
}

function bodyTokens(
  document: SourceDocument,
  titleCandidates: readonly Candidate[],
  lexicon: Lexicon,
): string[] {
  const text = `${document.category ?? ''} . ${document.body ?? ''}`;
  const units = readUnits(text, lexicon, MAX_BODY_CHARS, MAX_BODY_WORDS);
  const { spans } = readPortuguese(units, lexicon);
  const needs = [
    ...spans.map((span) => span.readings[0]?.entry.target ?? ''),
    ...titleCandidates.filter(({ entry }) => entry.purpose).map(({ entry }) => entry.target),
  ].filter((id) => lexicon.needs.has(id));
  return [
    ...needs.map((id) => `c:${id}`),
    ...bodyWords(units, lexicon),
    ...measuresIn(units).map(({ token }) => token),
  ];
}

function wordTokens(units: readonly Unit[], lexicon: Lexicon): string[] {
  return units.flatMap(({ text }) => wordOf(text, lexicon) ?? []).flatMap(tokensOf);
}

/** Words of a body: stems only, without short noise. */
function bodyWords(units: readonly Unit[], lexicon: Lexicon): string[] {
  return units
    .flatMap(({ text }) => wordOf(text, lexicon) ?? [])
    .map(({ token }) => token)
    .filter((token) => !token.startsWith('n:') || token.length >= LEAST_NOISE);
}
