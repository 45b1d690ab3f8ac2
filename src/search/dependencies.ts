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

/** Catalog reads of a search; each throws INTERNAL_ERROR when the database is down or too slow. */
export type SearchedCatalog = {
  searchProducts(plan: SearchPlan): Promise<Found<Product>>;
  searchOffers(plan: SearchPlan): Promise<Found<Offer>>;
  /** Returns those of the ids that exist. */
  products(ids: number[]): Promise<Product[]>;
  /** Finds the closest words of the catalog to words that no record has. */
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
  /** Finds the nearest store within `meters` of each position; null where there is none. */
  storesNear(positions: readonly Position[], meters: number): Promise<(NearStore | null)[]>;
  /** Returns the places that queries may mention. */
  places(): Promise<PlaceIndex>;
  /** Returns the merchants that queries may mention. */
  merchants(): Promise<MerchantIndex>;
};

/** What a search needs from outside. */
export type SearchDependencies = {
  info: Pick<ServiceInfo, 'defaultCity'>;
  understand: (query: string, around?: QueryContext) => Intent;
  /** Judges a record against exclusions. */
  judge: (record: SourceDocument, exclusions: readonly Exclusion[]) => Verdict;
  catalog: SearchedCatalog;
};
