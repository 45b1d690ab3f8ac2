import type { Hit, Named } from '../../domain/catalog.ts';
import { nameKey } from '../../domain/places.ts';
import { type Found, type SearchPlan, SOFT_WEIGHT, type UnknownName } from '../../domain/search.ts';
import type { Intent } from '../../understand/types.ts';
import type { Live } from '../live.ts';
import { findCorrected } from './correct.ts';
import type { SearchArguments } from './search-arguments.ts';
import type { ToolContext } from './tool.ts';

const DEFAULT_LIMIT = 10;
const DEFAULT_RADIUS_METERS = 5000;

type FilterValue = string | number | boolean;

/** A search as it went: the hits and what the agent is told about them. */
export type SearchOutcome<T> = {
  hits: Hit<T>[];
  interpretation: { concepts: string[]; unmatched_terms: string[]; language: string | null };
  applied_filters: Record<string, FilterValue>;
  fallback: { type: 'category'; category: Named } | null;
  messages: string[];
};

/** What is searched, and the data function that finds it. */
type Target<T> = {
  kind: 'products' | 'offers';
  find(plan: SearchPlan): Promise<Found<T>>;
};

/**
 * Runs a search: constraints resolved, the query understood, and the nearest category when nothing
 * matches its concepts. No location, merchant or price constraint is ever loosened.
 */
export async function runSearch<T>(
  args: SearchArguments,
  { live, recordsLeft }: ToolContext,
  target: Target<T>,
): Promise<SearchOutcome<T>> {
  const intent = args.query === undefined ? null : live.understand(args.query);
  const outcome: SearchOutcome<T> = {
    hits: [],
    interpretation: interpret(intent),
    applied_filters: {},
    fallback: null,
    messages: [],
  };
  const wanted = args.limit ?? DEFAULT_LIMIT;
  const plan = await resolvePlan(args, target.kind, live, outcome);
  if (plan === null) return outcome;
  plan.groups = intent?.groups ?? [];
  plan.cheap = intent?.signals.cheap ?? false;
  plan.limit = Math.min(wanted, recordsLeft);
  if (intent === null || plan.groups.length > 0) {
    const found = await findCorrected(plan, intent?.groups ?? [], target.find, live);
    outcome.hits = found.hits;
    outcome.messages.push(...found.messages);
  } else outcome.messages.push('The query names nothing that the catalog knows.');

  if (outcome.hits.length === 0 && intent !== null && plan.groups.length > 0) {
    await fallBack(intent, plan, live, target, outcome);
  }
  if (outcome.hits.length > 0 && recordsLeft < wanted && outcome.hits.length === recordsLeft) {
    outcome.messages.push(
      `Shortened to ${recordsLeft} of ${wanted} records: the record quota of this minute is used up.`,
    );
  }
  return outcome;
}

function interpret(intent: Intent | null): SearchOutcome<unknown>['interpretation'] {
  if (intent === null) return { concepts: [], unmatched_terms: [], language: null };
  const terms = intent.groups
    .filter((group) => group.kind === 'term' && group.weight > SOFT_WEIGHT)
    .map((group) => group.label);
  return { concepts: intent.concepts, unmatched_terms: terms, language: intent.language };
}

async function fallBack<T>(
  intent: Intent,
  plan: SearchPlan,
  live: Live,
  target: Target<T>,
  outcome: SearchOutcome<T>,
): Promise<void> {
  // A category that the caller named stays: it is a constraint as well.
  if (plan.categoryIds !== null) return;
  const concepts = intent.groups
    .flatMap((group) => group.alternatives.map(({ token }) => token))
    .filter((token) => token.startsWith('c:'));
  for (const category of await live.catalog.nearestCategories([...concepts, ...intent.broader])) {
    const found = await live.catalog.findCategories(String(category.id), target.kind);
    if ('unknown' in found) continue;
    const { hits } = await target.find({
      ...plan,
      groups: [],
      categoryIds: found.ids,
      aiCategoryKey: nameKey(category.name),
    });
    if (hits.length === 0) continue;
    outcome.hits = hits.map((hit) => ({
      ...hit,
      match: 'category_fallback',
      score: hit.score / 2,
    }));
    outcome.fallback = { type: 'category', category };
    outcome.messages.push(
      `Nothing matches the query itself; these are from the nearest category, ${category.name}.`,
    );
    return;
  }
}

