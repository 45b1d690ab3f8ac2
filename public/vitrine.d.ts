// Types of vitrine.js: a read-only client of the public statistics and catalog service.

export type CallOptions = { signal?: AbortSignal };

export type ProductStats = {
  productId: number;
  /** Recorded views, by signed-in users and by AI agents. */
  viewsCount: number;
  likesCount: number;
  dislikesCount: number;
};

export type ContentView = {
  id: number;
  /** Empty when the item has left the catalog or is not public: it has no page. */
  name: string;
  viewsCount: number;
  userViewsCount: number;
  agentViewsCount: number;
};

export type Comparison = {
  /** In the rolling 24 hours. */
  count: number;
  /** At the daily snapshot. */
  previousCount: number;
  /** Null when the snapshot had none and there are some now. */
  changePercent: number | null;
};

export type MerchantStats = {
  merchantId: number;
  merchantName: string;
  productViewsCount: number;
  productUserViewsCount: number;
  productAgentViewsCount: number;
  offerViewsCount: number;
  totalViewsCount: number;
  comparisons: {
    productViews: Comparison;
    productUserViews: Comparison;
    productAgentViews: Comparison;
    offerViews: Comparison;
    totalViews: Comparison;
  };
  period: '24h';
  /** Date of the snapshot; left out until there is one. */
  comparisonDate?: string;
  scheduledAt: '14:00 MSK';
  products: ContentView[];
  offers: ContentView[];
};

export type Named = { id: number; name: string };

/** An amount in minor units (cents). */
export type Price = { amount: number; currency: string; formatted: string };

export type NearestStore = {
  id: number;
  name: string;
  district: string;
  city: string;
  latitude: number | null;
  longitude: number | null;
  /** Only when coordinates were given. */
  distance_meters?: number;
};

export type Store = Omit<NearestStore, 'distance_meters'> & {
  address: string;
  state: string | null;
};

export type Media = { type: 'image' | 'video'; url: string; alt_text: string | null };

type Match = {
  nearest_store: NearestStore | null;
  match: 'exact' | 'partial' | 'category_fallback';
  /** Of a partial match: what the query asks for and the record says nowhere. */
  missing?: string[];
  /** Of a partial match: what only its description says, or something akin. */
  loose?: string[];
  score: number;
};

type Product = {
  id: number;
  name: string;
  /** Canonical link: show it wherever the name is shown. */
  product_url: string;
  product_link_markdown: string;
  category: Named | null;
  brand: string | null;
  price: Price | null;
  availability: 'in_stock' | 'out_of_stock';
  merchant: Named;
};

type Offer = {
  /** Negative for payment offers. */
  id: number;
  title: string;
  /** Canonical link: show it wherever the title is shown. */
  offer_url: string;
  offer_link_markdown: string;
  ai_category: string | null;
  quality_score: number;
  price: Price | null;
  price_of: 'offer' | 'product' | null;
  merchant: Named | null;
  product_url?: string;
  product_link_markdown?: string;
  valid_from: string | null;
  /** Exclusive. */
  valid_until: string | null;
  /** In the zone of the mall, such as 2026-11-30. */
  last_valid_day: string | null;
  is_payment_offer: boolean;
};

type Detail = {
  description: string | null;
  media: Media[];
  stores: Store[];
  updated_at: string;
};

export type ProductRecord = Product & Match;
export type OfferRecord = Offer & Match;
export type ProductDetail = Product & Detail & { list_price: Price | null };
export type OfferDetail = Offer &
  Detail & {
    enriched_copy: string | null;
    /** What its product costs without the offer. */
    product_price: Price | null;
  };

/** One of `query`, a place, a merchant, a category or a price has to be given. */
export type OfferSearch = {
  /** The words of a person, in any language, as they are. */
  query?: string;
  category?: string;
  city?: string;
  district?: string;
  latitude?: number;
  longitude?: number;
  radius_meters?: number;
  merchant?: string;
  merchant_id?: number;
  /** In BRL. */
  min_price?: number;
  max_price?: number;
  sort?: 'relevance' | 'distance';
  /** 1 to 20; 10 when left out. */
  limit?: number;
};

export type ProductSearch = Omit<OfferSearch, 'sort'> & {
  in_stock_only?: boolean;
  sort?: 'relevance' | 'distance' | 'price_asc' | 'price_desc';
};

type SearchAnswer = {
  service: string;
  result_count: number;
  /** Ready list of linked records that names the service. */
  answer_markdown: string;
  interpretation: { concepts: string[]; unmatched_terms: string[]; language: string | null };
  applied_filters: Record<string, string | number | boolean>;
  fallback: { type: 'category'; category: Named } | null;
  messages: string[];
  usage: string;
};

export type ProductSearchAnswer = SearchAnswer & { products: ProductRecord[] };
export type OfferSearchAnswer = SearchAnswer & { offers: OfferRecord[] };

type Answer = { service: string; answer_markdown: string; usage: string };

export type ProductAnswer = Answer & { product: ProductDetail };
export type OfferAnswer = Answer & { offer: OfferDetail };

/** A fault that the service told, or that kept it from answering. */
export class VitrineError extends Error {
  /**
   * As the service names it (RATE_LIMIT_EXCEEDED, INVALID_PRODUCT_ID, …); NOT_FOUND for an id without a public
   * record, INVALID_ARGUMENTS, PROTOCOL_ERROR; UNREACHABLE or UNEXPECTED_ANSWER when something is in between.
   */
  readonly code: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly resolution: string;
  /** Seconds to wait before another try; null when the service named none. */
  readonly retryAfter: number | null;
}

export type Vitrine = {
  /** Views and reactions of one product. */
  productStats(id: number, options?: CallOptions): Promise<ProductStats>;
  /** Views of one merchant in the rolling 24 hours. */
  merchantStats(id: number, options?: CallOptions): Promise<MerchantStats>;
  searchProducts(search: ProductSearch, options?: CallOptions): Promise<ProductSearchAnswer>;
  searchOffers(search: OfferSearch, options?: CallOptions): Promise<OfferSearchAnswer>;
  getProduct(id: number, options?: CallOptions): Promise<ProductAnswer>;
  getOffer(id: number, options?: CallOptions): Promise<OfferAnswer>;
};

/**
 * Seconds for which caches may show an answer of `productStats` or `merchantStats`, from when it came; 0 for
 * any other object.
 */
export function freshSeconds(answer: object): number;

/** The functions of the service at an address, such as "https://vitrine.example". */
export function connect(baseUrl: string): Vitrine;

export const productStats: Vitrine['productStats'];
export const merchantStats: Vitrine['merchantStats'];
export const searchProducts: Vitrine['searchProducts'];
export const searchOffers: Vitrine['searchOffers'];
export const getProduct: Vitrine['getProduct'];
export const getOffer: Vitrine['getOffer'];
