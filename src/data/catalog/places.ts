import type { Directory, Named } from '../../domain/catalog.ts';
import { merchantKeys, nameKey, placeKey } from '../../domain/places.ts';
import { districtOf, regionalNames, stateKey } from '../../domain/regions.ts';
import type { KnownCategory, UnknownName } from '../../domain/search.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';

const SUGGESTIONS = 5;
/** Categories of one meaning. */
const NEAR_CATEGORIES = 20;
/** A name is written as most of so many stores write it; a large city has very many. */
const WRITINGS = 100;
/** Places that queries may speak of: of more, those with the most stores. */
const MAX_PLACES = 5000;
/** How much of the catalog's layout an overview shows. */
const LISTED = { categories: 40, cities: 20, districts: 40 };

/**
 * Finds the categories that a name or an id (as text) means, with all that lies below them. Offers
 * have AI categories besides, which may be named as well: then there are no ids.
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

/** Finds the merchants that a name means: the same name, or else those whose name holds it. */
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

/** The name of the merchant with an id; null when the catalog has none. */
export async function findMerchantName(sql: Sql, id: number): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`select name from merchant where id = ${id}`;
  return row?.name ?? null;
}

/**
 * The name of a city that has stores, as the catalog writes it, or close names. A state or the country may
 * stand behind it; a state that is not the city's own says that another city is meant.
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

/** The name of a district with stores in a city, as the catalog writes it, or close names. */
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

/** A place with stores, and the state that its city is in. */
export type KnownPlace = {
  kind: 'city' | 'district';
  name: string;
  city: string;
  state: string | null;
  stores: number;
  /** The middle of those of its stores whose position is known. */
  latitude: number | null;
  longitude: number | null;
};

/** The cities with stores and their districts, those with the most stores first. */
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

/** Merchants that queries may name: of more, those that the catalog knows longest by their ids. */
const MAX_MERCHANTS = 50_000;

/**
 * The merchants with their names as they are compared, and the version of the catalog; null where that is still
 * the version that is known.
 */
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

/** The largest categories, cities and districts: enough to choose from, too few to mirror the catalog by. */
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

/** The categories that name any of some concepts, nearest concept first. */
export async function nearestCategories(sql: Sql, concepts: string[]): Promise<Named[]> {
  const rows = await sql<Named[]>`
    select c.id, c.name
    from category c
    join unnest(${arrayText(concepts)}::text[]) with ordinality as wanted (concept, place)
      on wanted.concept = any(c.concepts)
    group by c.id, c.name
    order by min(wanted.place), cardinality(c.concepts), c.id
    limit ${NEAR_CATEGORIES}`;
  return [...rows];
}
