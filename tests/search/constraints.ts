import type { EvalCatalog, FeedOffer, FeedProduct, FeedStore } from './catalog.ts';
import type { EvalQuery } from './queries.ts';

type Arguments = EvalQuery['arguments'];

const DEFAULT_CITY = 'São Paulo';
const DEFAULT_RADIUS_METERS = 5000;
/** The service rounds distances to whole metres. */
const RADIUS_TOLERANCE_METERS = 1;
const EARTH_RADIUS_METERS = 6_371_000;

/**
 * Lists the constraints of a query that a record breaks, by name. Written only from the
 * contract and the feed, so that it shares no bug with the service.
 */
export function breaches(
  query: EvalQuery,
  id: number,
  catalog: EvalCatalog,
  now: number,
): string[] {
  const { arguments: args, tool } = query;
  const record = tool === 'products' ? catalog.products.get(id) : catalog.offers.get(id);
  if (record === undefined) return ['unknown record'];
  const broken: string[] = [];
  if (record.kind === 'offer' && !isPublic(record, now)) broken.push('not a public offer');
  if (record.kind === 'product' && args.in_stock_only !== false && record.in_stock === false)
    broken.push('out of stock');
  if (!fitsPlace(query, record, catalog)) broken.push('location');
  if (!fitsMerchant(args, record, catalog)) broken.push('merchant');
  if (!fitsPrice(args, record)) broken.push('price');
  if (record.kind === 'product' && !fitsCategory(args, record, catalog)) broken.push('category');
  return broken;
}

function isPublic(offer: FeedOffer, now: number): boolean {
  const { valid_from: from, valid_until: until } = offer;
  return (
    (offer.status ?? 'active') === 'active' &&
    !offer.app_only_top &&
    (from == null || Date.parse(from) <= now) &&
    (until == null || now < Date.parse(until))
  );
}

function fitsPlace(
  { arguments: args, place }: EvalQuery,
  record: FeedProduct | FeedOffer,
  catalog: EvalCatalog,
): boolean {
  // A payment offer without merchant is valid everywhere.
  if (record.merchant_id == null) return true;
  const unbound = [args.latitude, args.merchant, args.merchant_id].every((v) => v === undefined);
  const district = place?.district ?? args.district;
  const city =
    place?.city ?? args.city ?? (unbound || district !== undefined ? DEFAULT_CITY : undefined);
  if (city === undefined && district === undefined && args.latitude === undefined) return true;
  return (catalog.stores.get(record.merchant_id) ?? []).some(
    (store) =>
      (city === undefined || fold(store.city) === fold(city)) &&
      (district === undefined || fold(store.district) === fold(district)) &&
      isWithin(args, store),
  );
}

function isWithin(args: Arguments, store: FeedStore): boolean {
  const { latitude, longitude, radius_meters: radius = DEFAULT_RADIUS_METERS } = args;
  if (latitude === undefined || longitude === undefined) return true;
  if (store.latitude == null || store.longitude == null) return false;
  const here = { latitude, longitude };
  const there = { latitude: store.latitude, longitude: store.longitude };
  return distanceMeters(here, there) <= radius + RADIUS_TOLERANCE_METERS;
}

type Point = { latitude: number; longitude: number };

/** The great-circle distance of two points (haversine). */
export function distanceMeters(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half =
    Math.sin(radians(b.latitude - a.latitude) / 2) ** 2 +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(b.latitude)) *
      Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(half));
}

function fitsMerchant(
  args: Arguments,
  record: FeedProduct | FeedOffer,
  catalog: EvalCatalog,
): boolean {
  if (args.merchant === undefined && args.merchant_id === undefined) return true;
  const id = record.merchant_id;
  if (id == null) return false;
  if (args.merchant_id !== undefined && id !== args.merchant_id) return false;
  const name = fold(catalog.merchants.get(id)?.name ?? '');
  return args.merchant === undefined || name.includes(fold(args.merchant));
}

function fitsPrice({ min_price: min, max_price: max }: Arguments, record: FeedProduct | FeedOffer) {
  if (min === undefined && max === undefined) return true;
  if (record.price == null) return false;
  const reais = record.price.amount / 100;
  return reais >= (min ?? 0) && reais <= (max ?? Number.POSITIVE_INFINITY);
}

function fitsCategory({ category }: Arguments, product: FeedProduct, catalog: EvalCatalog) {
  if (category === undefined) return true;
  let id = product.category_id;
  while (id != null) {
    const above = catalog.categories.get(id);
    if (above === undefined) return false;
    if (String(id) === category || fold(above.name) === fold(category)) return true;
    id = above.parent_id;
  }
  return false;
}

function fold(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
