import { escapeMarkdown } from '../../domain/escape.ts';
import { mapUrl, markdownLink } from '../../domain/links.ts';
import type {
  OfferDetail,
  OfferRecord,
  ProductDetail,
  ProductRecord,
  ShowcaseProductRecord,
  StoreRecord,
} from '../../domain/records.ts';
import { clockOf, dayOf, isDayBoundary } from '../../domain/validity.ts';

/** Further stores are only counted: chains have hundreds. */
const STORES_SHOWN = 30;

/** A record as a list item: link and `facts` for people, `notes` for models. */
export type Item = { link: string; url: string; name: string; facts: string[]; notes: string[] };

/** Makes the list item of a product in a search or the showcase. */
export function productItem(record: ProductRecord | ShowcaseProductRecord): Item {
  const { category, brand, availability } = record;
  return {
    name: record.name,
    url: record.product_url,
    link: record.product_link_markdown,
    facts: [...priceAndPlace(record), stock(availability)],
    notes: [
      `id ${record.id}`,
      ...(category === null ? [] : [`category ${escapeMarkdown(category.name)}`]),
      ...(brand === null ? [] : [`brand ${escapeMarkdown(brand)}`]),
      ...('match' in record ? [fitText(record)] : []),
    ],
  };
}

/** Makes the list item of an offer in a search. */
export function offerItem(record: OfferRecord): Item {
  const category = record.ai_category;
  return {
    name: record.title,
    url: record.offer_url,
    link: record.offer_link_markdown,
    facts: [...priceAndPlace(record), lastDay(record)],
    notes: [
      `id ${record.id}`,
      ...(record.is_payment_offer ? ['payment offer'] : []),
      ...(record.price_of === 'product' ? ["its product's price"] : []),
      ...(category === null ? [] : [`category ${escapeMarkdown(category)}`]),
      ...(record.product_link_markdown === undefined
        ? []
        : [`product ${record.product_link_markdown}`]),
      `quality ${record.quality_score}`,
      fitText(record),
    ],
  };
}

/** Writes the whole answer of get_product as markdown. */
export function productText(product: ProductDetail): string {
  const { category, list_price: listPrice, merchant } = product;
  return paragraphs([
    `${product.product_link_markdown} (product id ${product.id})`,
    list([
      `Price: ${product.price?.formatted ?? 'not given'}${listPrice === null ? '' : `, list price ${listPrice.formatted}`}`,
      `Availability: ${stock(product.availability)}`,
      `Sold by: ${escapeMarkdown(merchant.name)} (merchant id ${merchant.id})`,
      ...(category === null
        ? []
        : [`Category: ${escapeMarkdown(category.name)} (id ${category.id})`]),
      ...(product.brand === null ? [] : [`Brand: ${escapeMarkdown(product.brand)}`]),
      ...media(product),
      `Updated: ${dayOf(product.updated_at)}`,
    ]),
    labelled('Description', product.description),
    stores(product.stores, merchant.name),
  ]);
}

/** Writes the whole answer of get_offer as markdown. */
export function offerText(offer: OfferDetail): string {
  const { merchant, product_price: productPrice, product_link_markdown: product } = offer;
  const ofProduct =
    offer.price_of === 'product' ? ' (the price of its product)' : ' (of the offer)';
  const usual = productPrice === null ? '' : `, which costs ${productPrice.formatted} without it`;
  return paragraphs([
    `${offer.offer_link_markdown} (${offer.is_payment_offer ? 'payment ' : ''}offer id ${offer.id})`,
    list([
      `Price: ${offer.price?.formatted ?? 'not given'}${offer.price === null ? '' : ofProduct}`,
      ...(product === undefined ? [] : [`Product: ${product}${usual}`]),
      `Valid: ${offer.valid_from === null ? '' : `from ${dayOf(offer.valid_from)}, `}${lastDay(offer)}`,
      merchant === null
        ? 'Valid in all stores, whoever the merchant'
        : `Offered by: ${escapeMarkdown(merchant.name)} (merchant id ${merchant.id})`,
      ...(offer.ai_category === null ? [] : [`Category: ${escapeMarkdown(offer.ai_category)}`]),
      `Quality score: ${offer.quality_score}`,
      ...media(offer),
      `Updated: ${dayOf(offer.updated_at)}`,
    ]),
    labelled('Description and conditions', offer.description),
    labelled('More', offer.enriched_copy),
    merchant === null ? '' : stores(offer.stores, merchant.name),
  ]);
}

