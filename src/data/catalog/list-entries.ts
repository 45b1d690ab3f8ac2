import type { DirectoryEntry, Listed } from '../../domain/lists.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { offerCard, productCard } from './pages.ts';
import { storeRecord } from './records.ts';

/**
 * A list: JSON of a ListHead for all its pages and of a ListLead for the first, and its entries in order; those of a
 * directory are `names`. `shown` is null if it is empty and so has no page.
 */
export type List = { path: string; shown: Shown | null };
export type Shown = {
  head: string;
  lead: string;
  entries: Partial<Listed>;
  names?: DirectoryEntry[];
};

/** What lists show of records, by kind and id: JSON of a ListedOffer, ListedProduct or ListedStore. */
export type EntryTexts = Record<keyof Listed, Map<number, string>>;

/** Reads what lists show of some records. */
export async function readListEntries(sql: Sql, ids: Listed): Promise<EntryTexts> {
  const among = (kind: keyof Listed) => sql`= any(${arrayText(ids[kind])}::text::bigint[])`;
  const read = async (kind: keyof Listed, rows: ReturnType<typeof sql>) =>
    new Map(
      ids[kind].length === 0
        ? []
        : (await sql<{ id: number; entry: string }[]>`${rows}`).map(({ id, entry }) => [id, entry]),
    );
  return {
    offer: await read(
      'offer',
      sql`
        select o.id, json_build_object('card', ${offerCard(sql)}, 'merchant', m.name)::text as entry
        from offer o left join product p on p.id = o.product_id left join merchant m on m.id = o.merchant_id
        where o.id ${among('offer')}`,
    ),
    product: await read(
      'product',
      sql`
        select p.id, json_build_object('card', ${productCard(sql, 'p')}, 'merchant', m.name,
          'inStock', p.in_stock)::text as entry
        from product p join merchant m on m.id = p.merchant_id where p.id ${among('product')}`,
    ),
    store: await read(
      'store',
      sql`
        select s.id, json_build_object('store', ${storeRecord(sql)},
          'merchant', json_build_object('id', m.id, 'name', m.name))::text as entry
        from store s join merchant m on m.id = s.merchant_id where s.id ${among('store')}`,
    ),
  };
}
