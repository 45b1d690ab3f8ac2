import type { Named } from '../../domain/catalog.ts';
import {
  CATEGORIES_PATH,
  CITIES_PATH,
  type CityWays,
  categoryPath,
  type Directions,
  directorySpans,
  merchantPath,
  OFFERS_PATH,
} from '../../domain/lists.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { readCategoryTree } from './category-tree.ts';
import {
  categoryDirectory,
  categoryEntries,
  cityDirectory,
  cityEntries,
  readMerchantDirectory,
} from './directories.ts';
import type { List } from './list-entries.ts';
import { storeMembers, storesOfMerchants } from './pages.ts';
import { readPlaceLists } from './place-lists.ts';
import type { TouchedLists } from './touched.ts';

/** Lists of a kind are read in batches of this size. */
const READ_LISTS = 200;

/** Reads all lists of products and offers, or those that a change may have touched. */
export async function* readLists(sql: Sql, touched: TouchedLists | null): AsyncGenerator<List> {
  if (touched === null || touched.entries.offer.length > 0) yield readAllOffers(sql);
  yield* readCategoryLists(sql, touched);
  yield* readMerchantLists(sql, touched);
}

/**
 * Reads all lists of stores, merchants and cities, or those that name these merchants; they differ only if one of them
 * was renamed, has other stores, or came to have something to show or no longer has.
 */
export async function* readPlaces(
  sql: Sql,
  merchants: number[] | null,
  readCities: () => Promise<CityWays[]>,
): AsyncGenerator<List> {
  if (merchants?.length === 0) return;
  yield* readPlaceLists(sql, merchants);
  yield await readMerchantDirectory(sql);
  yield cityDirectory(await readCities());
}

/** Reads the entry points into the catalog. */
export async function readDirections(sql: Sql, cities: CityWays[]): Promise<Directions> {
  const tree = await readCategoryTree(sql);
  const spans = {
    categories: directorySpans(CATEGORIES_PATH, categoryEntries(tree)),
    cities: directorySpans(CITIES_PATH, cityEntries(cities)),
  };
  return { categories: tree.roots, cities, spans };
}

async function readAllOffers(sql: Sql): Promise<List> {
  // One text: half a million rows would cost a second.
  const [row] = await sql<{ ids: string }[]>`
    select array_to_string(array(
      select id from offer o where is_public(o, now()) order by id desc
    ), ',') as ids`;
  const offer = row?.ids ? row.ids.split(',').map(Number) : [];
  const shown = { head: '{"kind":"offers"}', lead: '{}', entries: { offer } };
  return { path: OFFERS_PATH, shown: offer.length === 0 ? null : shown };
}

async function* readCategoryLists(sql: Sql, touched: TouchedLists | null): AsyncGenerator<List> {
  if (touched?.categories.length === 0 && !touched.allCategories) return;
  const tree = await readCategoryTree(sql);
  const gone = touched?.categories.filter((id) => !tree.has(id)) ?? [];
  for (const id of gone) yield { path: categoryPath(id), shown: null };
  const listed =
    touched === null || touched.allCategories
      ? tree.ids
      : [
          ...new Set(
            touched.categories.flatMap((id) => [id, ...tree.above(id).map(({ id }) => id)]),
          ),
        ];
  for (const ids of stretches(listed.filter((id) => tree.has(id)))) {
    const rows = await sql<{ category_id: number; id: number }[]>`
      select coalesce(category_id, 0) as category_id, id from product
      where category_id = any(${arrayText(ids)}::text::bigint[])
        or (${ids.includes(0)} and category_id is null)
      order by id desc`;
    const products = Map.groupBy(rows, (row) => row.category_id);
    for (const id of ids) {
      const head = { kind: 'category', category: tree.named(id), trail: tree.above(id) };
      const product = products.get(id)?.map((row) => row.id) ?? [];
      const lead = { below: tree.below(id) };
      const shown = {
        head: JSON.stringify(head),
        lead: JSON.stringify(lead),
        entries: { product },
      };
      const isEmpty = product.length + lead.below.length === 0;
      yield { path: categoryPath(id), shown: isEmpty ? null : shown };
    }
  }
  yield categoryDirectory(tree);
}

type Row = { merchant_id: number; id: number };
const byMerchant = (rows: Row[]) => Map.groupBy(rows, (row) => row.merchant_id);

async function* readMerchantLists(sql: Sql, touched: TouchedLists | null): AsyncGenerator<List> {
  const all = async () => (await sql<Named[]>`select id from merchant`).map(({ id }) => id);
  for (const ids of stretches(touched?.merchants ?? (await all()))) {
    const among = sql`merchant_id = any(${arrayText(ids)}::text::bigint[])`;
    const merchants = await readMerchants(sql, ids);
    const offers = byMerchant(
      await sql<Row[]>`
        select merchant_id, id from offer o where ${among} and is_public(o, now()) order by id desc`,
    );
    const products = byMerchant(
      await sql<Row[]>`
        select merchant_id, id from product where ${among} order by coalesce(category_id, 0), id`,
    );
    for (const id of ids) {
      const told = merchants.get(id);
      const offer = offers.get(id)?.map((row) => row.id) ?? [];
      const product = products.get(id)?.map((row) => row.id) ?? [];
      const isEmpty = told === undefined || offer.length + product.length === 0;
      const shown = isEmpty ? null : { ...told, entries: { offer, product } };
      yield { path: merchantPath(id), shown };
    }
  }
}

async function readMerchants(sql: Sql, ids: number[]) {
  const rows = await sql<{ id: number; head: string; lead: string }[]>`
    with listed as (
      select id as merchant_id, name, description from merchant
      where id = any(${arrayText(ids)}::text::bigint[])
    ), merchant_store as (${storesOfMerchants(sql, 'listed')})
    select merchant_id as id,
      json_build_object('kind', 'merchant',
        'merchant', json_build_object('id', merchant_id, 'name', name), 'place', (
          select json_build_object('city', city, 'district', district) from store
          where store.merchant_id = listed.merchant_id order by id limit 1
        ))::text as head,
      json_build_object('description', description, ${storeMembers(sql)})::text as lead
    from listed left join merchant_store using (merchant_id)`;
  return new Map(rows.map(({ id, head, lead }) => [id, { head, lead }]));
}

function* stretches(ids: readonly number[]): Generator<number[]> {
  for (let start = 0; start < ids.length; start += READ_LISTS) {
    yield ids.slice(start, start + READ_LISTS);
  }
}
