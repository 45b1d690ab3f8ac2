import type { CatalogState, PageIds, PageKind, Store } from '../../domain/catalog.ts';
import type { CityWays, Directions, Listed } from '../../domain/lists.ts';
import type { Sql } from '../connection/client.ts';
import { readCatalogState } from './catalog.ts';
import { type EntryTexts, type List, readListEntries } from './list-entries.ts';
import { readDirections, readLists, readPlaces } from './lists.ts';
import {
  instant,
  listPages,
  offerPicture,
  offerRecord,
  productPicture,
  productRecord,
  readPages,
} from './pages.ts';
import { readCities } from './place-lists.ts';
import { storeRecord } from './records.ts';
import {
  countUnexplained,
  type Known,
  readTouchedLists,
  readTouchedPages,
  type TouchedLists,
} from './touched.ts';

export type { List, Shown } from './list-entries.ts';
export type { TouchedLists } from './touched.ts';

/** A sitemap URL's record, its last change and the first picture on its page. */
export type PageDate = { id: number; updatedAt: string; picture: string | null };

/** A run of pages by id: its last change, and the first id after it. */
export type PageSpan = { changed: string | null; beyond: number | null };

/** The public catalog at one instant, the input of publishing. */
export type Catalog = CatalogState & {
  version: number;
  /** The instant of reading by the database's clock. */
  readAt: string;
  /** True while the catalog is the sample loaded at first start. */
  sample: boolean;
  /** The next time at which an offer becomes or ceases to be public by itself. */
  nextBoundary: string | null;
  /** See `listPages`, `readPages` and `readTouchedPages`. */
  listPages(kind: PageKind, among?: number[] | null): Promise<number[]>;
  readPages(kind: PageKind, ids: number[]): Promise<Map<number, string>>;
  touchedPages(known: Known, most: number): Promise<PageIds | null>;
  /** See `readDirections`, `readLists`, `readPlaces`, `readListEntries` and `readTouchedLists`. */
  directions(): Promise<Directions>;
  lists(touched: TouchedLists | null): AsyncGenerator<List>;
  places(merchants: number[] | null): AsyncGenerator<List>;
  listEntries(ids: Listed): Promise<EntryTexts>;
  touchedLists(known: Known): Promise<TouchedLists>;
  /** See `countUnexplained`. */
  countUnexplained(lost: PageIds): Promise<number>;
  /** The latest public offers as JSON of a LatestOffer; the best first. */
  latestOffers(most: number): Promise<string[]>;
  /** The offers that changed or started last, latest first. */
  changedOffers(most: number): Promise<string[]>;
  /** Products in stock as JSON of a ShowcaseProduct, merchants in turn. */
  showcase(most: number): Promise<string[]>;
  /** The pages of a range in id order, at most `most`, with their last changes. */
  pageDates(kind: PageKind, range: IdRange, most: number): Promise<PageDate[]>;
  /** The same as one span. */
  pageSpan(kind: PageKind, range: IdRange, most: number): Promise<PageSpan>;
};

/** Ids from `from` on, and below `below` unless null. */
export type IdRange = { from: number; below: number | null };

/** What a publisher compares with its release; times by the database's clock. */
export type PublishState = {
  version: number;
  sample: boolean;
  updatedAt: string | null;
  now: string;
};

/** Reads the state that tells whether a release is up to date. */
export async function readPublishState(sql: Sql): Promise<PublishState> {
  const [row] = await sql<
    { version: number; sample: boolean; updated_at: Date | null; now: Date }[]
  >`
    select version, sample, updated_at, now() as now from catalog_state`;
  if (row === undefined) throw new Error('catalog_state has no row');
  const { updated_at, now, ...state } = row;
  return { ...state, updatedAt: updated_at?.toISOString() ?? null, now: now.toISOString() };
}

/** Marks the catalog as the sample, until a feed replaces it. */
export async function markSampleCatalog(sql: Sql): Promise<void> {
  await sql`update catalog_state set sample = true`;
}

/** Runs work on a consistent snapshot of the public catalog. */
export function withCatalog<T>(sql: Sql, work: (catalog: Catalog) => Promise<T>): Promise<T> {
  return sql.begin('isolation level repeatable read read only', async (tx) =>
    work(await openCatalog(tx)),
  ) as Promise<T>;
}

/** Opens the public catalog; consistent only within a repeatable-read transaction. */
export async function openCatalog(sql: Sql): Promise<Catalog> {
  const { version, sample, now } = await readPublishState(sql);
  let known: Promise<CityWays[]> | null = null;
  const cities = () => {
    known ??= readCities(sql);
    return known;
  };
  return {
    ...(await readCatalogState(sql)),
    ...{ version, sample, readAt: now, nextBoundary: await readNextBoundary(sql) },
    listPages: (kind, among) => listPages(sql, kind, among),
    readPages: (kind, ids) => readPages(sql, kind, ids),
    countUnexplained: (lost) => countUnexplained(sql, lost),
    touchedPages: (known, most) => readTouchedPages(sql, known, most),
    directions: async () => readDirections(sql, await cities()),
    lists: (touched) => readLists(sql, touched),
    places: (merchants) => readPlaces(sql, merchants, cities),
    listEntries: (ids) => readListEntries(sql, ids),
    touchedLists: (known) => readTouchedLists(sql, known),
    latestOffers: (most) => readLatestOffers(sql, most),
    changedOffers: (most) => readChangedOffers(sql, most),
    showcase: (most) => readShowcase(sql, most),
    pageDates: (kind, range, most) => readPageDates(sql, kind, range, most),
    pageSpan: (kind, range, most) => readPageSpan(sql, kind, range, most),
  };
}

