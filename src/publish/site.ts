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
import type { Directions, DirectoryEntry, DirectoryLetter } from '../domain/lists.ts';
import type { PricedOffer } from '../domain/price.ts';
import type { ServiceInfo } from '../domain/surface.ts';

/** A product card. */
export type ProductCard = { id: number; title: string; price: Money | null; picture: Media | null };

/** An offer card; `price` is the offer's own. */
export type OfferCard = PricedOffer & {
  id: number;
  category: string | null;
  merchantId: number | null;
  /** The offer's own picture, else its product's. */
  picture: Media | null;
};

/** A product and an offer as shown on pages. */
export type ShownProduct = Omit<Product, 'updatedAt'>;
export type ShownOffer = Omit<Offer, 'updatedAt' | 'qualityScore'>;

/** A store with contacts; opening hours use OpenStreetMap's syntax. */
export type ShownStore = Store & {
  phone: string | null;
  whatsapp: string | null;
  openingHours: string | null;
};

/** The stores that a page lists, and how many more the merchant has. */
type StoreList = { stores: ShownStore[]; moreStores: number };

/** The model of a product page: exactly what it shows, since a page is rendered again when its model changes. */
export type ProductPage = StoreList & {
  product: ShownProduct;
  offers: OfferCard[];
  related: ProductCard[];
};

/** The model of an offer page; `product` is the offer's product. */
export type OfferPage = StoreList & {
  offer: ShownOffer;
  product: ShownProduct | null;
  related: OfferCard[];
};

/** An offer with the further contents of its card; `changedAt`: when it last changed or started. */
export type LatestOffer = ShownOffer & {
  picture: Media | null;
  store: Store | null;
  changedAt: string;
};

/** The subject of a list. */
export type ListHead =
  | { kind: 'offers' | 'merchants' | 'categories' | 'cities' }
  /** `place`: the location of its first store. */
  | { kind: 'merchant'; merchant: Named; place: { city: string; district: string } | null }
  /** `trail`: its ancestors, outermost first. */
  | { kind: 'category'; category: Named; trail: Named[] }
  | { kind: 'place'; city: string; state: string | null; district: string | null };

/** What only the first page of a list shows, by subject. */
export type ListLead = Partial<
  StoreList & {
    description: string | null;
    below: (Named & { below: Named[] })[];
    /** Most stores first. */
    districts: string[];
    letters: DirectoryLetter[];
  }
>;

/** Records as shown in lists. */
export type ListedOffer = { card: OfferCard; merchant: string | null };
export type ListedProduct = { card: ProductCard; merchant: string; inStock: boolean };
export type ListedStore = { store: Store; merchant: Named };

/** The model of a list page; `path` is that of the list, `linked` the other pages it links to. */
export type ListPage = {
  path: string;
  page: number;
  linked: number[];
  head: ListHead;
  /** The number of entries in the whole list, and further contents; first page only. */
  total: number | null;
  lead: ListLead | null;
  offers: ListedOffer[];
  products: ListedProduct[];
  stores: ListedStore[];
  /** The entries of a directory: of merchants, categories or cities. */
  names?: DirectoryEntry[];
};

/** The inputs of rendering a page. */
export type PageSite = {
  info: ServiceInfo;
  links: Links;
  product(id: number): Promise<ProductPage | null>;
  offer(id: number): Promise<OfferPage | null>;
  /** Reads a list page by path. */
  list(path: string): Promise<ListPage | null>;
};

/** One URL of a sitemap part, with the first picture on that page; see `ADDRESSES`. */
export type SitemapEntry = { url: string; lastModified: string; picture: string | null };
export type SitemapKind = 'lists' | 'offers' | 'products';

/** The catalog as read by pages and documents. */
export type Site = PageSite & {
  counts: CatalogCounts;
  /** When the catalog last changed; null before the first import. */
  updatedAt: string | null;
  /** The best of the latest merchant offers, merchants in turn. */
  latestOffers: LatestOffer[];
  /** The offers that changed or started last. */
  changedOffers: LatestOffer[];
  showcase: ShowcaseProduct[];
  directions: Directions;
  /** The last change of each part, null for an empty one; at least one part per kind. */
  sitemaps: Record<SitemapKind, (string | null)[]>;
  /** Reads the URLs of a part, counted from 1; null if there is no such part. */
  sitemap(kind: SitemapKind, part: number): Promise<SitemapEntry[] | null>;
};

/** Recent offers have the highest ids. */
const LATEST_OFFERS = 500;
/** The size of the Atom feed: enough for one poll a day, or one an hour in a busy mall. */
const CHANGED_OFFERS = 100;
/** The number of products in the rotation of the showcase. */
const SHOWCASE_POOL = 1000;

/** Opens the catalog for documents; pages are read on demand. */
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
  const changed = await catalog.changedOffers(CHANGED_OFFERS);
  const showcase = await catalog.showcase(SHOWCASE_POOL);
  return {
    ...{ info, links, ...rest, counts: catalog.counts, updatedAt: catalog.updatedAt },
    product: async (id) => (info.productPages ? page<ProductPage>('product', id) : null),
    offer: (id) => page<OfferPage>('offer', id),
    latestOffers: inTurn(offers.map((record) => JSON.parse(record))),
    changedOffers: changed.map((record) => JSON.parse(record)),
    directions: await catalog.directions(),
    showcase: showcase.map((record) => JSON.parse(record)),
  };
}

/** Round robin: the first of each merchant, then the second of each, and so on. */
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
