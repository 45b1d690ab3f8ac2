import {
  CATEGORIES_PATH,
  CITIES_PATH,
  type CityWays,
  categoryPath,
  type DirectoryEntry,
  directoryLetters,
  MERCHANTS_PATH,
  merchantPath,
  placePath,
} from '../../domain/lists.ts';
import { nameKey } from '../../domain/places.ts';
import type { Sql } from '../connection/client.ts';
import type { CategoryTree } from './category-tree.ts';
import type { List } from './list-entries.ts';

/** Whether merchant `m` has something to show, and so a page. */
export const hasSomething = (sql: Sql) => sql`
  (exists (select from product where merchant_id = m.id)
    or exists (select from offer o where o.merchant_id = m.id and is_public(o, now())))`;

/** Reads the directory of all merchants with something to show: the only way to those without stores. */
export async function readMerchantDirectory(sql: Sql): Promise<List> {
  const rows = await sql<{ id: number; name: string; within: string | null }[]>`
    select id, name, (
      select district || ', ' || city from store where merchant_id = m.id order by id limit 1
    ) as within
    from merchant m where ${hasSomething(sql)}`;
  const entries = rows.map((row) => ({ ...row, path: merchantPath(row.id) }));
  return directory(MERCHANTS_PATH, 'merchants', sorted(entries));
}

/** Lists the categories with products, directly or below. */
export function categoryDirectory(tree: CategoryTree): List {
  return directory(CATEGORIES_PATH, 'categories', categoryEntries(tree));
}

export function categoryEntries(tree: CategoryTree): DirectoryEntry[] {
  return sorted(tree.all().map((one) => ({ ...one, path: categoryPath(one.id) })));
}

/** Lists the cities with stores that have something to show. */
export function cityDirectory(cities: CityWays[]): List {
  return directory(CITIES_PATH, 'cities', cityEntries(cities));
}

export function cityEntries(cities: CityWays[]): DirectoryEntry[] {
  return sorted(cities.map(({ id, name }) => ({ id, name, path: placePath(name), within: null })));
}

function directory(path: string, kind: string, names: DirectoryEntry[]): List {
  if (names.length === 0) return { path, shown: null };
  const head = JSON.stringify({ kind });
  const lead = JSON.stringify({ letters: directoryLetters(path, names) });
  return { path, shown: { head, lead, entries: {}, names } };
}

/** Sorts by name as people read it, without accents and case; ties by id. */
function sorted(entries: DirectoryEntry[]): DirectoryEntry[] {
  const keyed = entries.map((entry) => ({ entry, key: nameKey(entry.name) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry.id - b.entry.id));
  return keyed.map(({ entry }) => entry);
}
