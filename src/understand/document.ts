import { chooseSpans, type Span } from './choose.ts';
import { combinedNeed } from './combine.ts';
import { type Candidate, findForms } from './match.ts';
import { ancestorsOf } from './parts.ts';
import { tokenize, type Unit } from './tokenize.ts';
import type { DocumentTokens, Lexicon, Need, SourceDocument } from './types.ts';
import { wordToken } from './words.ts';

// The catalog is Portuguese; English words in it are borrowed names (notebook, smartphone).
const PRIOR = new Map([
  ['pt', 1],
  ['en', 0.4],
]);
const MIN_BORROWED = 5;
const MAX_TITLE_CHARS = 400;
const MAX_TITLE_WORDS = 48;
const MAX_SUBJECTS = 4;
const MAX_BODY_CHARS = 6000;
const MAX_BODY_WORDS = 400;
/** Words after which a title no longer says what the thing is, but what it goes with. */
const TURNS = new Set(['para', 'pra', 'pro', 'p', 'com', 'sem', 'c', 's', 'compativel']);
const LISTING = new Set(['e', 'ou']);

/** Gives the index tokens of a catalog record: what it is about, its title, and all else. */
export function analyseDocument(document: SourceDocument, lexicon: Lexicon): DocumentTokens {
  const units = tokenize(document.title, MAX_TITLE_CHARS, MAX_TITLE_WORDS);
  const brand = tokenize(document.brand ?? '', 100, 8);
  const found = readPortuguese(units, lexicon, new Set(brand.map((unit) => unit.text)));
  const region = headRegion(units, found.spans);
  const heads = isStuffed(found.spans, region, lexicon)
    ? []
    : headNeeds(units, found.spans, region, lexicon);
  const category = readPortuguese(tokenize(document.category ?? '', 200, 24), lexicon);
  const categoryNeeds = needsOf(category.spans, lexicon);

  const head = new Set(heads.map((need) => `c:${need.id}`));
  for (const word of headWords(units, found.spans, region, heads, lexicon)) head.add(word);
  // Who asks for meat is answered by lamb as well as by meat; a bakery is not what bread is.
  for (const id of heads.flatMap((need) => need.broader.slice(0, 1))) {
    if (lexicon.needs.get(id)?.kind !== 'place') head.add(`c:${id}`);
  }
  const title = new Set([...head, ...titleConcepts(found.candidates, lexicon)]);
  for (const word of wordTokens([...units, ...brand], lexicon)) title.add(word);
  const subjects = heads.filter((need) => need.kind !== 'attribute');
  for (const need of heads) for (const id of need.broader) title.add(`c:${id}`);
  if (subjects.length === 0) for (const need of categoryNeeds) title.add(`c:${need.id}`);

  const body = new Set(bodyTokens(document, found.candidates, lexicon));
  for (const need of [...subjects, ...categoryNeeds]) {
    body.add(`c:${need.id}`);
    for (const id of ancestorsOf(need.id, lexicon)) body.add(`c:${id}`);
  }
  return {
    head: [...head],
    title: [...title],
    body: [...body].filter((token) => !title.has(token)),
  };
}

type Found = { candidates: Candidate[]; spans: Span[] };

function readPortuguese(
  units: readonly Unit[],
  lexicon: Lexicon,
  brand: ReadonlySet<string> = new Set(),
): Found {
  const portuguese = lexicon.languages.get('pt');
  const english = lexicon.languages.get('en');
  const candidates = portuguese ? findForms(units, portuguese) : [];
  const known = new Set(candidates.flatMap((candidate) => candidate.at));
  const borrowed = english ? findForms(units, english) : [];
  for (const candidate of borrowed) {
    const { at, entry, quality } = candidate;
    const words = at.flatMap((place) => units[place]?.text ?? []);
    if (entry.purpose || entry.target.startsWith('!') || quality < 0.9) continue;
    if (at.some((place) => known.has(place)) || words.some((word) => brand.has(word))) continue;
    if (lexicon.needs.get(entry.target)?.kind === 'attribute') continue;
    if (words.join('').length >= MIN_BORROWED) candidates.push(candidate);
  }
  return { candidates, spans: chooseSpans(units, candidates, PRIOR) };
}

// A form may itself hold a turn ("ração para gatos"): the region ends at the first turn outside.
function headRegion(units: readonly Unit[], spans: readonly Span[]): number {
  const inside = new Set<number>();
  for (const { at, readings } of spans) {
    if (readings[0]?.entry.target.startsWith('!')) continue;
    const last = at[at.length - 1] ?? 0;
    for (let place = at[0] ?? 0; place <= last; place += 1) inside.add(place);
  }
  const turn = units.findIndex(
    (unit, place) => place > 0 && TURNS.has(unit.text) && !inside.has(place),
  );
  return turn < 0 ? units.length : turn;
}

