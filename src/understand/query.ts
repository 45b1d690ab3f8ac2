import { LEAST_FORM, ROLE } from '../domain/relevance.ts';
import {
  conceptClause,
  extractMeasures,
  noiseClauses,
  plainWords,
  termClauses,
} from './clauses/clauses.ts';
import { alternativesTo, kindClause } from './clauses/kinds.ts';
import type { Lexicon } from './lexicon-types.ts';
import { NO_MERCHANTS } from './mentions/merchant-index.ts';
import { extractMerchants } from './mentions/merchants.ts';
import { extractPlaces, NOWHERE, type QueryContext } from './mentions/places.ts';
import { extractPrice } from './mentions/prices.ts';
import { findFocus } from './reading/focus.ts';
import { innerClauses } from './reading/inner.ts';
import { tagOf } from './reading/languages.ts';
import {
  absorbImitated,
  ancestorsOf,
  chooseHead,
  combineParts,
  makePart,
  markMentioned,
  orderParts,
  type Part,
  partsOf,
} from './reading/parts.ts';
import { findNeeds, type QueryReading, readQuery } from './reading/read.ts';
import { tokenize, type Unit } from './text/tokenize.ts';
import { isNoise, readUnits, titleOf } from './text/words.ts';
import type { Intent, Signals } from './types.ts';
import { hintOfPerson } from './wishes/gifts.ts';
import type { WishedQuery } from './wishes/wish-words.ts';
import { readWish } from './wishes/wishes.ts';
import { extractExclusions, withDietsAsked } from './without/exclusions.ts';

const MAX_CLAUSES = 24;
const GIFT = 'gift';

/**
 * Turns a query in any language into the clauses and signals that retrieval ranks by. Prices, places and merchants
 * that it mentions are extracted first and do not become clauses.
 */
export function understand(
  query: string,
  lexicon: Lexicon,
  around: QueryContext = NOWHERE,
): Intent {
  const { rest, price } = extractPrice(query);
  const all = readUnits(rest, lexicon);
  const { merchants: known = NO_MERCHANTS } = around;
  const { rest: own, merchants } = extractMerchants(all, known, around.known.places, lexicon);
  const findThings = () => findNeeds(own, lexicon);
  const isPlaceNeed = (need: string) => lexicon.needs.get(need)?.kind === 'place';
  const { rest: placeless, places, given } = extractPlaces(own, around, findThings, isPlaceNeed);
  const { rest: measureless, clauses: quantities } = extractMeasures(placeless);
  const findExcluded = () => findNeeds(measureless, lexicon);
  const excluded = extractExclusions(measureless, lexicon, findExcluded);
  const units = excluded.rest;
  const reading = readQuery(units, lexicon, excluded.heard);
  const signals = readSignals(reading);
  const said = partsOf(reading, lexicon);
  if (signals.gift && !said.some((part) => part.need.kind !== 'attribute')) {
    addGift(said, lexicon);
  }
  const parts = combineParts(said, lexicon);
  absorbGift(parts);
  absorbImitated(parts, lexicon);
  const focus = findFocus(units, parts, reading.likely, lexicon);
  if (focus !== null) markMentioned(parts, focus);
  const head = chooseHead(parts, units, reading.likely, lexicon);
  const ordered = orderParts(parts, head);
  const clauses = [
    ...ordered.map((part) => conceptClause(part, head, units, reading, lexicon)),
    ...termClauses(units, reading, { head, focus }, lexicon),
    ...quantities,
    ...innerClauses(units, reading.spans, lexicon),
    ...noiseClauses(units, lexicon),
    ...excluded.exclusions.flatMap(({ clause }) => clause ?? []),
  ];
  const exclusions = withDietsAsked(
    excluded.exclusions,
    clauses,
    { spans: reading.spans, units, head: head?.need ?? null },
    lexicon,
  );
  const diets = ordered.filter(({ need }) =>
    exclusions.some(({ diet }) => diet.needs.includes(need.id)),
  );
  const wantedUnits = units.filter((_, at) => !diets.some((part) => part.at.includes(at)));
  const wished: WishedQuery = {
    ...{ all, units, parts: ordered, clauses, signals, likely: reading.likely },
    namesPlace: places.length > 0,
  };
  const wish = readWish(wished, lexicon);
  const named = [...clauses, ...hintOfPerson(wished, lexicon)];
  const wanted = wish !== null && 'clauses' in wish ? wish.clauses : named;
  const label = wish !== null && 'label' in wish ? wish.label : null;
  const labels = label === null ? ordered.map((part) => part.need.label) : [label];
  const isBare = wish !== null && !('clauses' in wish);
  return {
    language: reading.language === null ? null : tagOf(reading.language),
    clauses:
      !isBare && wanted.some(({ weight }) => weight > ROLE.soft)
        ? wanted.slice(0, MAX_CLAUSES)
        : [],
    title: titleOf(tokenize(query)),
    concepts: [...new Set([...labels, ...exclusions.map(({ diet }) => diet.label)])],
    alternatives: head === null ? [] : alternativesTo(head, lexicon),
    kind: head === null ? null : kindClause(head, lexicon),
    broader: broaderOf(ordered, lexicon),
    words: plainWords(exclusions.length > 0 ? wantedUnits : placeless, lexicon),
    signals,
    exclusions,
    wish,
    mentions: { places, given, price },
    merchants,
    unexplained: unexplainedTerms(units, around, lexicon),
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

// "A present for my nephew: a teddy bear": the head is the bear, not the gift.
function absorbGift(parts: readonly Part[]): void {
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

/**
 * Returns the words of a query that may be misspelled: in no form of any language, in no place or merchant name,
 * and not right after a word of a place name.
 */
export function unexplainedTerms(
  units: readonly Unit[],
  { known, merchants }: QueryContext,
  lexicon: Lexicon,
): string[] {
  return units
    .filter(({ script, text }, at) => {
      if (script !== 'latin' || lexicon.spacedWords.has(text)) return false;
      if (isNoise(text, 'pt', lexicon)) return false;
      const isNamed = known.words.has(text) || merchants?.words.has(text) === true;
      // "Vila Madalena": the rest of a place name that the catalog does not know.
      return !isNamed && !known.words.has(units[at - 1]?.text ?? '');
    })
    .map(({ accented }) => accented);
}
