import type { CatalogExport, ExportedOffer, ExportedProduct } from '../data/catalog/export.ts';
import type {
  CatalogCounts,
  Money,
  Offer,
  Product,
  ShowcaseProduct,
  Store,
} from '../domain/catalog.ts';
import type { Links } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';

/** Another record as a page mentions it. */
export type Card = { id: number; title: string; price: Money | null; note: string | null };

/** A product and an offer as pages show them. */
export type ShownProduct = Omit<Product, 'updatedAt'>;
export type ShownOffer = Omit<Offer, 'updatedAt' | 'qualityScore'>;

/** Stores that a page lists, and how many more the merchant has. */
type Places = { stores: Store[]; moreStores: number };

/**
 * Everything that the page of a product shows, and nothing else: a page is rendered anew when this
 * changes.
 */
export type ProductPage = Places & { product: ShownProduct; offers: Card[]; related: Card[] };

/** Everything that the page of an offer shows; `product` is the one that it is about. */
export type OfferPage = Places & {
  offer: ShownOffer;
  product: ShownProduct | null;
  related: Card[];
};

/** What rendering one page takes. */
export type PageSite = {
  info: ServiceInfo;
  links: Links;
  product(id: number): ProductPage | null;
  offer(id: number): OfferPage | null;
};

/** One address of a sitemap. */
export type SitemapEntry = { url: string; lastModified: string };

/** The export as the pages read it. */
export type Site = PageSite & {
  counts: CatalogCounts;
  /** Instant of the catalog's last change; null before the first import. */
  updatedAt: string | null;
  /** True while the catalog is the sample that a first start loads. */
  sample: boolean;
  productIds: number[];
  offerIds: number[];
  /** What a page shows, as JSON; null when there is no such page. */
  productModel(id: number): string | null;
  offerModel(id: number): string | null;
  /** The latest merchant offers, as many as a home page may choose from, best first. */
  latestOffers(): ShownOffer[];
  /** Sitemap parts of at most 50,000 addresses each; at least one, even when it is empty. */
  sitemap(kind: 'products' | 'offers'): SitemapEntry[][];
  showcase(): ShowcaseProduct[];
  nextBoundary: string | null;
};

/** One row of cards; and a change of a record renders the pages that mention it. */
const RELATED_RECORDS = 3;
/** How far away in a merchant's list something alike is looked for. */
const NEIGHBOURHOOD = 50;
/** A chain may have hundreds. */
const STORES_SHOWN = 12;
/** Recent offers have the highest ids. */
const LATEST_OFFERS = 500;
const SITEMAP_ADDRESSES = 50_000;
/** How many products are set aside for the rotating showcase. */
const SHOWCASE_POOL = 1000;

/** Arranges an export for the pages. Models are put together as text: most are only compared. */
export function makeSite(catalog: CatalogExport, info: ServiceInfo, links: Links): Site {
  const storesOf = groupBy(catalog.stores, (store): number | null => store.merchant_id);
  const products = new Map(catalog.products.map((product) => [product.id, product]));
  const offers = new Map(catalog.offers.map((offer) => [offer.id, offer]));
  const productsOf = rank(groupBy(catalog.products, (product) => product.merchantId));
  const offersOf = rank(groupBy(catalog.offers, (offer) => offer.merchantId));
  const offersAbout = groupBy(catalog.offers, (offer) => offer.belongsTo);
  const placesOf = memoize((merchantId: number | null) => placesModel(storesOf.get(merchantId)));

  const productModel = (id: number): string | null => {
    const product = info.productPages ? products.get(id) : undefined;
    if (product === undefined) return null;
    const { merchantId, belongsTo, record } = product;
    const about = (offersAbout.get(id) ?? []).slice(0, RELATED_RECORDS);
    const near = productsOf(merchantId, id);
    const related = neighbours(near, (other) => other.belongsTo === belongsTo);
    return `{"product":${record},${placesOf(merchantId)},"offers":${cards(about)},"related":${cards(related)}}`;
  };
  const offerModel = (id: number): string | null => {
    const offer = offers.get(id);
    if (offer === undefined) return null;
    const { merchantId, belongsTo, record } = offer;
    const about = belongsTo === null ? undefined : products.get(belongsTo);
    const places = placesOf(merchantId);
    const related = neighbours(offersOf(merchantId, id), () => true);
    return `{"offer":${record},"product":${about?.record ?? null},${places},"related":${cards(related)}}`;
  };
  const parse = <T>(model: string | null): T | null => (model === null ? null : JSON.parse(model));

  return {
    info,
    links,
    counts: catalog.counts,
    updatedAt: catalog.updatedAt,
    nextBoundary: catalog.nextBoundary,
    sample: catalog.sample,
    productIds: info.productPages ? [...products.keys()] : [],
    offerIds: [...offers.keys()],
    productModel,
    offerModel,
    product: (id) => parse(productModel(id)),
    offer: (id) => parse(offerModel(id)),
    latestOffers: () => bestOf(catalog.offers),
    sitemap: memoize((kind) =>
      kind === 'offers'
        ? sitemapOf(catalog.offers, links.offer)
        : sitemapOf(info.productPages ? catalog.products : [], links.product),
    ),
    showcase: () =>
      showcasePool(catalog.products).map(({ record, updatedAt, merchantId }) => {
        const [store = null] = storesOf.get(merchantId) ?? [];
        return { ...JSON.parse(record), updatedAt, store: store === null ? null : toStore(store) };
      }),
  };
}