// The first need leads; others lead beside it only when listed ("hambúrguer e batata frita").
function headNeeds(
  units: readonly Unit[],
  spans: readonly Span[],
  region: number,
  lexicon: Lexicon,
): Need[] {
  const heads: Need[] = [];
  let end = -1;
  let broken = false;
  for (const span of spans) {
    const [from] = span.at;
    const entry = span.readings[0]?.entry;
    const need = entry && lexicon.needs.get(entry.target);
    if (from === undefined || from >= region || !need || entry.purpose) continue;
    if (need.kind !== 'attribute' && end >= 0) {
      // "Pastilhas de mel e limão" lists what is in them: only things side by side lead together.
      const listed = end + 1 < from && LISTING.has(units[from - 1]?.text ?? '');
      broken ||= !listed;
      if (broken) continue;
    }
    heads.push(need);
    if (need.kind !== 'attribute') end = span.at[span.at.length - 1] ?? from;
  }
  return withCombinations(heads, spans, lexicon);
}

// "iphone notebook pizza tênis geladeira": a title that names everything is about nothing.
function isStuffed(spans: readonly Span[], region: number, lexicon: Lexicon): boolean {
  const leading = spans.filter(({ at: [first = 0] }) => first < region);
  const subjects = needsOf(leading, lexicon).filter((need) => need.kind !== 'attribute');
  return new Set(subjects.map((need) => need.id)).size > MAX_SUBJECTS;
}

function withCombinations(heads: Need[], spans: readonly Span[], lexicon: Lexicon): Need[] {
  const subject = heads.find((need) => need.kind !== 'attribute');
  if (!subject) return heads;
  for (const need of needsOf(spans, lexicon)) {
    if (need === subject || (need.kind !== 'attribute' && subject.kind !== 'service')) continue;
    const combined = combinedNeed(subject, need, lexicon);
    if (combined && !heads.includes(combined)) return [combined, ...heads];
  }
  return heads;
}

function needsOf(spans: readonly Span[], lexicon: Lexicon): Need[] {
  return spans.flatMap(({ readings }) => {
    const entry = readings[0]?.entry;
    const need = entry && !entry.purpose ? lexicon.needs.get(entry.target) : undefined;
    return need ? [need] : [];
  });
}

// Words of the region, but not those of needs that do not lead ("bolo de cenoura" is no carrot).
function headWords(
  units: readonly Unit[],
  spans: readonly Span[],
  region: number,
  heads: readonly Need[],
  lexicon: Lexicon,
): string[] {
  const others = new Set<number>();
  for (const { at, readings } of spans) {
    const need = lexicon.needs.get(readings[0]?.entry.target ?? '');
    if (!need || need.kind === 'attribute' || heads.includes(need)) continue;
    for (const place of at) others.add(place);
  }
  return wordTokens(
    units.filter((_, place) => place < region && !others.has(place)),
    lexicon,
  );
}

// Every name in the title counts, also inside a longer form, unless the form is one solid word.
function titleConcepts(candidates: readonly Candidate[], lexicon: Lexicon): string[] {
  const solid = new Set<number>();
  for (const { entry, at, quality } of candidates) {
    if (entry.solid && at.length > 1 && quality > 0.9) for (const place of at) solid.add(place);
  }
  return candidates
    .filter(({ entry, at }) => entry.solid || !at.every((place) => solid.has(place)))
    .filter(({ at }) => at.length > 1 || !at.some((place) => solid.has(place)))
    .filter(({ entry }) => !entry.purpose && lexicon.needs.has(entry.target))
    .map(({ entry }) => `c:${entry.target}`);
}

function bodyTokens(
  document: SourceDocument,
  titleCandidates: readonly Candidate[],
  lexicon: Lexicon,
): string[] {
  const text = `${document.category ?? ''} . ${document.body ?? ''}`;
  const units = tokenize(text, MAX_BODY_CHARS, MAX_BODY_WORDS);
  const { spans } = readPortuguese(units, lexicon);
  const needs = [
    ...spans.map((span) => span.readings[0]?.entry.target ?? ''),
    ...titleCandidates.filter(({ entry }) => entry.purpose).map(({ entry }) => entry.target),
  ].filter((id) => lexicon.needs.has(id));
  return [...needs.map((id) => `c:${id}`), ...wordTokens(units, lexicon)];
}

function wordTokens(units: readonly Unit[], lexicon: Lexicon): string[] {
  return units.flatMap((unit) => wordToken(unit, lexicon) ?? []);
}
