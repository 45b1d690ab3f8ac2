import { placeKeyOf } from '../../domain/places.ts';
import { LEAST_FORM } from '../../domain/relevance.ts';
import { kindsBelow } from '../clauses/kinds.ts';
import type { Lexicon } from '../lexicon-types.ts';
import type { Candidate } from '../reading/find.ts';
import { withinOneEdit } from '../reading/guess.ts';
import { findNeeds } from '../reading/read.ts';
import { wordsAsWritten } from '../text/shorthand.ts';
import { tokenize, type Unit } from '../text/tokenize.ts';
import { isNoise } from '../text/words.ts';
import type { NamedMerchant } from '../types.ts';
import { type KnownMerchant, type MerchantIndex, wordsBeside } from './merchant-index.ts';
import {
  ANY_OF_HIS,
  ANY_OF_HIS_CHARACTERS,
  GENERIC,
  type MerchantCues,
  readAroundMerchant,
} from './merchant-words.ts';

/** Maximum units in a name; in scripts without spaces, a unit is a character. */
const MOST_UNITS = 16;
const MOST_MERCHANTS = 3;
/** Typos are only tolerated in names of several words: shorter ones would match by coincidence. */
const MOST_WORDS_MISTYPED = 4;
const LEAST_MISTYPED = 8;
/** A word of a merchant's name is a common noun only in these languages; in others it is a coincidence. */
const PLAIN_LANGUAGES = new Set(['pt', 'en', 'es']);

/** Folded names of places. */
type PlaceNames = { has(key: string): boolean };

/** The remaining units of a query, and the merchants that it names. */
export type ExtractedMerchants = { rest: Unit[]; merchants: NamedMerchant[] };

/** A name at the units [`from`, `to`), and [`start`, `end`) with its cue words. */
type Found = {
  known: KnownMerchant;
  isWhole: boolean;
  from: number;
  to: number;
  start: number;
  end: number;
  cues: MerchantCues;
};

/**
 * Extracts the merchants that a query names: by full name, or by its distinctive part beside a cue ("na", "from",
 * "store" …). A name that is also a thing or place is only taken with a cue; a single word that may be a brand is
 * reported as unsure and stays among the units.
 */
export function extractMerchants(
  units: readonly Unit[],
  index: MerchantIndex,
  places: PlaceNames,
  lexicon: Lexicon,
): ExtractedMerchants {
  if (index.whole.size === 0) return { rest: [...units], merchants: [] };
  const rest: Unit[] = [];
  const merchants: NamedMerchant[] = [];
  let needs: readonly Candidate[] | null = null;
  let cut = 0;
  for (let at = 0; at < units.length; ) {
    for (const found of namesAt(units, at, cut, index, lexicon)) {
      needs ??= findNeeds(units, lexicon);
      const taken = judge(found, units, needs, places, lexicon);
      if (taken === null || merchants.length >= MOST_MERCHANTS) continue;
      merchants.push({ name: found.known.name, ids: found.known.ids, isSure: taken === 'sure' });
      if (taken === 'maybe') break;
      rest.length -= found.from - found.start;
      at = found.end;
      cut = at;
      break;
    }
    const unit = units[at];
    if (unit === undefined) break;
    // No phrase spans a removed name.
    rest.push(at === cut && cut > 0 ? { ...unit, starts: true } : unit);
    at += 1;
  }
  const isAny = rest.length < units.length && rest.every((unit) => asksForAny(unit, lexicon));
  return { rest: isAny ? [] : rest, merchants };
}

/** "o que tem na …", "what does … sell": asks for anything. */
const asksForAny = ({ text, spaced }: Unit, lexicon: Lexicon) =>
  spaced ? ANY_OF_HIS.has(text) || isNoise(text, 'pt', lexicon) : ANY_OF_HIS_CHARACTERS.has(text);

/** Yields the names that start at a unit, longest first; cue words are not read before `floor`. */
function* namesAt(
  units: readonly Unit[],
  from: number,
  floor: number,
  index: MerchantIndex,
  lexicon: Lexicon,
): Generator<Found> {
  const texts = wordsAsWritten(units.slice(from, from + MOST_UNITS));
  for (let length = texts.length; length > 0; length -= 1) {
    const key = texts.slice(0, length).join('');
    const to = from + length;
    const around = () => readAroundMerchant(units, [from, to], floor);
    const known = index.whole.get(key);
    if (known !== undefined) yield { known, isWhole: true, from, to, ...around() };
    const part = known === undefined ? index.parts.get(key) : null;
    if (part && isGeneric(wordsBeside(part, key).join(' '), lexicon)) {
      yield { known: part, isWhole: false, from, to, ...around() };
    }
    if (known !== undefined || part) continue;
    const { cues, ...range } = around();
    const typed = cues.at || cues.of || cues.shop ? mistyped(texts.slice(0, length), index) : null;
    if (typed !== null) yield { known: typed, isWhole: true, from, to, cues, ...range };
  }
}

