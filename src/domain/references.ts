import type { FeedKind, FeedRecord, RecordKey } from './catalog.ts';

/** The reference fields of each kind and the kind they refer to, in the order in which faults are reported. */
export const REFERENCES: Record<FeedKind, readonly (readonly [field: string, named: FeedKind])[]> =
  {
    category: [['parent_id', 'category']],
    merchant: [],
    store: [['merchant_id', 'merchant']],
    product: [
      ['merchant_id', 'merchant'],
      ['category_id', 'category'],
    ],
    offer: [
      ['merchant_id', 'merchant'],
      ['product_id', 'product'],
    ],
  };

/** A reference from one record to another, with the field that holds it. */
export type Reference = RecordKey & { field: string };

/** Names a record in messages: `product 1001`. */
export const nameOf = ({ kind, id }: RecordKey): string => `${kind} ${id}`;

/** Returns the references that a record holds. */
export function referencesOf(record: FeedRecord): Reference[] {
  const fields: Record<string, unknown> = record;
  return REFERENCES[record.kind].flatMap(([field, kind]) => {
    const id = fields[field];
    return typeof id === 'number' ? [{ field, kind, id }] : [];
  });
}
