import type { Directory, Named } from '../../domain/catalog.ts';
import { merchantKeys, nameKey, placeKey } from '../../domain/places.ts';
import { districtOf, regionalNames, stateKey } from '../../domain/regions.ts';
import type { KnownCategory, UnknownName } from '../../domain/search.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';

const SUGGESTIONS = 5;
/** The most categories for one concept. */
const NEAR_CATEGORIES = 20;
/** Spellings are counted over this many stores; a large city has far more. */
const WRITINGS = 100;
/** The most places that queries are matched against; those with the most stores. */
const MAX_PLACES = 5000;
/** The most names that an overview lists. */
const LISTED = { categories: 40, cities: 20, districts: 40 };

/**
 * Finds the categories by name or id (as text), with all their descendants. For offers an AI category's name also
 * counts; it has no ids.
 */
export async function findCategories(
  sql: Sql,
  nameOrId: string,
  kind: 'products' | 'offers',
): Promise<KnownCategory | UnknownName> {
  const id = /^[1-9][0-9]{0,15}$/.test(nameOrId.trim()) ? Number(nameOrId) : null;
  const key = nameKey(nameOrId);
  const rows = await sql<{ id: number; name: string; root: boolean }[]>`
    with recursive below as (
      select id, name, true as root from category where name_key = ${key} or id = ${id}
      union
      select category.id, category.name, false
      from below join category on category.parent_id = below.id
    )
    select id, name, root from below order by root desc, id`;
  const [first] = rows;
  if (first !== undefined) {
    return { name: first.name, ids: rows.map((row) => row.id) };
  }
  const [own] = await sql<{ name: string }[]>`
    select ai_category as name from offer
    where ${kind === 'offers'} and ai_category_key = ${key} limit 1`;
  if (own !== undefined) return { name: own.name, ids: [] };
  const close = await sql<{ name: string }[]>`
    select name from category
    order by greatest(similarity(name_key, ${key}), word_similarity(${key}, name_key)) desc, name
    limit ${SUGGESTIONS}`;
  return { unknown: true, suggestions: close.map((row) => row.name) };
}

/** Finds merchants by the same name, else by names that contain it. */
export async function findMerchants(
  sql: Sql,
  name: string,
): Promise<{ merchants: Named[] } | UnknownName> {
  const key = nameKey(name);
  const same = arrayText(merchantKeys(name));
  const merchants = await sql<Named[]>`
    with named as (
      select id, name, name_key = any(${same}::text::text[]) as same from merchant
      where name_key = any(${same}::text::text[])
        or (${key} <> '' and position(' ' || ${key} || ' ' in ' ' || name_key || ' ') > 0)
    )
    select id, name from named
    where same or not exists (select from named where same)
    order by id limit 100`;
  if (merchants.length > 0) return { merchants: [...merchants] };
  const close = await sql<{ name: string }[]>`
    select name from merchant
    order by greatest(similarity(name_key, ${key}), word_similarity(${key}, name_key)) desc, name
    limit ${SUGGESTIONS}`;
  return { unknown: true, suggestions: close.map((row) => row.name) };
}

/** Reads a merchant's name; null for an unknown id. */
export async function findMerchantName(sql: Sql, id: number): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`select name from merchant where id = ${id}`;
  return row?.name ?? null;
}

/**
 * Finds a city with stores in the catalog's spelling, else suggests close names. A state or country may follow the
 * name; a state that is not the city's means another city.
 */
export async function findCity(sql: Sql, name: string): Promise<{ name: string } | UnknownName> {
  for (const { key, state } of regionalNames(name)) {
    const [known] = await sql<{ name: string; states: string[] }[]>`
      select mode() within group (order by city) as name,
        coalesce(json_agg(distinct state) filter (where state is not null), '[]') as states
      from (select city, state from store where city_key = ${key} limit ${WRITINGS}) written
      having count(*) > 0`;
    if (known === undefined) continue;
    const isThere =
      state === null ||
      known.states.length === 0 ||
      known.states.some((s) => stateKey(s) === state);
    if (isThere) return { name: known.name };
  }
  const close = await sql<{ name: string }[]>`
    select min(city) as name from store group by city_key
    order by similarity(city_key, ${placeKey(name)}) desc, count(*) desc, city_key
    limit ${SUGGESTIONS}`;
  return { unknown: true, suggestions: close.map((row) => row.name) };
}

