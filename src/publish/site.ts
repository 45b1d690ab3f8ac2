import type { CatalogExport } from '../data/catalog.ts';
import type { CatalogCounts, Offer, Product, ShowcaseProduct, Store } from '../domain/catalog.ts';
import type { Links } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';

/** Everything that the page of a product shows. */
export type ProductPage = {
  product: Product;
  stores: Store[];
  offers: Offer[];
  related: Product[];
};

/** Everything that the page of an offer shows; `product` is the one that it is about. */
export type OfferPage = {
  offer: Offer;
  product: Product | null;
  stores: Store[];
  related: Offer[];
};

/** One address of a sitemap. */
export type SitemapEntry = { url: string; lastModified: string };

/** The export as the pages read it. */
export type Site = {
  info: ServiceInfo;
  links: Links;
  counts: CatalogCounts;
  /** Instant of the catalog's last change; null before the first import. */
  updatedAt: string | null;
  productIds: number[];
  offerIds: number[];
  product(id: number): ProductPage | null;
  offer(id: number): OfferPage | null;
  /** Sitemap parts of at most 50,000 addresses each; at least one, even when it is empty. */
  sitemap(kind: 'products' | 'offers'): SitemapEntry[][];
  showcase: ShowcaseProduct[];
  nextBoundary: string | null;
};

const RELATED_RECORDS = 6;
const SITEMAP_ADDRESSES = 50_000;
/** How many products are set aside for the rotating showcase. */
const SHOWCASE_POOL = 1000;

/** Arranges an export for the pages. */
export function makeSite(catalog: CatalogExport, info: ServiceInfo, links: Links): Site {
  const storesOf = groupBy(catalog.stores, (store): number | null => store.merchant_id);
  const products = new Map(catalog.products.map((product) => [product.id, product]));
  const offers = new Map(catalog.offers.map((offer) => [offer.id, offer]));
  const productsOf = groupBy(catalog.products, (product) => product.merchant.id);
  const offersOf = groupBy(catalog.offers, (offer) => offer.merchant?.id ?? null);
  const offersAbout = groupBy(catalog.offers, (offer) => offer.product?.id ?? null);
  const stores = (merchantId: number | null): Store[] =>
    (storesOf.get(merchantId) ?? []).map(({ merchant_id: _, ...store }) => store);

  return {
    info,
    links,
    counts: catalog.counts,
    updatedAt: catalog.updatedAt,
    nextBoundary: catalog.nextBoundary,
    productIds: info.productPages ? [...products.keys()] : [],
    offerIds: [...offers.keys()],
    product(id) {
      const product = info.productPages ? products.get(id) : undefined;
      if (product === undefined) return null;
      const siblings = productsOf.get(product.merchant.id) ?? [];
      return {
        product,
        stores: stores(product.merchant.id),
        offers: (offersAbout.get(id) ?? []).slice(0, RELATED_RECORDS),
        related: neighbours(siblings, id, (other) => other.category?.id === product.category?.id),
      };
    },
    offer(id) {
      const offer = offers.get(id);
      if (offer === undefined) return null;
      const merchantId = offer.merchant?.id ?? null;
      return {
        offer,
        product: offer.product === null ? null : (products.get(offer.product.id) ?? null),
        stores: merchantId === null ? [] : stores(merchantId),
        related: neighbours(offersOf.get(merchantId) ?? [], id, () => true),
      };
    },
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

/** Up to six others of a list, those that are alike first, starting behind the record itself. */
function neighbours<T extends { id: number }>(
  list: T[],
  id: number,
  isAlike: (other: T) => boolean,
): T[] {
  const position = list.findIndex((record) => record.id === id);
  const around = [
    ...list.slice(position + 1, position + 51),
    ...list.slice(0, position).slice(0, 50),
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