/** When a public offer last changed or started. */
const CHANGED = 'greatest(o.updated_at, o.valid_from)';

function readLatestOffers(sql: Sql, most: number): Promise<string[]> {
  const among = { which: 'o.id > 0', first: 'o.id desc', most };
  return readShownOffers(sql, among, 'o.quality_score desc, o.id');
}

function readChangedOffers(sql: Sql, most: number): Promise<string[]> {
  const first = `${CHANGED} desc, o.id desc`;
  return readShownOffers(sql, { which: 'true', first, most }, first);
}

/** Reads the first `most` public offers by `first`, sorted by `order`. */
async function readShownOffers(
  sql: Sql,
  { which, first, most }: { which: string; first: string; most: number },
  order: string,
): Promise<string[]> {
  const rows = await sql<{ record: string; rest: string }[]>`
    select ${offerRecord(sql)}::text as record, json_build_object('picture', ${offerPicture(sql)},
      'changedAt', ${instant(sql, CHANGED)}, 'store', (
      select ${storeRecord(sql)} from store s
      where s.merchant_id = o.merchant_id order by s.id limit 1
    ))::text as rest
    from (
      select * from offer o where ${sql.unsafe(which)} and is_public(o, now())
      order by ${sql.unsafe(first)} limit ${most}
    ) o
    left join merchant m on m.id = o.merchant_id
    left join product p on p.id = o.product_id
    order by ${sql.unsafe(order)}`;
  return rows.map(({ record, rest }) => `${record.slice(0, -1)},${rest.slice(1)}`);
}

/** Candidates per merchant as a multiple of the even share, since some merchants have fewer products. */
const SPARE_ROUNDS = 4;

async function readShowcase(sql: Sql, most: number): Promise<string[]> {
  const rows = await sql<{ record: string; updated_at: Date; store: Store | null }[]>`
    with share as (
      select ${SPARE_ROUNDS} * ceil(${most}::float8 / greatest(count(*), 1))::int as each from merchant
    ), chosen as (
      select p.* from merchant
      cross join lateral (
        select *, row_number() over () as turn from (
          select * from product where merchant_id = merchant.id and in_stock
          order by coalesce(category_id, 0), id limit (select each from share)
        ) shelf
      ) p
      order by turn, p.merchant_id limit ${most}
    )
    select ${productRecord(sql)}::text as record, p.updated_at, (
      select ${storeRecord(sql)} from store s
      where s.merchant_id = p.merchant_id order by s.id limit 1
    ) as store
    from chosen p
    join merchant m on m.id = p.merchant_id
    left join category c on c.id = p.category_id
    order by turn, p.merchant_id`;
  return rows.map(({ record, updated_at, store }) => {
    const rest = JSON.stringify({ updatedAt: updated_at.toISOString(), store });
    return `${record.slice(0, -1)},${rest.slice(1)}`;
  });
}

async function readPageDates(
  sql: Sql,
  kind: PageKind,
  range: IdRange,
  most: number,
): Promise<PageDate[]> {
  const [name, of, picture] =
    kind === 'offer'
      ? ['o', sql`left join product p on p.id = o.product_id`, offerPicture(sql)]
      : ['p', sql``, productPicture(sql)];
  return sql<PageDate[]>`
    select ${sql(name)}.id, ${instant(sql, `${name}.updated_at`)} as "updatedAt", ${picture}->>'url' as picture
    from (
      select * from ${sql(kind)} t where ${inRange(sql, kind, range)} order by id limit ${most}
    ) ${sql(name)} ${of} order by id`;
}

async function readPageSpan(
  sql: Sql,
  kind: PageKind,
  range: IdRange,
  most: number,
): Promise<PageSpan> {
  const [row] = await sql<PageSpan[]>`
    select ${instant(sql, 'max(updated_at) filter (where position <= most)')} as changed,
      max(id) filter (where position > most) as beyond
    from (
      select id, updated_at, row_number() over (order by id) as position, ${most}::int as most
      from ${sql(kind)} t where ${inRange(sql, kind, range)} order by id limit ${most + 1}
    ) page`;
  return row ?? { changed: null, beyond: null };
}

const inRange = (sql: Sql, kind: PageKind, { from, below }: IdRange) => sql`
  id >= ${from}::bigint and ${below === null ? sql`true` : sql`id < ${below}::bigint`}
  and ${kind === 'offer' ? sql`is_public(t, now())` : sql`true`}`;

async function readNextBoundary(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ boundary: Date | null }[]>`
    select least(
      (select min(valid_from) from offer
       where status = 'active' and not app_only_top and valid_from > now()),
      (select min(valid_until) from offer
       where status = 'active' and not app_only_top and valid_until > now())
    ) as boundary`;
  return row?.boundary?.toISOString() ?? null;
}
