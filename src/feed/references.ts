import type { FeedKind, FeedRecord, RecordKey } from '../domain/catalog.ts';

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
