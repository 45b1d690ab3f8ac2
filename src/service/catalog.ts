import {
  findKinds,
  readCatalogState,
  readOffer,
  readProduct,
  readProducts,
} from '../data/catalog/catalog.ts';
import {
  completeCategory,
  completeCity,
  completeDistrict,
  completeMerchant,
} from '../data/catalog/completions.ts';
import {
  findCategories,
  findCity,
  findDistrict,
  findMerchantName,
  findMerchants,
  listMerchants,
  listPlaces,
  nearestCategories,
  readDirectory,
} from '../data/catalog/places.ts';
import type { Sql } from '../data/connection/client.ts';
import type { Need, Reads } from '../data/connection/reads.ts';
import { findStoresNear } from '../data/index/circles.ts';
import { searchOffers, searchProducts } from '../data/index/search.ts';
import { correctWords } from '../data/index/vocabulary.ts';
import type { GazetteerEntry } from '../domain/gazetteer.ts';
import {
  rememberDirectory,
  rememberKnown,
  rememberMerchants,
  rememberPlaces,
} from '../live/known-names.ts';
import type { Live } from '../live/live.ts';
import type { StageTimer } from '../metrics.ts';

const monotonicMs = () => performance.now();

/** Builds the catalog reads of the handlers, each with its deadline and read target. */
export function catalogOf(
  reads: Reads,
  staged: StageTimer,
  gazetteer: readonly GazetteerEntry[],
): Live['catalog'] {
  const from =
    (need: Need) =>
    <Args extends unknown[], Result>(read: (sql: Sql, ...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      reads.run(need, (sql) => read(sql, ...args));
  const within = from('catalog');
  // What people decide by (price, stock, validity): read from the freshest source; a primary-key look-up is cheap.
  const newest = from('newest');
  return {
    state: within(readCatalogState),
    directory: rememberDirectory(within(readDirectory)),
    kindsOf: within(findKinds),
    product: newest(readProduct),
    products: within(readProducts),
    offer: newest(readOffer),
    searchProducts: staged.later('retrieve', within(searchProducts)),
    searchOffers: staged.later('retrieve', within(searchOffers)),
    correctWords: staged.later('correct', within(correctWords)),
    findCategories: staged.later('resolve', within(findCategories)),
    findMerchants: staged.later('resolve', within(findMerchants)),
    findMerchantName: within(findMerchantName),
    findCity: rememberKnown(staged.later('resolve', within(findCity)), monotonicMs),
    findDistrict: staged.later('resolve', within(findDistrict)),
    storesNear: staged.later('resolve', within(findStoresNear)),
    places: rememberPlaces(within(listPlaces), monotonicMs, gazetteer),
    merchants: rememberMerchants(within(listMerchants), monotonicMs),
    nearestCategories: staged.later('fall-back', within(nearestCategories)),
    completeCategory: within(completeCategory),
    completeCity: within(completeCity),
    completeDistrict: within(completeDistrict),
    completeMerchant: within(completeMerchant),
  };
}
