import { OTHER_MEANING, READING, ROLE } from '../../domain/relevance.ts';
import type { Clause } from '../../domain/search.ts';
import type { Lexicon, Need } from '../lexicon-types.ts';
import { ancestorsOf, type Part } from '../reading/parts.ts';
import { stemPortuguese } from '../text/stem.ts';
import { tokenize } from '../text/tokenize.ts';
import { needClause } from './clauses.ts';

/** A need with more kinds below it tells little of any of them: clothing, kitchenware. */
const MOST_KINDS = 40;

const counts = new WeakMap<Lexicon, Map<string, number>>();

/** The stems of a label's words: the first of them is what it is. */
const nounsOf = (label: string) => tokenize(label).map(({ text }) => stemPortuguese(text));

/** How many kinds a need has right below it. */
export function kindsBelow(need: string, lexicon: Lexicon): number {
  const below = counts.get(lexicon) ?? countKinds(lexicon);
  counts.set(lexicon, below);
  return below.get(need) ?? 0;
}

function countKinds({ needs }: Lexicon): Map<string, number> {
  const below = new Map<string, number>();
  for (const { broader } of needs.values()) {
    for (const id of broader) below.set(id, (below.get(id) ?? 0) + 1);
  }
  return below;
}

/** What else the head of a query may mean, about as surely, and is no kind of the same. */
export function alternativesTo({ need, others }: Part, lexicon: Lexicon): string[] {
  const near = new Set([need.id, ...ancestorsOf(need.id, lexicon)]);
  const isOther = (id: string) => !near.has(id) && !ancestorsOf(id, lexicon).includes(need.id);
  const told = others.filter(({ id, weight }) => weight >= OTHER_MEANING.told && isOther(id));
  const isNarrowest = (id: string) =>
    !told.some((other) => ancestorsOf(other.id, lexicon).includes(id));
  return told.flatMap(({ id }) => (isNarrowest(id) ? (lexicon.needs.get(id)?.label ?? []) : []));
}

/** A clause for what the head of a query is a kind of; null if that is a place, or nearly anything. */
export function kindClause({ need }: Part, lexicon: Lexicon): Clause | null {
  // What lies above a need may also be what it belongs to, or is sold with: a filter is no coffee.
  const noun = nounsOf(need.label)[0];
  const isKind = ({ id, kind, label }: Need) =>
    kind !== 'place' &&
    kind !== 'attribute' &&
    nounsOf(label).some((word) => word === noun) &&
    kindsBelow(id, lexicon) <= MOST_KINDS;
  const kinds = need.broader.flatMap((id) => lexicon.needs.get(id) ?? []).filter(isKind);
  const [first] = kinds;
  if (first === undefined) return null;
  const ids = kinds.map(({ id }) => id);
  return needClause(first.label, ROLE.head, ids, READING.kind);
}
