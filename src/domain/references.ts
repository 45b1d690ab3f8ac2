import type { FeedKind, FeedRecord, RecordKey } from './catalog.ts';

/** The fields by which a record of each kind names others, and their kind; in the order in which faults are told. */
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

/** Another record that a record names, and in which field. */
export type Reference = RecordKey & { field: string };

/** The name of a record: `product 1001`. */
export const nameOf = ({ kind, id }: RecordKey): string => `${kind} ${id}`;

/** The other records that a record names. */
export function referencesOf(record: FeedRecord): Reference[] {
  const fields: Record<string, unknown> = record;
  return REFERENCES[record.kind].flatMap(([field, kind]) => {
    const id = fields[field];
    return typeof id === 'number' ? [{ field, kind, id }] : [];
  });
}
