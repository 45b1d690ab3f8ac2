import { type CityWays, placePath } from '../../domain/lists.ts';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { hasSomething } from './directories.ts';
import type { List } from './list-entries.ts';

/** The most districts that a city's page lists; its stores lead to the rest. */
const MOST_DISTRICTS = 300;

type Row = {
  id: number;
  city: string;
  district: string;
  state: string | null;
  stocked: boolean;
};

/** Reads the lists of stores by city and district: all, or those of cities where these merchants have stores. */
export async function* readPlaceLists(sql: Sql, merchants: number[] | null): AsyncGenerator<List> {
  const rows = await readStores(sql, merchants);
  for (const [path, inCity] of Map.groupBy(rows, ({ city }) => placePath(city))) {
    const stocked = inCity.filter((row) => row.stocked);
    const city = commonest(stocked.map((row) => row.city));
    const state = commonest(stocked.flatMap((row) => row.state ?? [])) || null;
    const districts = [...Map.groupBy(inCity, (row) => placePath(row.city, row.district))];
    const head = { kind: 'place', city, state, district: null };
    const lead = { districts: districtsOf(stocked).slice(0, MOST_DISTRICTS) };
    yield { path, shown: listOf(stocked, head, lead) };
    for (const [districtPath, stores] of districts) {
      const there = stores.filter((row) => row.stocked);
      const district = commonest(there.map((row) => row.district));
      yield { path: districtPath, shown: listOf(there, { ...head, district }, {}) };
    }
  }
}

function listOf(stores: Row[], head: object, lead: object): List['shown'] {
  if (stores.length === 0) return null;
  const entries = { store: stores.map(({ id }) => id) };
  return { head: JSON.stringify(head), lead: JSON.stringify(lead), entries };
}

/** Reads the stores in these merchants' cities, or all, in order of merchant names. */
function readStores(sql: Sql, merchants: number[] | null): Promise<Row[]> {
  const ids = arrayText(merchants ?? []);
  const among =
    merchants === null
      ? sql`true`
      : sql`city_key in (select city_key from store where merchant_id = any(${ids}::text::bigint[]))`;
  return sql<Row[]>`
    with here as materialized (
      select id, city, district, state, merchant_id from store where ${among}
    ), stocked as materialized (
      select m.id, m.name_key from merchant m
      where m.id in (select merchant_id from here) and ${hasSomething(sql)}
    )
    select here.id, city, district, state, stocked.id is not null as stocked
    from here left join stocked on stocked.id = merchant_id
    order by name_key collate "C", merchant_id, here.id`;
}

/** Reads the cities that have a page, most stores first. */
export async function readCities(sql: Sql): Promise<CityWays[]> {
  const rows = (await readStores(sql, null)).filter(({ stocked }) => stocked);
  const cities = byPlace(rows, ({ city }) => placePath(city)).map((stores) => ({
    id: stores.reduce((least, { id }) => Math.min(least, id), Number.MAX_SAFE_INTEGER),
    name: commonest(stores.map(({ city }) => city)),
    stores: stores.length,
    districts: districtsOf(stores),
  }));
  return cities.sort((a, b) => b.stores - a.stores || byName(a.name, b.name));
}

/** Returns the districts of a city's stores, most stores first. */
function districtsOf(stores: Row[]): string[] {
  return byPlace(stores, ({ city, district }) => placePath(city, district))
    .sort((a, b) => b.length - a.length)
    .map((there) => commonest(there.map(({ district }) => district)));
}

/** Groups stores by place, in path order, which breaks ties in a later sort. */
function byPlace(rows: Row[], pathOf: (row: Row) => string): Row[][] {
  const places = [...Map.groupBy(rows, pathOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return places.map(([, stores]) => stores);
}

/** Returns the most frequent spelling; "" without any. */
function commonest(names: string[]): string {
  const counts = [...Map.groupBy(names, (name) => name)].map(
    ([name, same]) => [name, same.length] as const,
  );
  counts.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return counts[0]?.[0] ?? '';
}

function byName(a: string, b: string): number {
  return a.localeCompare(b, 'pt-BR') || (a < b ? -1 : 1);
}
