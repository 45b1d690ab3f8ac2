// The data half of what a search of the service needs, over a database and in this process.
import {
  findCategories,
  findCity,
  findDistrict,
  findMerchantName,
  findMerchants,
  listMerchants,
  listPlaces,
  nearestCategories,
} from '../../src/data/catalog/places.ts';
import type { Sql } from '../../src/data/connection/client.ts';
import { findStoresNear } from '../../src/data/index/circles.ts';
import { searchOffers, searchProducts } from '../../src/data/index/search.ts';
import { correctWords } from '../../src/data/index/vocabulary.ts';
import type { Offer, Product } from '../../src/domain/catalog.ts';
import type { Position } from '../../src/domain/distance.ts';
import type { Found, SearchPlan } from '../../src/domain/search.ts';
import { rememberMerchants, rememberPlaces } from '../../src/live/known-names.ts';
import type { Live } from '../../src/live/live.ts';
import { productSearchInput } from '../../src/search/arguments.ts';
import { runSearch } from '../../src/search/search.ts';
import { loadLexicon } from '../../src/understand/lexicon/lexicon.ts';
import { loadGazetteer } from '../../src/understand/mentions/gazetteer.ts';
import { understand } from '../../src/understand/query.ts';
import type { Exclusion, SourceDocument } from '../../src/understand/types.ts';
import { judge } from '../../src/understand/without/judge.ts';
import type { MixedQuery } from '../search/mixed.ts';

const lexicon = loadLexicon();
const gazetteer = loadGazetteer();
/** No quota. */
const RECORDS_LEFT = 1000;

export type Kind = 'product' | 'offer';
export type Search = { kind: Kind; plan: SearchPlan };

/** Opens the catalog of a database for searches. */
export function openCatalog(sql: Sql): Live {
  return {
    info: { defaultCity: 'São Paulo' },
    understand: (query: string, around?: Parameters<typeof understand>[2]) =>
      understand(query, lexicon, around),
    judge: (record: SourceDocument, exclusions: readonly Exclusion[]) =>
      judge(record, exclusions, lexicon),
    catalog: {
      places: rememberPlaces(
        () => listPlaces(sql),
        () => 0,
        gazetteer,
      ),
      merchants: rememberMerchants(
        (known) => listMerchants(sql, known),
        () => 0,
      ),
      searchProducts: (plan: SearchPlan) => searchProducts(sql, plan),
      searchOffers: (plan: SearchPlan) => searchOffers(sql, plan),
      correctWords: (words: string[]) => correctWords(sql, words),
      findCategories: (name: string, kind: 'products' | 'offers') =>
        findCategories(sql, name, kind),
      findMerchants: (name: string) => findMerchants(sql, name),
      findMerchantName: (id: number) => findMerchantName(sql, id),
      storesNear: (positions: Position[], meters: number) => findStoresNear(sql, positions, meters),
      findCity: (name: string) => findCity(sql, name),
      findDistrict: (city: string, name: string) => findDistrict(sql, city, name),
      nearestCategories: (concepts: string[]) => nearestCategories(sql, concepts),
    },
  } as unknown as Live;
}

/** Offers are not sorted by price. */
export const kindsFor = ({ sort }: { sort?: string }): Kind[] =>
  sort?.startsWith('price') ? ['product'] : ['product', 'offer'];

/** Asks as the tools do; `note` is told of every search that this takes. */
export function ask(
  live: Live,
  kind: Kind,
  query: MixedQuery,
  note: (search: Search) => void = () => {},
) {
  const { searchProducts: products, searchOffers: offers } = live.catalog;
  const find = (plan: SearchPlan): Promise<Found<Product | Offer>> => {
    note({ kind, plan: structuredClone(plan) });
    return kind === 'product' ? products(plan) : offers(plan);
  };
  const context = { live, recordsLeft: RECORDS_LEFT };
  return runSearch(productSearchInput.parse(query), context, { kind: `${kind}s`, find });
}