/** Joins paragraphs with empty lines between them; drops empty ones. */
export function paragraphs(parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Writes an unordered list. */
export function list(items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

type Listed = {
  price: { formatted: string } | null;
  merchant: { name: string } | null;
  nearest_store: ProductRecord['nearest_store'];
};

function priceAndPlace({ price, merchant, nearest_store: store }: Listed): string[] {
  const meters = store?.distance_meters;
  return [
    amount(price),
    ...(merchant === null ? ['in all stores'] : [escapeMarkdown(merchant.name)]),
    ...(store === null
      ? []
      : [[store.name, store.district, store.city].map(escapeMarkdown).join(', ')]),
    ...(meters === undefined ? [] : [`${formatDistance(meters)} away`]),
  ];
}

function stock(availability: ProductDetail['availability']): string {
  return availability === 'in_stock' ? 'in stock' : 'out of stock';
}

function amount(price: { formatted: string } | null): string {
  return price === null ? 'price not given' : price.formatted;
}

/** Writes the end of an offer in the mall's time zone, with the time only if it is not a day boundary. */
function lastDay({
  valid_until: until,
  last_valid_day: day,
}: Pick<OfferRecord, 'valid_until' | 'last_valid_day'>): string {
  if (until === null || day === null) return 'no end set';
  return isDayBoundary(until) ? `through ${day}` : `until ${day} ${clockOf(until)}`;
}

/** Describes how well a record matches the query, and what it lacks. */
function fitText({ match, missing = [], loose = [], score }: ProductRecord | OfferRecord): string {
  const quoted = (labels: string[]) =>
    labels.map((label) => `"${escapeMarkdown(label)}"`).join(', ');
  const lacks = [
    ...(missing.length === 0 ? [] : [`without ${quoted(missing)}`]),
    ...(loose.length === 0 ? [] : [`only loosely ${quoted(loose)}`]),
  ];
  const words = {
    exact: 'exact match',
    partial: ['partial match', ...lacks].join(', '),
    category_fallback: 'match by category only',
  };
  return `${words[match]} (score ${score})`;
}

function stores(all: StoreRecord[], merchant: string): string {
  if (all.length === 0) return `${escapeMarkdown(merchant)} lists no store.`;
  const items = all.slice(0, STORES_SHOWN).map((store) => {
    const place = [
      store.address,
      store.district,
      store.city,
      ...(store.state ? [store.state] : []),
    ];
    const map = mapUrl(store);
    const link = map === null ? '' : ` (${markdownLink('map', map)})`;
    return `${escapeMarkdown(store.name)} (store id ${store.id}): ${place.map(escapeMarkdown).join(', ')}${link}`;
  });
  const more = all.length - items.length;
  return `Stores:\n\n${list(more > 0 ? [...items, `${more} more stores`] : items)}`;
}

function labelled(label: string, text: string | null): string {
  const lines = (text ?? '')
    .split(/\n+/)
    .map(escapeMarkdown)
    .filter((line) => line !== '');
  return lines.length === 0 ? '' : `${label}: ${lines.join('\n\n')}`;
}

/** Lists pictures and videos by their alt text, without URLs: these belong to others. */
function media({ media: all }: Pick<ProductDetail, 'media'>): string[] {
  if (all.length === 0) return [];
  const shown = all.map(({ type, alt_text: alt }) =>
    alt === null ? type : `${type} (${escapeMarkdown(alt)})`,
  );
  return [`Media: ${shown.join(', ')}`];
}

function formatDistance(meters: number): string {
  return meters < 1000 ? `${meters} m` : `${(meters / 1000).toFixed(1)} km`;
}
