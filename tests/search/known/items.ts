import { readWhole } from '../../support/read-feed.ts';

/** Lines of a feed, as often as they are asked for. */
export type FeedSource = () => AsyncIterable<string | null> | Iterable<string>;

/** A product that a search without filters can find. */
export type KnownItem = { id: number; title: string; brand: string | null };

const DEFAULT_CITY = 'São Paulo';
const LONGEST_NAME = 300;

/** The products in stock of merchants with a store in the city that searches cover by default. */
export async function knownItems(source: FeedSource): Promise<KnownItem[]> {
  const { lines, faults } = await readWhole(source());
  const [fault] = faults;
  if (fault) throw new Error(`line ${fault.line} of the feed: ${fault.field} ${fault.reason}`);
  const records = lines.map(({ record }) => record);
  const near = new Set(
    records.flatMap((one) =>
      one.kind === 'store' && one.city === DEFAULT_CITY ? [one.merchant_id] : [],
    ),
  );
  return records.flatMap((one) =>
    one.kind === 'product' && one.in_stock !== false && near.has(one.merchant_id)
      ? [{ id: one.id, title: one.name, brand: one.brand ?? null }]
      : [],
  );
}

/** A feed of nothing but titles: one merchant with a store, one category. */
export function feedOfTitles(titles: string[]): string[] {
  const kept = titles.map((title) => title.trim().slice(0, LONGEST_NAME)).filter(Boolean);
  const frame = [
    { kind: 'merchant', id: 1, name: 'Loja dos Títulos' },
    {
      ...{ kind: 'store', id: 1, merchant_id: 1, name: 'Loja dos Títulos', address: 'Rua A, 1' },
      ...{ district: 'Sé', city: DEFAULT_CITY, latitude: -23.55, longitude: -46.63 },
    },
    { kind: 'category', id: 1, name: 'Produtos' },
  ];
  const products = kept.map((name, place) => ({
    ...{ kind: 'product', id: place + 1, merchant_id: 1, category_id: 1, name },
    price: { amount: 1000, currency: 'BRL' },
  }));
  return [...frame, ...products].map((record) => JSON.stringify(record));
}