async function resolvePlan(
  args: SearchArguments,
  kind: 'products' | 'offers',
  live: Live,
  outcome: SearchOutcome<unknown>,
): Promise<SearchPlan | null> {
  const place = await resolvePlace(args, live, outcome);
  const merchantIds = await resolveMerchants(args, live, outcome);
  const category = await resolveCategory(args, kind, live, outcome);
  if (place === null || merchantIds === 'none' || category === null) return null;
  const filters = outcome.applied_filters;
  if (args.min_price !== undefined) filters.min_price = args.min_price;
  if (args.max_price !== undefined) filters.max_price = args.max_price;
  if (args.in_stock_only !== undefined) filters.in_stock_only = args.in_stock_only;
  return {
    groups: [],
    ...place,
    ...category,
    merchantIds,
    minPrice: args.min_price === undefined ? null : Math.ceil(args.min_price * 100 - 1e-6),
    maxPrice: args.max_price === undefined ? null : Math.floor(args.max_price * 100 + 1e-6),
    inStockOnly: args.in_stock_only ?? true,
    sort: args.sort ?? 'relevance',
    cheap: false,
    limit: DEFAULT_LIMIT,
  };
}

type Place = Pick<SearchPlan, 'city' | 'district' | 'near'>;

async function resolvePlace(
  args: SearchArguments,
  live: Live,
  outcome: SearchOutcome<unknown>,
): Promise<Place | null> {
  const filters = outcome.applied_filters;
  const near = coordinates(args);
  if (near !== null) {
    filters.latitude = near.latitude;
    filters.longitude = near.longitude;
    filters.radius_meters = near.radiusMeters;
  }
  const bare = args.merchant === undefined && args.merchant_id === undefined && near === null;
  const cityWanted =
    args.city ?? (args.district !== undefined || bare ? live.info.defaultCity : undefined);
  if (cityWanted === undefined) return { city: null, district: null, near };

  const city = await live.catalog.findCity(cityWanted);
  filters.city = 'unknown' in city ? cityWanted : city.name;
  if (args.city === undefined) filters.city_defaulted = true;
  if ('unknown' in city) {
    outcome.messages.push(unknownMessage('city', cityWanted, city));
    return null;
  }
  if (args.district === undefined) return { city: city.name, district: null, near };
  const district = await live.catalog.findDistrict(city.name, args.district);
  filters.district = 'unknown' in district ? args.district : district.name;
  if ('unknown' in district) {
    outcome.messages.push(unknownMessage(`district of ${city.name}`, args.district, district));
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
  live: Live,
  outcome: SearchOutcome<unknown>,
): Promise<number[] | null | 'none'> {
  const filters = outcome.applied_filters;
  let merchantIds: number[] | null = null;
  if (args.merchant !== undefined) {
    filters.merchant = args.merchant;
    const found = await live.catalog.findMerchants(args.merchant);
    if ('unknown' in found) {
      outcome.messages.push(unknownMessage('merchant', args.merchant, found));
      return 'none';
    }
    merchantIds = found.merchants.map((merchant) => merchant.id);
    filters.merchant = found.merchants.map((merchant) => merchant.name).join(', ');
  }
  if (args.merchant_id !== undefined) {
    filters.merchant_id = args.merchant_id;
    if (!(await live.catalog.merchantExists(args.merchant_id))) {
      outcome.messages.push(`No merchant has the id ${args.merchant_id}.`);
      return 'none';
    }
    merchantIds = (merchantIds ?? [args.merchant_id]).filter((id) => id === args.merchant_id);
  }
  return merchantIds;
}

async function resolveCategory(
  args: SearchArguments,
  kind: 'products' | 'offers',
  live: Live,
  outcome: SearchOutcome<unknown>,
): Promise<Pick<SearchPlan, 'categoryIds' | 'aiCategoryKey'> | null> {
  if (args.category === undefined) return { categoryIds: null, aiCategoryKey: null };
  outcome.applied_filters.category = args.category;
  const found = await live.catalog.findCategories(args.category, kind);
  if ('unknown' in found) {
    outcome.messages.push(unknownMessage('category', args.category, found));
    return null;
  }
  outcome.applied_filters.category = found.name;
  return { categoryIds: found.ids, aiCategoryKey: nameKey(found.name) };
}

function unknownMessage(what: string, name: string, { suggestions }: UnknownName): string {
  const known = suggestions.length === 0 ? '' : ` Close known names: ${suggestions.join(', ')}.`;
  return `The catalog knows no ${what} named "${name}".${known}`;
}
