import type {
  CatalogState,
  Directory,
  FeedKind,
  Offer,
  Product,
  ShowcaseProduct,
  Store,
} from '../domain/catalog.ts';
import type { ApiError } from '../domain/errors.ts';
import type { Links } from '../domain/links.ts';
import type { ProductStats } from '../domain/stats.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import type { Call, Reply } from '../http/call.ts';
import type { Quotas } from '../http/quotas.ts';
import type { SearchDependencies, SearchedCatalog } from '../search/dependencies.ts';
import type { Fresh } from './fresh-cache.ts';

/** What the live half takes from the published release. */
export type Published = {
  /** The pool of /gpt/products.json; empty before the first release. */
  showcase(): ShowcaseProduct[];
  /** The text of a page or document at a path of ours; null when the release has none there. */
  text(path: string): Promise<string | null>;
};

/**
 * Everything that the live handlers need from the outside, handed to them. The database functions
 * throw INTERNAL_ERROR when the database is away or too slow.
 */
export type Live = SearchDependencies & {
  info: ServiceInfo;
  links: Links;
  allowedHosts: readonly string[];
  clock: () => Date;
  quotas: Quotas;
  stats: {
    product(id: number): Promise<Fresh<ProductStats>>;
    /** The answer as it goes out, its entity tag, and how old it is. */
    merchant(id: number): Promise<Fresh<{ body: string; etag: string }>>;
    recordAgentView(productId: number): Promise<void>;
  };
  catalog: SearchedCatalog & {
    state(): Promise<CatalogState>;
    /** The layout of the catalog as it was changed last at `version`. */
    directory(version: string | null): Promise<Directory>;
    /** What of the public catalog has an id. */
    kindsOf(id: number): Promise<FeedKind[]>;
    product(id: number): Promise<{ product: Product; stores: Store[] } | null>;
    offer(id: number): Promise<{ offer: Offer; stores: Store[] } | null>;
    completeCategory(typed: string, limit: number): Promise<string[]>;
    completeCity(typed: string, limit: number): Promise<string[]>;
    completeDistrict(city: string, typed: string, limit: number): Promise<string[]>;
    completeMerchant(typed: string, limit: number): Promise<string[]>;
  };
  published: Published;
  /** Logs a fault of ours, with the call that met it. */
  logFailure: (error: unknown, call?: Pick<Call, 'id' | 'trace'>) => void;
};

/** A live endpoint: a plain function of a call and of what it needs. */
export type LiveHandler = (call: Call, live: Live) => Promise<Reply>;

/** Tells a fault of an endpoint in another way than by the four-field body; null where it cannot. */
export type FaultTeller = (
  fault: ApiError,
  call: Pick<Call, 'query'>,
  live: Live,
) => Promise<Reply | null>;
