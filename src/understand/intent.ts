import { combine } from './combine.ts';
import { tagOf } from './language.ts';
import { NOWHERE, type Surroundings, setPlacesAside } from './named-places.ts';
import { setPriceAside } from './named-price.ts';
import { ancestorsOf, chooseHead, makePart, type Part, partsOf } from './parts.ts';
import { findNeeds, type Reading, readQuery } from './read-query.ts';
import { softGroups } from './soft.ts';
import { stemPortuguese } from './stem.ts';
import { tokenize, type Unit } from './tokenize.ts';
import { transliterate } from './transliterate.ts';
import type { Alternative, Group, Intent, Lexicon, Signals } from './types.ts';
import { isNoise, plainWords } from './words.ts';

const HEAD = 1.7;
const NAMED = 1;
const PURPOSE = 0.9;
const ATTRIBUTE = 0.6;
/** A word that only an unlikely language knows. */
const STRAY = 0.6;
const ABSORBED = 0.45;
const TERM = 0.6;
/** Bare numbers, and brands spelled over from another script. */
const FAINT_TERM = 0.4;
const TERMS_TOGETHER = 3;
const OWN_STEM = 0.5;
const OWN_STEM_OF_PHRASE = 0.3;
const GUESS = 0.6;
const LONE_GUESS = 0.8;
const MAX_GROUPS = 16;
const GIFT = 'gift';

/**
 * Turns a query in any language into the concepts, terms and signals that retrieval ranks by. What it
 * says of a price, and of the places that the search is kept to or clearly speaks of, is set aside.
 */
export function understand(
  query: string,
  lexicon: Lexicon,
  around: Surroundings = NOWHERE,
): Intent {
  const { rest, price } = setPriceAside(query);
  const all = tokenize(rest);
  const { rest: units, places, given } = setPlacesAside(all, around, () => findNeeds(all, lexicon));
  const reading = readQuery(units, lexicon);
  const signals = readSignals(reading);
  const named = allParts(reading, lexicon);
  if (signals.gift && !named.some((part) => part.need.kind !== 'attribute')) {
    addGift(named, lexicon);
  }
  const parts = combine(named, lexicon);
  setGiftBehind(parts);
  const head = chooseHead(parts, units, reading.likely, lexicon);
  const ordered = orderParts(parts, head);
  const concepts = ordered.map((part) => conceptGroup(part, head, units, lexicon));
  const wanted = [...concepts, ...termGroups(units, reading)];
  const groups = [...wanted, ...softBeside(wanted, softGroups(units, reading.spans, lexicon))];
  return {
    language: reading.language === null ? null : tagOf(reading.language),
    groups: groups.slice(0, MAX_GROUPS),
    concepts: [...new Set(ordered.map((part) => part.need.label))],
    broader: broaderOf(ordered, lexicon),
    words: plainWords(units, lexicon),
    signals,
    aside: { places, given, price },
  };
}

function allParts(reading: Reading, lexicon: Lexicon): Part[] {
  const parts = partsOf(reading.spans, lexicon);
  for (const { entry, at, quality } of reading.modifiers) {
    const need = lexicon.needs.get(entry.target);
    const beside = parts.find((part) => part.at[0] === at[0] && part.language === entry.language);
    if (!need || !beside || parts.some((part) => part.need.id === need.id)) continue;
    parts.push(makePart(need, entry, { at, quality, modifier: true }));
  }
  return parts;
}

// A soft group that repeats a wanted one would count the same words twice.
function softBeside(wanted: readonly Group[], soft: readonly Group[]): Group[] {
  const leading = new Set(wanted.map((group) => group.alternatives[0]?.token));
  return soft.filter((group) => !leading.has(group.alternatives[0]?.token));
}

function readSignals(reading: Reading): Signals {
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
      part !== gift && part.need.kind !== 'attribute' && !part.modifier && part.quality >= 0.7,
  );
  if (gift && thing) gift.absorbed = true;
}

function orderParts(parts: readonly Part[], head: Part | null): Part[] {
  const rank = (part: Part) =>
    part === head ? 9 : weightOf(part, head) + (part.quality < 0.7 ? -1 : 0);
  return [...parts].sort((a, b) => rank(b) - rank(a));
}

function weightOf(part: Part, head: Part | null): number {
  if (part === head) return part.quality < 0.7 ? NAMED : HEAD;
  if (part.absorbed) return ABSORBED;
  if (part.need.kind === 'attribute') return ATTRIBUTE;
  if (part.modifier) return ATTRIBUTE;
  if (part.plausible < 0.5) return STRAY;
  return part.purpose ? PURPOSE : NAMED;
}

function conceptGroup(
  part: Part,
  head: Part | null,
  units: readonly Unit[],
  lexicon: Lexicon,
): Group {
  const guessed = part.quality < 0.7;
  const sureness = guessed ? (part === head ? LONE_GUESS : GUESS) : 1;
  const alternatives: Alternative[] = [{ token: `c:${part.need.id}`, weight: sureness }];
  for (const other of part.others) {
    alternatives.push({ token: `c:${other.id}`, weight: round(other.weight * sureness) });
  }
  alternatives.push(...ownStems(part, units, lexicon, guessed));
  return { label: part.need.label, kind: 'concept', weight: weightOf(part, head), alternatives };
}

// The words themselves count too, so that a record whose text the lexicon missed still matches.
function ownStems(
  part: Part,
  units: readonly Unit[],
  lexicon: Lexicon,
  guessed: boolean,
): Alternative[] {
  const portuguese = lexicon.languages.get('pt');
  const words = part.at
    .map((at) => units[at])
    .filter((unit) => unit?.script === 'latin' && unit.text.length > 2)
    .map((unit) => unit?.text ?? '')
    .filter((word) => {
      const meant = portuguese?.exact.get(word);
      return !meant || meant.some((entry) => entry.target === part.need.id) || part.at.length > 1;
    });
  const weight = guessed ? 1 : words.length > 1 ? OWN_STEM_OF_PHRASE : OWN_STEM;
  const stems = new Set(words.filter((word) => !isNoise(word, part.language, lexicon)));
  return [...stems].map((word) => ({ token: `w:${stemPortuguese(word)}`, weight }));
}

// Leftover words are brands, models, numbers. Of other scripts only Cyrillic is spelled over.
function termGroups(units: readonly Unit[], reading: Reading): Group[] {
  const covered = new Set(reading.spans.flatMap((span) => span.at));
  const terms = new Map<string, Group>();
  for (const [position, unit] of units.entries()) {
    if (covered.has(position)) continue;
    const word = termOf(unit);
    if (word.length < 2 && !/\d/.test(word)) continue;
    const token = `w:${stemPortuguese(word)}`;
    const weight = /^\d+$/.test(word) || unit.script !== 'latin' ? FAINT_TERM : TERM;
    const alternatives = [{ token, weight: 1 }];
    terms.set(token, { label: unit.accented, kind: 'term', weight, alternatives });
  }
  // Two or three leftover words are a brand and a model; ten are somebody's story.
  const share = Math.min(1, TERMS_TOGETHER / Math.max(1, terms.size));
  return [...terms.values()].map((group) => ({ ...group, weight: round(group.weight * share) }));
}

function termOf(unit: Unit): string {
  if (unit.script === 'latin') return unit.text;
  return unit.script === 'cyrillic' && unit.text.length > 3 ? transliterate(unit.text) : '';
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

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
