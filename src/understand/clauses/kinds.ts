import { OTHER_MEANING, READING, ROLE } from '../../domain/relevance.ts';
import type { Clause } from '../../domain/search.ts';
import type { Lexicon, Need } from '../lexicon-types.ts';
import { ancestorsOf, type Part } from '../reading/parts.ts';
import { stemPortuguese } from '../text/stem.ts';
import { tokenize } from '../text/tokenize.ts';
import { needClause } from './clauses.ts';

/** Needs with more direct kinds are too general: clothing, kitchenware. */
const MOST_KINDS = 40;

const counts = new WeakMap<Lexicon, Map<string, number>>();

/** Stems the words of a Portuguese label; the first one is its head noun. */
const nounsOf = (label: string) => tokenize(label).map(({ text }) => stemPortuguese(text));

/** Returns how many needs lie directly below a need. */
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

/** Lists the labels of other meanings of the head, about as likely and neither broader nor narrower. */
export function alternativesTo({ need, others }: Part, lexicon: Lexicon): string[] {
  const near = new Set([need.id, ...ancestorsOf(need.id, lexicon)]);
  const isOther = (id: string) => !near.has(id) && !ancestorsOf(id, lexicon).includes(need.id);
  const told = others.filter(({ id, weight }) => weight >= OTHER_MEANING.told && isOther(id));
  const isNarrowest = (id: string) =>
    !told.some((other) => ancestorsOf(other.id, lexicon).includes(id));
  return told.flatMap(({ id }) => (isNarrowest(id) ? (lexicon.needs.get(id)?.label ?? []) : []));
}

/** Makes a clause of the broader kinds of the head; null if these are places or too general. */
export function kindClause({ need }: Part, lexicon: Lexicon): Clause | null {
  // A broader need may also be what the thing goes with (coffee for a filter): kinds share its head noun.
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