/** Finds a district with stores in a city, in the catalog's spelling, else suggests close names. */
export async function findDistrict(
  sql: Sql,
  city: string,
  name: string,
): Promise<{ name: string } | UnknownName> {
  const key = placeKey(districtOf(name, city));
  const cityKey = placeKey(city);
  const [known] = await sql<{ name: string }[]>`
    select mode() within group (order by district) as name
    from (
      select district from store
      where city_key = ${cityKey} and district_key = ${key} limit ${WRITINGS}
    ) written
    having count(*) > 0`;
  if (known !== undefined) return known;
  const close = await sql<{ name: string }[]>`
    select min(district) as name from store where city_key = ${cityKey} group by district_key
    order by similarity(district_key, ${key}) desc, count(*) desc, district_key
    limit ${SUGGESTIONS}`;
  return { unknown: true, suggestions: close.map((row) => row.name) };
}

/** A city or district with stores, and the city's state. */
export type KnownPlace = {
  kind: 'city' | 'district';
  name: string;
  city: string;
  state: string | null;
  stores: number;
  /** The centroid of its stores with coordinates. */
  latitude: number | null;
  longitude: number | null;
};

/** Lists cities with stores and their districts, most stores first. */
export async function listPlaces(sql: Sql): Promise<KnownPlace[]> {
  const rows = await sql<KnownPlace[]>`
    with district as (
      select city_key, mode() within group (order by city) as city,
        mode() within group (order by district) as name, min(state) as state, count(*) as stores,
        avg(latitude) as latitude, avg(longitude) as longitude
      from store group by city_key, district_key
    ), city as (
      select city_key, mode() within group (order by city) as city, min(state) as state,
        sum(stores) as stores, avg(latitude) as latitude, avg(longitude) as longitude
      from district group by city_key
    )
    select kind, name, city, state, stores::int as stores, latitude, longitude from (
      select 'city' as kind, city as name, city, state, stores, latitude, longitude from city
      union all
      select 'district', district.name, city.city, city.state, district.stores,
        district.latitude, district.longitude
      from district join city using (city_key)
    ) place
    order by stores desc, kind, city, name limit ${MAX_PLACES}`;
  return [...rows];
}

/** The most merchants that queries are matched against; the lowest ids first. */
const MAX_MERCHANTS = 50_000;

/** Lists the merchants with their folded names and the catalog's version; null if that is still `known`. */
export async function listMerchants(
  sql: Sql,
  known: string | null,
): Promise<{ version: string; merchants: (Named & { key: string })[] } | null> {
  const [state] = await sql<{ version: string }[]>`
    select coalesce(updated_at::text, '') as version from catalog_state`;
  const version = state?.version ?? '';
  if (version === known) return null;
  const merchants = await sql<(Named & { key: string })[]>`
    select id, name, name_key as key from merchant order by id limit ${MAX_MERCHANTS}`;
  return { version, merchants: [...merchants] };
}

/** Reads the largest categories, cities and districts: enough to choose from, too few to mirror the catalog. */
export async function readDirectory(sql: Sql): Promise<Directory> {
  const categories = await sql<Directory['categories']>`
    with recursive below as (
      select id as root, id from category
      union
      select below.root, category.id from below join category on category.parent_id = below.id
    ), stocked as (
      select category_id, count(*) as products from product group by category_id
    )
    select category.id, category.name, sum(stocked.products)::int as products
    from below
    join stocked on stocked.category_id = below.id
    join category on category.id = below.root
    group by category.id, category.name
    order by products desc, category.id limit ${LISTED.categories}`;
  const places = await listPlaces(sql);
  const ofKind = (kind: KnownPlace['kind'], most: number) =>
    places.filter((place) => place.kind === kind).slice(0, most);
  return {
    categories: [...categories],
    cities: ofKind('city', LISTED.cities).map(({ name, state, stores }) => ({
      name,
      state,
      stores,
    })),
    districts: ofKind('district', LISTED.districts).map(({ name, city, stores }) => ({
      ...{ name, city, stores },
    })),
  };
}

/** Finds the categories that name any of some concepts, in the order of the concepts. */
export async function nearestCategories(sql: Sql, concepts: string[]): Promise<Named[]> {
  const rows = await sql<Named[]>`
    select c.id, c.name
    from category c
    join unnest(${arrayText(concepts)}::text[]) with ordinality as wanted (concept, position)
      on wanted.concept = any(c.concepts)
    group by c.id, c.name
    order by min(wanted.position), cardinality(c.concepts), c.id
    limit ${NEAR_CATEGORIES}`;
  return [...rows];
}
