import type { Hit, Money, Offer, Product, Store } from '../../domain/catalog.ts';
import { cleanText } from '../../domain/escape.ts';
import { formatMoney, type Links, markdownLink, shortName } from '../../domain/links.ts';
import type {
  OfferDetail,
  OfferRecord,
  ProductDetail,
  ProductRecord,
  ShowcaseProductRecord,
} from '../../domain/records.ts';
import { lastDay } from '../../domain/validity.ts';

/** Limits per record in a list: letters of a name, and labels of the query parts that it lacks. */
export type Room = { letters: number; parts: number };

/** The usual limits. */
export const USUAL_ROOM: Room = { letters: 300, parts: 4 };

/** Makes the wire record of a product in a search. */
export function productRecord(
  hit: Hit<Product>,
  links: Links,
  room: Room = USUAL_ROOM,
): ProductRecord {
  return { ...listedProduct(hit, links, room), ...matching(hit, room) };
}

/** Makes the wire record of a showcase product, with the first store of its merchant. */
export function showcaseProduct(
  product: Product,
  store: Store | null,
  links: Links,
): ShowcaseProductRecord {
  const nearest = store === null ? null : { ...store, distanceMeters: null };
  return listedProduct({ record: product, nearestStore: nearest }, links, USUAL_ROOM);
}

/** Makes the wire record of get_product. */
export function productDetail(product: Product, stores: Store[], links: Links): ProductDetail {
  return {
    ...productFields(product, links, USUAL_ROOM),
    description: product.description === null ? null : cleanText(product.description),
    list_price: price(product.listPrice),
    media: product.media,
    stores,
    updated_at: product.updatedAt,
  };
}

/** Makes the wire record of an offer in a search. */
export function offerRecord(hit: Hit<Offer>, links: Links, room: Room = USUAL_ROOM): OfferRecord {
  const fields = offerFields(hit.record, links, room);
  return {
    ...fields,
    ai_category: fields.ai_category && shortName(fields.ai_category, room.letters),
    nearest_store: nearestStore(hit, room),
    ...matching(hit, room),
  };
}

/** Makes the wire record of get_offer. */
export function offerDetail(offer: Offer, stores: Store[], links: Links): OfferDetail {
  return {
    ...offerFields(offer, links, USUAL_ROOM),
    product_price: price(offer.productPrice),
    description: offer.description === null ? null : cleanText(offer.description),
    enriched_copy: offer.enrichedCopy === null ? null : cleanText(offer.enrichedCopy),
    media: offer.media,
    stores,
    updated_at: offer.updatedAt,
  };
}

function productFields(product: Product, links: Links, { letters }: Room) {
  const name = shortName(product.name, letters);
  const url = links.product(product.id);
  return {
    id: product.id,
    name,
    product_url: url,
    product_link_markdown: markdownLink(name, url),
    category: product.category,
    brand: product.brand,
    price: price(product.price),
    availability: product.inStock ? ('in_stock' as const) : ('out_of_stock' as const),
    merchant: { id: product.merchant.id, name: shortName(product.merchant.name, letters) },
  };
}

/** Makes the wire record of a product in a list, with all names shortened. */
function listedProduct(
  { record, nearestStore: nearest }: Pick<Hit<Product>, 'record' | 'nearestStore'>,
  links: Links,
  room: Room,
): ShowcaseProductRecord {
  const fields = productFields(record, links, room);
  const { category, brand } = fields;
  return {
    ...fields,
    category: category && { ...category, name: shortName(category.name, room.letters) },
    brand: brand && shortName(brand, room.letters),
    nearest_store: nearestStore({ nearestStore: nearest }, room),
  };
}

function offerFields(offer: Offer, links: Links, { letters }: Room) {
  const title = shortName(offer.title, letters);
  const url = links.offer(offer.id);
  const { product, merchant } = offer;
  return {
    id: offer.id,
    title,
    offer_url: url,
    offer_link_markdown: markdownLink(title, url),
    ai_category: offer.aiCategory,
    quality_score: offer.qualityScore,
    price: price(offer.price),
    price_of: priceOf(offer),
    merchant: merchant && { id: merchant.id, name: shortName(merchant.name, letters) },
    ...(product === null
      ? {}
      : {
          product_url: links.product(product.id),
          product_link_markdown: markdownLink(
            shortName(product.name, letters),
            links.product(product.id),
          ),
        }),
    valid_from: offer.validFrom,
    valid_until: offer.validUntil,
    last_valid_day: offer.validUntil === null ? null : lastDay(offer.validUntil),
    is_payment_offer: offer.id < 0,
  };
}

function priceOf({ price: amount, hasOwnPrice }: Offer): 'offer' | 'product' | null {
  if (amount === null) return null;
  return hasOwnPrice ? 'offer' : 'product';
}

function price(money: Money | null) {
  return money === null ? null : { ...money, formatted: formatMoney(money.amount, money.currency) };
}

function matching({ match, missing, loose, score }: Hit<unknown>, { letters, parts }: Room) {
  const short = (labels: string[]) =>
    labels.slice(0, parts).map((label) => shortName(label, letters));
  return {
    match,
    ...(match === 'partial' && parts > 0 && missing.length > 0 ? { missing: short(missing) } : {}),
    ...(match === 'partial' && parts > 0 && loose.length > 0 ? { loose: short(loose) } : {}),
    score: Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000,
  };
}

function nearestStore(
  { nearestStore: store }: Pick<Hit<unknown>, 'nearestStore'>,
  { letters }: Room,
): ProductRecord['nearest_store'] {
  if (store === null) return null;
  const { id, latitude, longitude, distanceMeters } = store;
  const short = (name: string) => shortName(name, letters);
  const record = {
    ...{ id, name: short(store.name), district: short(store.district), city: short(store.city) },
    ...{ latitude, longitude },
  };
  return distanceMeters === null
    ? record
    : { ...record, distance_meters: Math.round(distanceMeters) };
}
