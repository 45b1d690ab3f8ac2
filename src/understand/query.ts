import { LEAST_FORM, ROLE } from '../domain/relevance.ts';
import {
  conceptClause,
  innerClauses,
  noiseClauses,
  plainWords,
  setMeasuresAside,
  termClauses,
} from './clauses.ts';
import { tagOf } from './languages.ts';
import {
  ancestorsOf,
  chooseHead,
  combineParts,
  makePart,
  orderParts,
  type Part,
  partsOf,
} from './parts.ts';
import { NOWHERE, type Surroundings, setPlacesAside } from './places.ts';
import { setPriceAside } from './prices.ts';
import { findNeeds, type QueryReading, readQuery } from './read.ts';
import { tokenize } from './tokenize.ts';
import type { Intent, Lexicon, Signals } from './types.ts';
import { readUnits, titleOf } from './words.ts';

const MAX_CLAUSES = 24;
const GIFT = 'gift';

/**
 * Turns a query in any language into the clauses and signals that retrieval ranks by. What it
 * says of a price, and of the places that the search is kept to or clearly speaks of, is set aside.
 */
export function understand(
  query: string,
  lexicon: Lexicon,
  around: Surroundings = NOWHERE,
): Intent {
  const { rest, price } = setPriceAside(query);
  const all = readUnits(rest, lexicon);
  const findThings = () => findNeeds(all, lexicon);
  const { rest: placeless, places, given } = setPlacesAside(all, around, findThings);
  const { rest: units, clauses: quantities } = setMeasuresAside(placeless);
  const reading = readQuery(units, lexicon);
  const signals = readSignals(reading);
  const named = partsOf(reading, lexicon);
  if (signals.gift && !named.some((part) => part.need.kind !== 'attribute')) {
    addGift(named, lexicon);
  }
  const parts = combineParts(named, lexicon);
  setGiftBehind(parts);
  const head = chooseHead(parts, units, reading.likely, lexicon);
  const ordered = orderParts(parts, head);
  const clauses = [
    ...ordered.map((part) => conceptClause(part, head, units, reading, lexicon)),
    ...termClauses(units, reading, lexicon),
    ...quantities,
    ...innerClauses(units, reading.spans, lexicon),
    ...noiseClauses(units, lexicon),
  ];
  return {
    language: reading.language === null ? null : tagOf(reading.language),
    clauses: clauses.some(({ weight }) => weight > ROLE.soft) ? clauses.slice(0, MAX_CLAUSES) : [],
    title: titleOf(tokenize(query)),
    concepts: [...new Set(ordered.map((part) => part.need.label))],
    broader: broaderOf(ordered, lexicon),
    words: plainWords(placeless, lexicon),
    signals,
    aside: { places, given, price },
  };
}

function readSignals(reading: QueryReading): Signals {
  const seen = new Set(reading.spans.map((span) => span.readings[0]?.entry.target));
  return {
    cheap: seen.has('!cheap'),
    near: seen.has('!near'),
    open: seen.has('!open'),
    delivery: seen.has('!delivery'),
    gift: seen.has('!gift'),
  };
}

function addGift(parts: Part[], lexicon: Lexicon): void {
  const need = lexicon.needs.get(GIFT);
  if (need) parts.push(makePart(need, { language: 'pt', purpose: false }, {}));
}

// "A present for my nephew: a teddy bear" asks for the bear, whatever it is for.
function setGiftBehind(parts: readonly Part[]): void {
  const gift = parts.find((part) => part.need.id === GIFT);
  const thing = parts.some(
    (part) =>
      part !== gift &&
      part.need.kind !== 'attribute' &&
      !part.modifier &&
      part.quality >= LEAST_FORM.known,
  );
  if (gift && thing) gift.absorbed = true;
}

function broaderOf(parts: readonly Part[], lexicon: Lexicon): string[] {
  const own = new Set(parts.map((part) => part.need.id));
  const broader = new Set<string>();
  for (const part of parts) {
    if (part.need.kind === 'attribute') continue;
    for (const id of ancestorsOf(part.need.id, lexicon)) if (!own.has(id)) broader.add(`c:${id}`);
  }
  return [...broader];
}
