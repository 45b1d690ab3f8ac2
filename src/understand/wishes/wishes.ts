import { LEAST_FORM } from '../../domain/relevance.ts';
import type { Lexicon, WishRow } from '../lexicon-types.ts';
import { type Candidate, findForms } from '../reading/find.ts';
import type { Wish } from '../types.ts';
import { asksForGift, giftWish } from './gifts.ts';
import {
  isLikely,
  isName,
  isThing,
  rowFor,
  type WishedQuery,
  wishClause,
  wishForms,
  wishLanguages,
} from './wish-words.ts';

/** Longer queries name a thing. */
const MOST_UNITS = 24;
/** Unknown units that a follow-up may add, such as the name of a district. */
const MOST_ADDED = 3;

/**
 * Recognises the wish of a query that names no thing: a bare wish (offers, anything, a follow-up), or one that the
 * table turns into things (something to eat, for children, a gift). Null if it names a thing.
 */
export function readWish(query: WishedQuery, lexicon: Lexicon): Wish | null {
  if (lexicon.wishes === undefined || query.all.length > MOST_UNITS) return null;
  return bareWish(query, lexicon) ?? wishOfTable(query, lexicon);
}

// For a bare wish, one language must explain all units without naming a thing.
function bareWish(query: WishedQuery, lexicon: Lexicon): Wish | null {
  const { signals, namesPlace } = query;
  const spoken = wishLanguages(query, lexicon).map((language) => ({
    language,
    forms: wishForms(query.all, language, lexicon),
  }));
  const found = spoken.map((one) => sayings(query, one, lexicon)).filter(({ isWhole }) => isWhole);
  const says = (target: string) => found.some(({ targets }) => targets.has(target));
  const isPlain = found.some(({ isOnlyWish }) => isOnlyWish);
  if (isPlain && says('!offers')) return { kind: 'offers' };
  // A query of nothing but a merchant's name is no follow-up, whatever its words mean.
  const isSaid = query.units.length > 0 || namesPlace;
  if (isSaid && (says('!followup') || says('!and') || goesOn(query, spoken))) {
    return { kind: 'follow-up' };
  }
  if (!isPlain) return null;
  if (says('!food')) return wishOf('food', rowFor('food', null, lexicon));
  if (signals.cheap) return { kind: 'cheap' };
  if (says('!any') || signals.near || namesPlace) return { kind: 'anything' };
  return null;
}

// "What about Moema?": after such words, even an unknown name makes a follow-up.
function goesOn(query: WishedQuery, spoken: readonly Spoken[]): boolean {
  if (query.parts.some(isThing)) return false;
  const believable = spoken.filter(
    ({ language }) => query.likely === null || isLikely(language, query.likely),
  );
  return believable.some(({ forms }) => {
    const first = forms.find(({ at }) => at[0] === 0);
    const rest = query.all.length - (first?.at.length ?? 0);
    return first?.entry.target === '!and' && rest <= MOST_ADDED;
  });
}

/** The forms of wishes in a query, read in one language. */
type Spoken = { language: string; forms: readonly Candidate[] };

type Sayings = {
  targets: ReadonlySet<string>;
  /** All units are wishes, or what a follow-up may add: a colour, a number. */
  isWhole: boolean;
  /** All units are wishes. */
  isOnlyWish: boolean;
};

const NOTHING: Sayings = { targets: new Set(), isWhole: false, isOnlyWish: false };

function sayings(query: WishedQuery, { language, forms }: Spoken, lexicon: Lexicon): Sayings {
  const { units, parts, likely } = query;
  const targets = new Set(forms.map(({ entry }) => entry.target));
  if (targets.size === 0 && !isLikely(language, likely) && likely !== null) return NOTHING;
  const wished = positions(wishForms(units, language, lexicon));
  const index = lexicon.languages.get(language);
  const said = index === undefined ? [] : findForms(units, index).filter(isSignal);
  const covered = new Set([...wished, ...positions(said)]);
  const things = parts.filter((part) => isThing(part) && !part.at.every((at) => wished.has(at)));
  const added = new Set(parts.flatMap((part) => (part.need.kind === 'attribute' ? part.at : [])));
  const isWhole =
    things.length === 0 &&
    units.every(({ text }, at) => covered.has(at) || added.has(at) || /^\d+$/.test(text));
  const isOnlyWish = isWhole && units.every((_, at) => covered.has(at)) && added.size === 0;
  return { targets, isWhole, isOnlyWish };
}

// Stop words are often written with wrong accents ("¿que hay?"), so any quality will do.
const isSignal = ({ entry, quality }: Candidate) =>
  entry.target === '!polite' || (entry.target.startsWith('!') && quality >= LEAST_FORM.sure);

const positions = (candidates: readonly Candidate[]) => new Set(candidates.flatMap(({ at }) => at));

function wishOfTable(query: WishedQuery, lexicon: Lexicon): Wish | null {
  if (asksForGift(query, lexicon)) return giftWish(query, lexicon);
  const named = query.parts.filter(({ absorbed }) => !absorbed);
  const isNamed = query.clauses.some(isName);
  const [first] = named;
  if (first === undefined || isNamed) return null;
  if (named.every((part) => isThing(part) && part.need.id === 'food')) {
    return wishOf('food', rowFor('food', null, lexicon));
  }
  const isForKids = named.every(
    ({ need }) => need.kind === 'attribute' && rowFor('kids', need.id, lexicon),
  );
  return isForKids ? wishOf('kids', rowFor('kids', first.need.id, lexicon)) : null;
}

const wishOf = (kind: 'food' | 'kids', row: WishRow | undefined): Wish | null =>
  row === undefined ? null : { kind, clauses: [wishClause(row)], label: null };