/** Finds the only merchant at edit distance 1 from these words. */
function mistyped(words: readonly string[], { whole, words: ofNames }: MerchantIndex) {
  const key = words.join('');
  const isTried =
    words.length > 1 && words.length <= MOST_WORDS_MISTYPED && key.length >= LEAST_MISTYPED;
  if (!isTried || !words.some((word) => ofNames.has(word))) return null;
  const [name, other] = withinOneEdit(key, 'latin', whole);
  return (name !== undefined && other === undefined && whole.get(name)) || null;
}

const genericWord = (word: string) => word.length === 1 || GENERIC.has(word) || /^\d+$/.test(word);

/** Returns whether all words of a name are generic: kinds of shops and of goods. */
function isGeneric(words: string, lexicon: Lexicon): boolean {
  const units = tokenize(words);
  const tellsLittle = ({ entry: { target } }: Candidate) =>
    lexicon.needs.get(target)?.kind === 'place' || kindsBelow(target, lexicon) > 0;
  const named = positionsOf(
    findNeeds(units, lexicon).filter((one) => isPlain(one) && tellsLittle(one)),
  );
  return units.every(({ text }, at) => named.has(at) || genericWord(text));
}

const isPlain = ({ entry, quality }: Candidate) =>
  quality >= LEAST_FORM.sure && !entry.purpose && PLAIN_LANGUAGES.has(entry.language);

const positionsOf = (needs: readonly Candidate[]) => new Set(needs.flatMap(({ at }) => at));

/** Decides whether a name means the merchant; null if it does not. */
function judge(
  { isWhole, from, to, start, end, cues }: Found,
  units: readonly Unit[],
  needs: readonly Candidate[],
  places: PlaceNames,
  lexicon: Lexicon,
): 'sure' | 'maybe' | null {
  const words = units.slice(from, to).map(({ text }) => text);
  const isWord = to - from === 1;
  const plain = needs.filter(isPlain);
  // "suco de laranja": part of a longer noun phrase.
  const reachesOver = ({ at }: Candidate) =>
    at.length > to - from && at.includes(from) && at.includes(to - 1);
  if (plain.some(reachesOver)) return null;
  const isPlace = places.has(placeKeyOf(words));
  if (isPlace) return cues.shop ? 'sure' : null;
  const inside = positionsOf(plain.filter(({ at }) => at.every((one) => one >= from && one < to)));
  const inPlaces = placesInside(words, places);
  const isCommon = words.every(
    (word, at) => inside.has(from + at) || inPlaces.has(at) || genericWord(word),
  );
  if (isWhole && cues.shop) return 'sure';
  if (isCommon) {
    // "O que tem no Quintal?" asks about the merchant, not about a yard.
    const others = units.filter((_, at) => at < start || at >= end);
    const isAsked = cues.at && others.length > 0 && others.every((one) => asksForAny(one, lexicon));
    return isWhole && (isAsked || (!isWord && (cues.at || cues.of))) ? 'sure' : null;
  }
  const isAlone = start === 0 && end === units.length;
  if (!isWhole) {
    if (cues.shop || cues.at) return 'sure';
    return cues.of && !isWord ? 'sure' : null;
  }
  if (cues.at || isAlone) return 'sure';
  if (isWord) return 'maybe';
  // "o livro O Jardim Secreto": after a thing, the name may be its title, unless it has a word for a shop.
  const followsThing = plain.some(({ at }) => at.at(-1) === start - 1);
  const saysShop = plain.some(
    ({ at, entry }) =>
      at.every((one) => one >= from && one < to) &&
      lexicon.needs.get(entry.target)?.kind === 'place',
  );
  return followsThing && !saysShop && !cues.of && !genericWord(words[0] ?? '') ? 'maybe' : 'sure';
}

/** Returns the positions of words that name a place of the catalog. */
function placesInside(words: readonly string[], places: PlaceNames): Set<number> {
  const found = new Set<number>();
  for (let from = 0; from < words.length; from += 1) {
    for (let to = words.length; to > from; to -= 1) {
      if (!places.has(placeKeyOf(words.slice(from, to)))) continue;
      for (let at = from; at < to; at += 1) found.add(at);
      break;
    }
  }
  return found;
}
