import type { CatalogExport } from '../data/catalog.ts';
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

/**
 * Everything that the page of a product shows, and nothing else: a page is rendered anew when this
 * changes.
 */
export type ProductPage = {
  product: Omit<Product, 'updatedAt'>;
  stores: Store[];
  offers: Card[];
  related: Card[];
};

/** Everything that the page of an offer shows; `product` is the one that it is about. */
export type OfferPage = {
  offer: Omit<Offer, 'updatedAt' | 'qualityScore'>;
  product: Pick<Product, 'brand' | 'media' | 'price' | 'inStock'> | null;
  stores: Store[];
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
  /** The latest merchant offers, as many as a home page may choose from. */
  latestOffers: Offer[];
  /** Sitemap parts of at most 50,000 addresses each; at least one, even when it is empty. */
  sitemap(kind: 'products' | 'offers'): SitemapEntry[][];
  showcase: ShowcaseProduct[];
  nextBoundary: string | null;
};

const RELATED_RECORDS = 6;
/** How far away in a merchant's list something alike is looked for. */
const NEIGHBOURHOOD = 50;
/** Recent offers have the highest ids. */
const LATEST_OFFERS = 500;
const SITEMAP_ADDRESSES = 50_000;
/** How many products are set aside for the rotating showcase. */
const SHOWCASE_POOL = 1000;

/** Arranges an export for the pages. */
export function makeSite(catalog: CatalogExport, info: ServiceInfo, links: Links): Site {
  const storesOf = groupBy(catalog.stores, (store): number | null => store.merchant_id);
  const products = new Map(catalog.products.map((product) => [product.id, product]));
  const offers = new Map(catalog.offers.map((offer) => [offer.id, offer]));
  const productsOf = rank(groupBy(catalog.products, (product) => product.merchant.id));
  const offersOf = rank(groupBy(catalog.offers, (offer) => offer.merchant?.id ?? null));
  const offersAbout = groupBy(catalog.offers, (offer) => offer.product?.id ?? null);
  const stores = (merchantId: number | null): Store[] =>
    (storesOf.get(merchantId) ?? []).map(({ merchant_id: _, ...store }) => store);

  return {
    info,
    links,
    counts: catalog.counts,
    updatedAt: catalog.updatedAt,
    nextBoundary: catalog.nextBoundary,
    sample: catalog.sample,
    productIds: info.productPages ? [...products.keys()] : [],
    offerIds: [...offers.keys()],
    product(id) {
      const record = info.productPages ? products.get(id) : undefined;
      if (record === undefined) return null;
      const { updatedAt: _, ...product } = record;
      const category = product.category?.id;
      return {
        product,
        stores: stores(product.merchant.id),
        offers: (offersAbout.get(id) ?? []).slice(0, RELATED_RECORDS).map(offerCard),
        related: neighbours(
          productsOf(product.merchant.id, id),
          (other) => other.category?.id === category,
        ).map(productCard),
      };
    },
    offer(id) {
      const record = offers.get(id);
      if (record === undefined) return null;
      const { updatedAt: _, qualityScore: __, ...offer } = record;
      const merchantId = offer.merchant?.id ?? null;
      const about = offer.product === null ? undefined : products.get(offer.product.id);
      return {
        offer,
        product:
          about === undefined
            ? null
            : {
                brand: about.brand,
                media: about.media,
                price: about.price,
                inStock: about.inStock,
              },
        stores: merchantId === null ? [] : stores(merchantId),
        related: neighbours(offersOf(merchantId, id), () => true).map(({ aiCategory, ...other }) =>
          offerCard({ ...other, description: aiCategory }),
        ),
      };
    },
    latestOffers: catalog.offers.filter(({ id }) => id > 0).slice(-LATEST_OFFERS),
    sitemap(kind) {
      const entries =
        kind === 'offers'
          ? catalog.offers.map(({ id, updatedAt }) => ({
              url: links.offer(id),
              lastModified: updatedAt,
            }))
          : catalog.products.map(({ id, updatedAt }) => ({
              url: links.product(id),
              lastModified: updatedAt,
            }));
      return chunk(kind === 'products' && !info.productPages ? [] : entries, SITEMAP_ADDRESSES);
    },
    showcase: showcasePool(catalog.products, (product) => stores(product.merchant.id)[0] ?? null),
  };
}

function productCard({ id, name, price, brand }: Product): Card {
  return { id, title: name, price, note: brand };
}

function offerCard(offer: Pick<Offer, 'id' | 'title' | 'price' | 'description'>): Card {
  const { id, title, price, description } = offer;
  return { id, title, price, note: description };
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

/** Up to six others of a group, those that are alike first, starting behind the record itself. */
function neighbours<T>({ list, position }: Place<T>, isAlike: (other: T) => boolean): T[] {
  const around = [
    ...list.slice(position + 1, position + 1 + NEIGHBOURHOOD),
    ...list.slice(0, Math.min(position, NEIGHBOURHOOD)),
  ];
  const alike = around.filter(isAlike);
  const others = around.filter((record) => !isAlike(record));
  return [...alike, ...others].slice(0, RELATED_RECORDS);
}

/** Products in stock, merchant by merchant in turn, so that every stretch of the pool is varied. */
function showcasePool(
  products: Product[],
  storeOf: (product: Product) => Store | null,
): ShowcaseProduct[] {
  const queues = [
    ...groupBy(
      products.filter((product) => product.inStock),
      (p) => p.merchant.id,
    ).values(),
  ];
  const pool: ShowcaseProduct[] = [];
  for (let round = 0; pool.length < SHOWCASE_POOL; round += 1) {
    const before = pool.length;
    for (const queue of queues) {
      const product = queue[round];
      if (product !== undefined) pool.push({ ...product, store: storeOf(product) });
    }
    if (pool.length === before) break;
  }
  return pool.slice(0, SHOWCASE_POOL);
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
