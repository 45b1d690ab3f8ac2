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

/** What live handlers read from the published release. */
export type Published = {
  /** The pool of /gpt/products.json; empty before the first release. */
  showcase(): ShowcaseProduct[];
  /** Returns the text of the page or document at a path; null if the release has none. */
  text(path: string): Promise<string | null>;
};

/** The dependencies of live handlers. Database functions throw INTERNAL_ERROR when the database is down or too slow. */
export type Live = SearchDependencies & {
  info: ServiceInfo;
  links: Links;
  allowedHosts: readonly string[];
  clock: () => Date;
  quotas: Quotas;
  stats: {
    product(id: number): Promise<Fresh<ProductStats>>;
    /** Returns the serialised answer with its entity tag and age. */
    merchant(id: number): Promise<Fresh<{ body: string; etag: string }>>;
    recordAgentView(productId: number): Promise<void>;
  };
  catalog: SearchedCatalog & {
    state(): Promise<CatalogState>;
    /** Returns the directory of the catalog at `version`. */
    directory(version: string | null): Promise<Directory>;
    /** Returns the kinds of public records that have the id. */
    kindsOf(id: number): Promise<FeedKind[]>;
    product(id: number): Promise<{ product: Product; stores: Store[] } | null>;
    offer(id: number): Promise<{ offer: Offer; stores: Store[] } | null>;
    completeCategory(typed: string, limit: number): Promise<string[]>;
    completeCity(typed: string, limit: number): Promise<string[]>;
    completeDistrict(city: string, typed: string, limit: number): Promise<string[]>;
    completeMerchant(typed: string, limit: number): Promise<string[]>;
  };
  published: Published;
  /** Logs an internal failure, with the call that it failed. */
  logFailure: (error: unknown, call?: Pick<Call, 'id' | 'trace'>) => void;
};

/** A live endpoint: a plain function of a call and its dependencies. */
export type LiveHandler = (call: Call, live: Live) => Promise<Reply>;

/** Renders a fault other than as the four-field JSON body; null if it cannot. */
export type FaultTeller = (
  fault: ApiError,
  call: Pick<Call, 'query'>,
  live: Live,
) => Promise<Reply | null>;