function cards(records: { card: string }[]): string {
  return `[${records.map(({ card }) => card).join(',')}]`;
}

type StoreRow = CatalogExport['stores'][number];

function placesModel(stores: StoreRow[] = []): string {
  const shown = JSON.stringify(stores.slice(0, STORES_SHOWN).map(toStore));
  return `"stores":${shown},"moreStores":${Math.max(0, stores.length - STORES_SHOWN)}`;
}

function toStore({ merchant_id: _, ...store }: StoreRow): Store {
  return store;
}

function bestOf(offers: ExportedOffer[]): ShownOffer[] {
  return offers
    .filter(({ id }) => id > 0)
    .slice(-LATEST_OFFERS)
    .sort((a, b) => b.qualityScore - a.qualityScore || a.id - b.id)
    .map(({ record }) => JSON.parse(record));
}

function sitemapOf(
  records: { id: number; updatedAt: string }[],
  urlOf: (id: number) => string,
): SitemapEntry[][] {
  const entries = records.map(({ id, updatedAt }) => ({ url: urlOf(id), lastModified: updatedAt }));
  return chunk(entries, SITEMAP_ADDRESSES);
}

/** A record's place in its group: the group and the position. */
type Place<T> = { list: T[]; position: number };

/** Remembers each record's position in its group: a merchant may have very many. */
function rank<T extends { id: number }, K>(groups: Map<K, T[]>): (key: K, id: number) => Place<T> {
  const positions = new Map<number, number>();
  for (const list of groups.values()) {
    for (const [position, { id }] of list.entries()) positions.set(id, position);
  }
  return (key, id) => ({ list: groups.get(key) ?? [], position: positions.get(id) ?? 0 });
}

/** Some others of a group, those that are alike first, starting behind the record itself. */
function neighbours<T>({ list, position }: Place<T>, isAlike: (other: T) => boolean): T[] {
  const around = [
    ...list.slice(position + 1, position + 1 + NEIGHBOURHOOD),
    ...list.slice(0, Math.min(position, NEIGHBOURHOOD)),
  ];
  const alike = around.filter(isAlike);
  if (alike.length >= RELATED_RECORDS) return alike.slice(0, RELATED_RECORDS);
  const others = around.filter((record) => !isAlike(record));
  return [...alike, ...others].slice(0, RELATED_RECORDS);
}

/** Products in stock, merchant by merchant in turn, so that every stretch of the pool is varied. */
function showcasePool(products: ExportedProduct[]): ExportedProduct[] {
  const queues = [
    ...groupBy(
      products.filter((product) => product.inStock),
      (product) => product.merchantId,
    ).values(),
  ];
  const pool: ExportedProduct[] = [];
  for (let round = 0; pool.length < SHOWCASE_POOL; round += 1) {
    const before = pool.length;
    for (const queue of queues) {
      const product = queue[round];
      if (product !== undefined) pool.push(product);
    }
    if (pool.length === before) break;
  }
  return pool.slice(0, SHOWCASE_POOL);
}

function memoize<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

function groupBy<T, K>(list: T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of list) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

function chunk<T>(list: T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < list.length; start += size)
    parts.push(list.slice(start, start + size));
  return parts.length === 0 ? [[]] : parts;
}
