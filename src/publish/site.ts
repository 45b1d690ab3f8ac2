import type { Catalog } from '../data/catalog/export.ts';
import type {
  CatalogCounts,
  Media,
  Money,
  Named,
  Offer,
  Product,
  ShowcaseProduct,
  Store,
} from '../domain/catalog.ts';
import type { Links } from '../domain/links.ts';
import type { Directions } from '../domain/lists.ts';
import type { PricedOffer } from '../domain/price.ts';
import type { ServiceInfo } from '../domain/surface.ts';

/** A product as a card shows it. */
export type ProductCard = { id: number; title: string; price: Money | null; picture: Media | null };

/** An offer as a card shows it; `price` is its own. */
export type OfferCard = PricedOffer & {
  id: number;
  category: string | null;
  merchantId: number | null;
  /** Its own, or else that of its product. */
  picture: Media | null;
};

/** A product and an offer as pages show them. */
export type ShownProduct = Omit<Product, 'updatedAt'>;
export type ShownOffer = Omit<Offer, 'updatedAt' | 'qualityScore'>;

/** A store with how to reach it; opening hours in the syntax of OpenStreetMap. */
export type ShownStore = Store & {
  phone: string | null;
  whatsapp: string | null;
  openingHours: string | null;
};

/** Stores that a page lists, and how many more the merchant has. */
type Places = { stores: ShownStore[]; moreStores: number };

/**
 * Everything that the page of a product shows, and nothing else: a page is rendered anew when this
 * changes.
 */
export type ProductPage = Places & {
  product: ShownProduct;
  offers: OfferCard[];
  related: ProductCard[];
};

/** Everything that the page of an offer shows; `product` is the one that it is about. */
export type OfferPage = Places & {
  offer: ShownOffer;
  product: ShownProduct | null;
  related: OfferCard[];
};

/** An offer with what else a card of it shows. */
export type LatestOffer = ShownOffer & { picture: Media | null; store: Store | null };

/** What a list is of. */
export type ListHead =
  | { kind: 'offers' }
  /** `place`: where its first store is. */
  | { kind: 'merchant'; merchant: Named; place: { city: string; district: string } | null }
  /** `trail`: the categories that it lies in, the outermost first. */
  | { kind: 'category'; category: Named; trail: Named[] }
  | { kind: 'place'; city: string; state: string | null; district: string | null };

/** What only the first page of a list says, by what the list is of. */
export type ListLead = Partial<
  Places & {
    description: string | null;
    below: (Named & { below: Named[] })[];
    districts: string[];
  }
>;

/** Records as lists show them. */
export type ListedOffer = { card: OfferCard; merchant: string | null };
export type ListedProduct = { card: ProductCard; merchant: string; inStock: boolean };
export type ListedStore = { store: Store; merchant: Named };

/** Everything that a page of a list shows; `path` is that of the list, `linked` other pages of it. */
export type ListPage = {
  path: string;
  page: number;
  linked: number[];
  head: ListHead;
  /** How many entries the whole list has, and what else only its first page says. */
  total: number | null;
  lead: ListLead | null;
  offers: ListedOffer[];
  products: ListedProduct[];
  stores: ListedStore[];
};

/** What rendering one page takes. */
export type PageSite = {
  info: ServiceInfo;
  links: Links;
  product(id: number): Promise<ProductPage | null>;
  offer(id: number): Promise<OfferPage | null>;
  /** A page of a list by its path. */
  list(path: string): Promise<ListPage | null>;
};

/** One address of a sitemap, and a part of at most 50,000 of them. */
export type SitemapEntry = { url: string; lastModified: string };
export type SitemapKind = 'lists' | 'offers' | 'products';

/** The catalog as pages and documents read it. */
export type Site = PageSite & {
  counts: CatalogCounts;
  /** Instant of the catalog's last change; null before the first import. */
  updatedAt: string | null;
  /** The best of the latest merchant offers, first one of each merchant, then the second ones. */
  latestOffers: LatestOffer[];
  showcase: ShowcaseProduct[];
  directions: Directions;
  /** When each part of the sitemap changed, null for an empty one. There is at least one part of a kind. */
  sitemaps: Record<SitemapKind, (string | null)[]>;
  /** The addresses of a part, counted from 1; null when there is no such part. */
  sitemap(kind: SitemapKind, part: number): Promise<SitemapEntry[] | null>;
};

/** Recent offers have the highest ids. */
const LATEST_OFFERS = 500;
/** How many products are set aside for the rotating showcase. */
const SHOWCASE_POOL = 1000;

/** Reads what documents show of a catalog; pages are read when they are asked for. */
export async function openSite(
  catalog: Catalog,
  { info, links }: { info: ServiceInfo; links: Links },
  rest: Pick<Site, 'sitemaps' | 'sitemap' | 'list'>,
): Promise<Site> {
  const page = async <T>(kind: 'offer' | 'product', id: number): Promise<T | null> => {
    const model = (await catalog.readPages(kind, [id])).get(id);
    return model === undefined ? null : JSON.parse(model);
  };
  const offers = await catalog.latestOffers(LATEST_OFFERS);
  const showcase = await catalog.showcase(SHOWCASE_POOL);
  return {
    ...{ info, links, ...rest, counts: catalog.counts, updatedAt: catalog.updatedAt },
    product: async (id) => (info.productPages ? page<ProductPage>('product', id) : null),
    offer: (id) => page<OfferPage>('offer', id),
    latestOffers: inTurn(offers.map((record) => JSON.parse(record))),
    directions: await catalog.directions(),
    showcase: showcase.map((record) => JSON.parse(record)),
  };
}

/** The first of each merchant, then the second of each, and so on. */
function inTurn(offers: LatestOffer[]): LatestOffer[] {
  const seen = new Map<number | null, number>();
  const turns = offers.map((offer) => {
    const merchant = offer.merchant?.id ?? null;
    const turn = seen.get(merchant) ?? 0;
    seen.set(merchant, turn + 1);
    return { offer, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn).map(({ offer }) => offer);
}
