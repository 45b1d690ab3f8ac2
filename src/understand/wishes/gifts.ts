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

/** Whether a query asks for a gift, whatever longer form took the words ("present … dad": a wallet). */
export const asksForGift = (query: WishedQuery, lexicon: Lexicon): boolean =>
  query.signals.gift ||
  query.parts.some(({ need }) => need.id === GIFT) ||
  giftPlaces(query, lexicon).size > 0;

/** The units that say that something is a gift. */
function giftPlaces({ units, likely }: WishedQuery, { languages }: Lexicon): Set<number> {
  const found = [...languages.values()]
    .filter(({ language }) => isLikely(language, likely))
    .flatMap((index) => findForms(units, index))
    .filter(
      ({ entry, quality }) =>
        GIFT_TARGETS.has(entry.target) && !entry.purpose && quality >= LEAST_FORM.sure,
    );
  return new Set(found.flatMap(({ at }) => at));
}

/** What one gives to the person that a query speaks of; null where it names the gift itself. */
export function giftWish(query: WishedQuery, lexicon: Lexicon): Wish | null {
  const { parts, clauses } = query;
  const named = parts.filter(({ need, absorbed }) => need.id !== GIFT && !absorbed);
  const rowOf = ({ need }: Part) => rowFor(GIFT, need.id, lexicon);
  const person = named.find((part) => part.need.kind === 'attribute' && rowOf(part));
  const places = giftPlaces(query, lexicon);
  // What a gift is a purpose of is no more than a proposal.
  const interests = named.filter(
    (part) =>
      isThing(part) && (!part.purpose || !part.at.some((at) => places.has(at)) || rowOf(part)),
  );
  const rows = interests.map(rowOf);
  const [row] = rows;
  if (row !== undefined) {
    if (rows.includes(undefined)) return null;
    const isOfPerson = person !== undefined && rows.every((one) => one === rowOf(person));
    const isGivable = interests.some(({ need }) => row.needs.includes(need.id));
    // What somebody likes is the gift itself where nothing tells the two apart.
    const isThingItself =
      isGivable &&
      interests.some(({ purpose, at }) => !purpose || at.some((one) => places.has(one)));
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

/** Whose a thing is to be that a query names as a gift: a watch for a father is a man's. */
export function hintOfPerson(query: WishedQuery, lexicon: Lexicon): Clause[] {
  const person = asksForGift(query, lexicon) ? personIn(query, lexicon) : undefined;
  return person === undefined ? [] : [hint(person)];
}

/** Gifts of this line, then any other. */
function giftOf(row: WishRow, others: readonly Clause[], lexicon: Lexicon): Wish {
  const clause = wishClause(row);
  const any = rowFor(GIFT, null, lexicon)?.needs.filter((id) => !row.needs.includes(id)) ?? [];
  const further = any.map((id) => ({ token: `c:${id}`, sureness: READING.anyGift }));
  const meanings = [...clause.meanings, ...further];
  return { kind: 'gift', clauses: [{ ...clause, meanings }, ...others], label: row.label };
}

/** Mother or father, for whom the catalog says "feminino" or "masculino"; none for both and for others. */
function personIn(query: WishedQuery, lexicon: Lexicon): Need | undefined {
  const isHers = says('!her', query, lexicon);
  if (isHers === says('!him', query, lexicon)) return undefined;
  return lexicon.needs.get(isHers ? 'women' : 'men');
}

/** Whether the likely language says so: "mama" is a mother in some alone. */
const says = (target: string, query: WishedQuery, lexicon: Lexicon): boolean =>
  wishLanguages(query, lexicon)
    .filter((language) => query.likely === null || isLikely(language, query.likely))
    .some((language) =>
      wishForms(query.all, language, lexicon).some(({ entry }) => entry.target === target),
    );

// Names only order what one gives.
const termsOf = (clauses: readonly Clause[]): Clause[] =>
  clauses
    .filter(isName)
    .map((clause) => ({ ...clause, weight: Math.min(clause.weight, ROLE.soft) }));

const hint = ({ id, label }: Need): Clause => needClause(label, ROLE.soft, [id]);
