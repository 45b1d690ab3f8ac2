import type { FeedKind, FeedRecord, FeedRecordOf, Money, RecordKey } from '../../domain/catalog.ts';
import { nameKey, placeKey } from '../../domain/places.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';

/** The columns of a record: one per field of the feed, so that none is forgotten; prices take two. */
type Row<K extends FeedKind> = Record<string, unknown> & {
  [F in Exclude<keyof FeedRecordOf<K>, 'kind' | 'price' | 'list_price'>]-?: unknown;
};

/** Maps a record to the columns of its row. */
export function toRow(record: FeedRecord): Record<string, unknown> {
  switch (record.kind) {
    case 'category':
      return categoryRow(record);
    case 'merchant':
      return merchantRow(record);
    case 'store':
      return storeRow(record);
    case 'product':
      return productRow(record);
    case 'offer':
      return offerRow(record);
  }
}

function categoryRow(record: FeedRecordOf<'category'>): Row<'category'> {
  return {
    id: record.id,
    name: record.name,
    name_key: nameKey(record.name),
    parent_id: record.parent_id ?? null,
  };
}

function merchantRow(record: FeedRecordOf<'merchant'>): Row<'merchant'> {
  return {
    id: record.id,
    name: record.name,
    name_key: nameKey(record.name),
    description: record.description ?? null,
  };
}

function storeRow(record: FeedRecordOf<'store'>): Row<'store'> {
  const { kind: _, ...columns } = record;
  return {
    ...columns,
    state: record.state ?? null,
    latitude: record.latitude ?? null,
    longitude: record.longitude ?? null,
    phone: record.phone ?? null,
    whatsapp: record.whatsapp ?? null,
    opening_hours: record.opening_hours ?? null,
    city_key: placeKey(record.city),
    district_key: placeKey(record.district),
  };
}

function productRow(record: FeedRecordOf<'product'>): Row<'product'> {
  return {
    id: record.id,
    merchant_id: record.merchant_id,
    category_id: record.category_id ?? null,
    name: record.name,
    description: record.description ?? null,
    brand: record.brand ?? null,
    price_amount: record.price?.amount ?? null,
    price_currency: record.price?.currency ?? null,
    list_price_amount: record.list_price?.amount ?? null,
    list_price_currency: record.list_price?.currency ?? null,
    in_stock: record.in_stock ?? true,
    media: mediaRows(record.media),
    updated_at: record.updated_at ?? null,
  };
}

function offerRow(record: FeedRecordOf<'offer'>): Row<'offer'> {
  return {
    id: record.id,
    merchant_id: record.merchant_id ?? null,
    product_id: record.product_id ?? null,
    title: record.title,
    description: record.description ?? null,
    ai_category: record.ai_category ?? null,
    ai_category_key: record.ai_category == null ? null : nameKey(record.ai_category),
    enriched_copy: record.enriched_copy ?? null,
    quality_score: record.quality_score ?? 0,
    price_amount: record.price?.amount ?? null,
    price_currency: record.price?.currency ?? null,
    media: mediaRows(record.media),
    valid_from: record.valid_from ?? null,
    valid_until: record.valid_until ?? null,
    status: record.status ?? 'active',
    app_only_top: record.app_only_top ?? false,
    updated_at: record.updated_at ?? null,
  };
}

function mediaRows(media: FeedRecordOf<'product'>['media']) {
  return (media ?? []).map(({ type, url, alt_text }) => ({
    type,
    url,
    alt_text: alt_text ?? null,
  }));
}

/** Columns that are derived, and so not part of a feed record. */
const DERIVED = ['name_key', 'city_key', 'district_key', 'ai_category_key', 'concepts'];
const MONEY = ['price_amount', 'price_currency', 'list_price_amount', 'list_price_currency'];

/** Reads records in feed form; unknown keys are left out. */
export async function readFeedRecords(sql: Sql, keys: readonly RecordKey[]): Promise<FeedRecord[]> {
  const records: FeedRecord[] = [];
  for (const [kind, same] of Map.groupBy(keys, (key) => key.kind)) {
    const ids = arrayText(same.map(({ id }) => id));
    const rows = await sql<{ row: Record<string, unknown> }[]>`
      select to_jsonb(t) - ${arrayText(DERIVED)}::text::text[] as row
      from ${sql(kind)} t where id = any(${ids}::text::bigint[])`;
    records.push(...rows.map(({ row }) => fromRow(kind, row)));
  }
  return records;
}

function fromRow(kind: FeedKind, row: Record<string, unknown>): FeedRecord {
  const money = (amount: unknown, currency: unknown): Money | null =>
    amount === null ? null : ({ amount, currency } as Money);
  const told = Object.fromEntries(
    Object.entries(row).filter(([column]) => !MONEY.includes(column)),
  );
  return {
    kind,
    ...told,
    ...('price_amount' in row && { price: money(row.price_amount, row.price_currency) }),
    ...('list_price_amount' in row && {
      list_price: money(row.list_price_amount, row.list_price_currency),
    }),
  } as FeedRecord;
}
