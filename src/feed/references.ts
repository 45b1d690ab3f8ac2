import type { FeedKind, FeedRecord, RecordKey } from '../domain/catalog.ts';
import { type FeedFault, type FeedLine, keyOf } from './read.ts';

/** Another record that a record names, and in which field. */
export type Reference = RecordKey & { field: string };

/** The name of a record: `product 1001`. */
export const nameOf = ({ kind, id }: RecordKey): string => `${kind} ${id}`;

/** The other records that a record names. */
export function referencesOf(record: FeedRecord): Reference[] {
  const named: [string, FeedKind, number | null | undefined][] = [];
  if (record.kind === 'category') named.push(['parent_id', 'category', record.parent_id]);
  if (record.kind === 'store') named.push(['merchant_id', 'merchant', record.merchant_id]);
  if (record.kind === 'product') {
    named.push(['merchant_id', 'merchant', record.merchant_id]);
    named.push(['category_id', 'category', record.category_id]);
  }
  if (record.kind === 'offer') {
    named.push(['merchant_id', 'merchant', record.merchant_id]);
    named.push(['product_id', 'product', record.product_id]);
  }
  return named.flatMap(([field, kind, id]) => (id == null ? [] : [{ field, kind, id }]));
}

/**
 * Separates the lines whose references lead nowhere. `known` tells which records the catalog itself
 * keeps. A record that is left out takes with it those that name it.
 */
export function separateDangling(
  lines: FeedLine[],
  known: (reference: Reference) => boolean,
): { lines: FeedLine[]; faults: FeedFault[] } {
  const present = new Set(lines.map(({ record }) => nameOf(record)));
  const faults: FeedFault[] = [];
  let kept = lines;
  for (;;) {
    const good: FeedLine[] = [];
    for (const line of kept) {
      const dangling = referencesOf(line.record).find(
        (reference) => !present.has(nameOf(reference)) && !known(reference),
      );
      if (dangling === undefined) {
        good.push(line);
        continue;
      }
      present.delete(nameOf(line.record));
      const { field, kind, id } = dangling;
      faults.push({
        line: line.line,
        field,
        about: keyOf(line.record),
        reason: `names ${kind} ${id}, which is neither in the feed nor in the catalog`,
      });
    }
    if (good.length === kept.length) return { lines: good, faults };
    kept = good;
  }
}
