import { nameKey, placeKey } from '../../domain/places.ts';
import type { Sql } from '../connection/client.ts';

/** Names that complete what was typed, most used first. */
type Completions = Promise<string[]>;

/** Keys have only letters, digits and single spaces, so LIKE patterns need no escaping. */
const patterns = (key: string) => ({ start: `${key}%`, word: `% ${key}%` });

/** Completes the name of a city with stores, by the start of any word. */
export async function completeCity(sql: Sql, typed: string, limit: number): Completions {
  const { start, word } = patterns(placeKey(typed));
  const rows = await sql<{ name: string }[]>`
    select mode() within group (order by city) as name from store
    where city_key like ${start} or city_key like ${word}
    group by city_key order by city_key like ${start} desc, count(*) desc, city_key
    limit ${limit}`;
  return rows.map((row) => row.name);
}

/** Completes the name of a district with stores in a city, by the start of any word. */
export async function completeDistrict(
  sql: Sql,
  city: string,
  typed: string,
  limit: number,
): Completions {
  const { start, word } = patterns(placeKey(typed));
  const rows = await sql<{ name: string }[]>`
    select mode() within group (order by district) as name from store
    where city_key = ${placeKey(city)} and (district_key like ${start} or district_key like ${word})
    group by district_key order by district_key like ${start} desc, count(*) desc, district_key
    limit ${limit}`;
  return rows.map((row) => row.name);
}

/** Completes a category name by the start of any word, top-level categories first. */
export async function completeCategory(sql: Sql, typed: string, limit: number): Completions {
  const { start, word } = patterns(nameKey(typed));
  const rows = await sql<{ name: string }[]>`
    select min(name) as name from category
    where name_key like ${start} or name_key like ${word}
    group by name_key
    order by bool_or(parent_id is null) desc, name_key like ${start} desc, name_key
    limit ${limit}`;
  return rows.map((row) => row.name);
}

/** Completes a merchant name by the start of any word. */
export async function completeMerchant(sql: Sql, typed: string, limit: number): Completions {
  const { start, word } = patterns(nameKey(typed));
  const rows = await sql<{ name: string }[]>`
    select min(name) as name from merchant
    where name_key like ${start} or name_key like ${word}
    group by name_key order by name_key like ${start} desc, name_key
    limit ${limit}`;
  return rows.map((row) => row.name);
}
