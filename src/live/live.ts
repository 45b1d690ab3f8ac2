import type {
  CatalogState,
  Directory,
  FeedKind,
  Named,
  Offer,
  Product,
  ShowcaseProduct,
  Store,
} from '../domain/catalog.ts';
import type { NearStore, Position } from '../domain/distance.ts';
import type { Links } from '../domain/links.ts';
import type {
  Correction,
  Found,
  KnownCategory,
  SearchPlan,
  UnknownName,
} from '../domain/search.ts';
import type { ProductStats } from '../domain/stats.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import type { Call, Reply } from '../http/call.ts';
import type { Quotas } from '../http/quotas.ts';
import type { Verdict } from '../understand/judge.ts';
import type { MerchantIndex } from '../understand/merchant-index.ts';
import type { PlaceIndex, Surroundings } from '../understand/places.ts';
import type { Exclusion, Intent, SourceDocument } from '../understand/types.ts';
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
export type Live = {
  info: ServiceInfo;
  links: Links;
  allowedHosts: readonly string[];
  clock: () => Date;
  quotas: Quotas;
  understand: (query: string, around?: Surroundings) => Intent;
  /** What a record says of the things that a query wants without. */
  judge: (record: SourceDocument, exclusions: readonly Exclusion[]) => Verdict;
  stats: {
    product(id: number): Promise<Fresh<ProductStats>>;
    /** The answer as it goes out, its entity tag, and how old it is. */
    merchant(id: number): Promise<Fresh<{ body: string; etag: string }>>;
    recordAgentView(productId: number): Promise<void>;
  };
  catalog: {
    state(): Promise<CatalogState>;
    /** The layout of the catalog as it was changed last at `version`. */
    directory(version: string | null): Promise<Directory>;
    /** What of the public catalog has an id. */
    kindsOf(id: number): Promise<FeedKind[]>;
    product(id: number): Promise<{ product: Product; stores: Store[] } | null>;
    /** Those of the ids that the catalog has. */
    products(ids: number[]): Promise<Product[]>;
    offer(id: number): Promise<{ offer: Offer; stores: Store[] } | null>;
    searchProducts(plan: SearchPlan): Promise<Found<Product>>;
    searchOffers(plan: SearchPlan): Promise<Found<Offer>>;
    /** What words that no record has may have meant. */
    correctWords(words: string[]): Promise<Correction[]>;
    findCategories(
      nameOrId: string,
      kind: 'products' | 'offers',
    ): Promise<KnownCategory | UnknownName>;
    findMerchants(name: string): Promise<{ merchants: Named[] } | UnknownName>;
    findMerchantName(id: number): Promise<string | null>;
    findCity(name: string): Promise<{ name: string } | UnknownName>;
    findDistrict(city: string, name: string): Promise<{ name: string } | UnknownName>;
    /** The nearest of the stores within so many metres of each of some positions; null where there is none. */
    storesNear(positions: readonly Position[], meters: number): Promise<(NearStore | null)[]>;
    /** The places that queries may speak of. */
    places(): Promise<PlaceIndex>;
    /** The merchants that queries may name. */
    merchants(): Promise<MerchantIndex>;
    nearestCategories(concepts: string[]): Promise<Named[]>;
    completeCategory(typed: string, limit: number): Promise<string[]>;
    completeCity(typed: string, limit: number): Promise<string[]>;
    completeDistrict(city: string, typed: string, limit: number): Promise<string[]>;
    completeMerchant(typed: string, limit: number): Promise<string[]>;
  };
  published: Published;
  /** Logs a fault of ours; `request` is the id of the call that met it. */
  logFailure: (error: unknown, request?: string) => void;
};

/** A live endpoint: a plain function of a call and of what it needs. */
export type LiveHandler = (call: Call, live: Live) => Promise<Reply>;
