import { LEAST_FORM, READING, ROLE } from '../../domain/relevance.ts';
import type { Clause } from '../../domain/search.ts';
import { needClause } from '../clauses/clauses.ts';
import type { Lexicon, Need, WishRow } from '../lexicon-types.ts';
import { findForms } from '../reading/find.ts';
import type { Part } from '../reading/parts.ts';
import type { Wish } from '../types.ts';
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

const GIFT = 'gift';
const GIFT_TARGETS: ReadonlySet<string> = new Set([GIFT, `!${GIFT}`]);

/** Returns whether a query asks for a gift, even if a longer form covers the word ("present … dad": a wallet). */
export const asksForGift = (query: WishedQuery, lexicon: Lexicon): boolean =>
  query.signals.gift ||
  query.parts.some(({ need }) => need.id === GIFT) ||
  giftPositions(query, lexicon).size > 0;

/** Returns the positions of words for "gift". */
function giftPositions({ units, likely }: WishedQuery, { languages }: Lexicon): Set<number> {
  const found = [...languages.values()]
    .filter(({ language }) => isLikely(language, likely))
    .flatMap((index) => findForms(units, index))
    .filter(
      ({ entry, quality }) =>
        GIFT_TARGETS.has(entry.target) && !entry.purpose && quality >= LEAST_FORM.sure,
    );
  return new Set(found.flatMap(({ at }) => at));
}

/** Returns the gifts for the person or interest in a query; null if it names the gift itself. */
export function giftWish(query: WishedQuery, lexicon: Lexicon): Wish | null {
  const { parts, clauses } = query;
  const named = parts.filter(({ need, absorbed }) => need.id !== GIFT && !absorbed);
  const rowOf = ({ need }: Part) => rowFor(GIFT, need.id, lexicon);
  const person = named.find((part) => part.need.kind === 'attribute' && rowOf(part));
  const positions = giftPositions(query, lexicon);
  // Things that only have the gift as their purpose are suggestions, not interests.
  const interests = named.filter(
    (part) =>
      isThing(part) && (!part.purpose || !part.at.some((at) => positions.has(at)) || rowOf(part)),
  );
  const rows = interests.map(rowOf);
  const [row] = rows;
  if (row !== undefined) {
    if (rows.includes(undefined)) return null;
    const isOfPerson = person !== undefined && rows.every((one) => one === rowOf(person));
    const isGivable = interests.some(({ need }) => row.needs.includes(need.id));
    // An interest that is also a good gift (wine) is the gift itself unless a word of liking is beside it.
    const isThingItself =
      isGivable &&
      interests.some(({ purpose, at }) => !purpose || at.some((one) => positions.has(one)));
    if (isThingItself && !isOfPerson && !says('!likes', query, lexicon)) return null;
    return giftOf(row, termsOf(clauses), lexicon);
  }
  if (interests.length > 0) return null;
  const whose = person?.need ?? personIn(query, lexicon);
  const rowOfPerson = whose && rowFor(GIFT, whose.id, lexicon);
  if (rowOfPerson) return giftOf(rowOfPerson, [...termsOf(clauses), hint(whose)], lexicon);
  const any = rowFor(GIFT, null, lexicon);
  if (any === undefined || clauses.some(isName)) return null;
  const others = clauses.filter(({ meanings }) =>
    meanings.every(({ token }) => token !== 'c:gift'),
  );
  return { kind: 'gift', clauses: [wishClause(any), ...others], label: null };
}

/** Returns a clause for the person who gets a named gift: a watch for a father is a men's watch. */
export function hintOfPerson(query: WishedQuery, lexicon: Lexicon): Clause[] {
  const person = asksForGift(query, lexicon) ? personIn(query, lexicon) : undefined;
  return person === undefined ? [] : [hint(person)];
}

/** Makes the wish for the gifts of a line, with all other gifts as weaker meanings. */
function giftOf(row: WishRow, others: readonly Clause[], lexicon: Lexicon): Wish {
  const clause = wishClause(row);
  const any = rowFor(GIFT, null, lexicon)?.needs.filter((id) => !row.needs.includes(id)) ?? [];
  const further = any.map((id) => ({ token: `c:${id}`, sureness: READING.anyGift }));
  const meanings = [...clause.meanings, ...further];
  return { kind: 'gift', clauses: [{ ...clause, meanings }, ...others], label: row.label };
}

/** Returns the need "women" or "men" for a mother or father; undefined for both or neither. */
function personIn(query: WishedQuery, lexicon: Lexicon): Need | undefined {
  const isHers = says('!her', query, lexicon);
  if (isHers === says('!him', query, lexicon)) return undefined;
  return lexicon.needs.get(isHers ? 'women' : 'men');
}

/** Returns whether the query says so in its likely language: "mama" is a mother only in some. */
const says = (target: string, query: WishedQuery, lexicon: Lexicon): boolean =>
  wishLanguages(query, lexicon)
    .filter((language) => query.likely === null || isLikely(language, query.likely))
    .some((language) =>
      wishForms(query.all, language, lexicon).some(({ entry }) => entry.target === target),
    );

// Names only break ties between gifts.
const termsOf = (clauses: readonly Clause[]): Clause[] =>
  clauses
    .filter(isName)
    .map((clause) => ({ ...clause, weight: Math.min(clause.weight, ROLE.soft) }));

const hint = ({ id, label }: Need): Clause => needClause(label, ROLE.soft, [id]);
