import type { Named, Offer, Product } from '../domain/catalog.ts';
import type { NearStore, Position } from '../domain/distance.ts';
import type {
  Correction,
  Found,
  KnownCategory,
  SearchPlan,
  UnknownName,
} from '../domain/search.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import type { MerchantIndex } from '../understand/mentions/merchant-index.ts';
import type { PlaceIndex, QueryContext } from '../understand/mentions/places.ts';
import type { Exclusion, Intent, SourceDocument } from '../understand/types.ts';
import type { Verdict } from '../understand/without/judge.ts';

/** What a search reads of the catalog; each throws INTERNAL_ERROR when the database is away or too slow. */
export type SearchedCatalog = {
  searchProducts(plan: SearchPlan): Promise<Found<Product>>;
  searchOffers(plan: SearchPlan): Promise<Found<Offer>>;
  /** Those of the ids that the catalog has. */
  products(ids: number[]): Promise<Product[]>;
  /** What words that no record has may have meant. */
  correctWords(words: string[]): Promise<Correction[]>;
  findCategories(
    nameOrId: string,
    kind: 'products' | 'offers',
  ): Promise<KnownCategory | UnknownName>;
  nearestCategories(concepts: string[]): Promise<Named[]>;
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
};

/** Everything that a search needs from the outside. */
export type SearchDependencies = {
  info: Pick<ServiceInfo, 'defaultCity'>;
  understand: (query: string, around?: QueryContext) => Intent;
  /** What a record says of the things that a query wants without. */
  judge: (record: SourceDocument, exclusions: readonly Exclusion[]) => Verdict;
  catalog: SearchedCatalog;
};
