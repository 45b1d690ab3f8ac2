import { nameKey } from '../domain/places.ts';
import type { SearchPlan } from '../domain/search.ts';
import { DEFAULT_LIMIT, DEFAULT_RADIUS_METERS, type SearchArguments } from './arguments.ts';
import { findCategory } from './category-names.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { SearchMessage } from './messages.ts';
import { resolveCity, resolveDistrict } from './named-places.ts';

/** What the answer reports about the search: the filters applied, and messages. */
export type SearchReport = {
  applied_filters: Record<string, string | number | boolean>;
  messages: SearchMessage[];
};

/** Turns the filter arguments into a plan without clauses; null, with a message, if one names something unknown. */
export async function resolvePlan(
  args: SearchArguments,
  kind: 'products' | 'offers',
  deps: SearchDependencies,
  report: SearchReport,
): Promise<SearchPlan | null> {
  const place = await resolvePlace(args, deps, report);
  const merchantIds = await resolveMerchants(args, deps, report);
  const category = await resolveCategory(args, kind, deps, report);
  if (place === null || merchantIds === 'none' || category === null) return null;
  const filters = report.applied_filters;
  if (args.min_price !== undefined) filters.min_price = args.min_price;
  if (args.max_price !== undefined) filters.max_price = args.max_price;
  if (args.in_stock_only !== undefined) filters.in_stock_only = args.in_stock_only;
  return {
    clauses: [],
    title: null,
    ...place,
    ...category,
    merchantIds,
    minPrice: args.min_price === undefined ? null : leastAmount(args.min_price),
    maxPrice: args.max_price === undefined ? null : mostAmount(args.max_price),
    inStockOnly: args.in_stock_only ?? true,
    sort: args.sort ?? 'relevance',
    cheap: false,
    nearby: false,
    preferredDistrict: null,
    preferredNear: null,
    preferredPrice: null,
    preferredMerchantIds: null,
    limit: args.limit ?? DEFAULT_LIMIT,
  };
}

/** Converts a lower bound in reais to centavos, tolerating floating-point error. */
export const leastAmount = (reais: number) => Math.ceil(reais * 100 - 1e-6);
/** Converts an upper bound in reais to centavos, tolerating floating-point error. */
export const mostAmount = (reais: number) => Math.floor(reais * 100 + 1e-6);

type PlaceFilter = Pick<SearchPlan, 'city' | 'district' | 'near'>;

async function resolvePlace(
  args: SearchArguments,
  deps: SearchDependencies,
  report: SearchReport,
): Promise<PlaceFilter | null> {
  const filters = report.applied_filters;
  const near = coordinates(args);
  if (near !== null) {
    filters.latitude = near.latitude;
    filters.longitude = near.longitude;
    filters.radius_meters = near.radiusMeters;
  }
  const bare = args.merchant === undefined && args.merchant_id === undefined && near === null;
  const cityWanted =
    args.city ?? (args.district !== undefined || bare ? deps.info.defaultCity : undefined);
  if (cityWanted === undefined) return { city: null, district: null, near };

  const city = await resolveCity(cityWanted, deps);
  filters.city = 'message' in city ? cityWanted : city.name;
  if (args.city === undefined) filters.city_defaulted = true;
  if ('message' in city) {
    report.messages.push(city.message);
    return null;
  }
  if (args.district === undefined) return { city: city.name, district: null, near };
  const district = await resolveDistrict(city.name, args.district, deps);
  filters.district = 'message' in district ? args.district : district.name;
  if ('message' in district) {
    report.messages.push(district.message);
    return null;
  }
  return { city: city.name, district: district.name, near };
}

function coordinates(args: SearchArguments): SearchPlan['near'] {
  const { latitude, longitude, radius_meters: radiusMeters = DEFAULT_RADIUS_METERS } = args;
  if (latitude === undefined || longitude === undefined) return null;
  return { latitude, longitude, radiusMeters };
}

async function resolveMerchants(
  args: SearchArguments,
  deps: SearchDependencies,
  report: SearchReport,
): Promise<number[] | null | 'none'> {
  const filters = report.applied_filters;
  let merchantIds: number[] | null = null;
  if (args.merchant !== undefined) {
    filters.merchant = args.merchant;
    const found = await deps.catalog.findMerchants(args.merchant);
    if ('unknown' in found) {
      const { suggestions } = found;
      report.messages.push({ kind: 'unknown-merchant', name: args.merchant, suggestions });
      return 'none';
    }
    merchantIds = found.merchants.map((merchant) => merchant.id);
    filters.merchant = found.merchants.map((merchant) => merchant.name).join(', ');
  }
  if (args.merchant_id !== undefined) {
    filters.merchant_id = args.merchant_id;
    const name = await deps.catalog.findMerchantName(args.merchant_id);
    if (name === null) {
      report.messages.push({ kind: 'unknown-merchant-id', id: args.merchant_id });
      return 'none';
    }
    filters.merchant = name;
    merchantIds = (merchantIds ?? [args.merchant_id]).filter((id) => id === args.merchant_id);
  }
  return merchantIds;
}

async function resolveCategory(
  args: SearchArguments,
  kind: 'products' | 'offers',
  deps: SearchDependencies,
  report: SearchReport,
): Promise<Pick<SearchPlan, 'categoryIds' | 'aiCategoryKeys'> | null> {
  if (args.category === undefined) return { categoryIds: null, aiCategoryKeys: [] };
  report.applied_filters.category = args.category;
  const found = await findCategory(args.category, kind, deps);
  if ('unknown' in found) {
    const { suggestions } = found;
    report.messages.push({ kind: 'unknown-category', name: args.category, suggestions });
    return null;
  }
  report.applied_filters.category = found.names.join(', ');
  if (found.message !== null) report.messages.push(found.message);
  return { categoryIds: found.ids, aiCategoryKeys: found.names.map(nameKey) };
}
