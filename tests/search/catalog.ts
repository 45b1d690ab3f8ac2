import { readFileSync } from 'node:fs';
import { type FeedKind, type FeedRecordOf, feedRecordSchema } from '../../src/domain/catalog.ts';

export type FeedProduct = FeedRecordOf<'product'>;
export type FeedOffer = FeedRecordOf<'offer'>;
export type FeedStore = FeedRecordOf<'store'>;

/** A feed held in memory: what the answers of the service are checked against. */
export type EvalCatalog = {
  products: Map<number, FeedProduct>;
  offers: Map<number, FeedOffer>;
  merchants: Map<number, FeedRecordOf<'merchant'>>;
  categories: Map<number, FeedRecordOf<'category'>>;
  /** Stores by merchant. */
  stores: Map<number, FeedStore[]>;
};

/** Reads a feed that is known to be valid. */
export function readCatalog(file: string): EvalCatalog {
  const records = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => feedRecordSchema.parse(JSON.parse(line)));
  const ofKind = <K extends FeedKind>(kind: K) =>
    records.filter((record): record is FeedRecordOf<K> => record.kind === kind);
  const byId = <R extends { id: number }>(all: R[]) => new Map(all.map((one) => [one.id, one]));
  return {
    products: byId(ofKind('product')),
    offers: byId(ofKind('offer')),
    merchants: byId(ofKind('merchant')),
    categories: byId(ofKind('category')),
    stores: Map.groupBy(ofKind('store'), (store) => store.merchant_id),
  };
}

/** What a record is called, for people who read a report. */
export function nameOf(catalog: EvalCatalog, tool: 'products' | 'offers', id: number): string {
  const name = tool === 'products' ? catalog.products.get(id)?.name : catalog.offers.get(id)?.title;
  return `${id} ${name ?? '(unknown)'}`;
}
