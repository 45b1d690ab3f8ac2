import { existingIds } from '../data/catalog/import.ts';
import { withNamed } from '../data/catalog/removal.ts';
import type { Sql } from '../data/connection/client.ts';
import type { FeedKind, RecordKey } from '../domain/catalog.ts';
import type { FeedFault, FeedLine, ReadFeed } from './read.ts';
import { nameOf, referencesOf } from './references.ts';

/**
 * Tells which records stay in the catalog without a good line of the feed: all that it holds, or, when
 * what the feed lacks is removed, those that a line speaks of.
 */
export async function findStaying(
  sql: Sql,
  { lines, faults }: ReadFeed,
  removing: boolean,
): Promise<(record: RecordKey) => boolean> {
  const wanted = new Map<FeedKind, Set<number>>();
  for (const { record } of lines) {
    for (const { kind, id } of referencesOf(record)) {
      wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
    }
  }
  const known = new Map<FeedKind, Set<number>>();
  for (const [kind, ids] of wanted) known.set(kind, await existingIds(sql, kind, [...ids]));
  const isKnown = ({ kind, id }: RecordKey) => known.get(kind)?.has(id) ?? false;
  if (!removing) return isKnown;
  const spokenOf = new Set([
    ...lines.map(({ record }) => nameOf(record)),
    ...faults.flatMap(({ about }) => (about === undefined ? [] : [nameOf(about)])),
  ]);
  return (record) => spokenOf.has(nameOf(record)) && isKnown(record);
}

/**
 * What stays of each kind when the rest is removed: the good lines' records, and the previous versions
 * of those whose line is bad, with all that these name.
 */
export async function findKept(
  sql: Sql,
  good: FeedLine[],
  faults: FeedFault[],
): Promise<Record<FeedKind, number[]>> {
  const bad = faults.flatMap(({ about }) => (about === undefined ? [] : [about]));
  const previous = bad.length === 0 ? [] : await withNamed(sql, bad);
  const kept = {
    category: new Set<number>(),
    merchant: new Set<number>(),
    store: new Set<number>(),
    product: new Set<number>(),
    offer: new Set<number>(),
  };
  for (const { record } of good) kept[record.kind].add(record.id);
  for (const { kind, id } of previous) kept[kind].add(id);
  const { category, merchant, store, product, offer } = kept;
  return {
    category: [...category],
    merchant: [...merchant],
    store: [...store],
    product: [...product],
    offer: [...offer],
  };
}
