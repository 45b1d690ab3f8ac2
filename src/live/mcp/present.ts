import type { Hit, Money, Offer, Product, Store } from '../../domain/catalog.ts';
import { cleanText, escapeMarkdown } from '../../domain/escape.ts';
import { formatMoney, type Links, markdownLink, shortName } from '../../domain/links.ts';
import type {
  OfferDetail,
  OfferRecord,
  ProductDetail,
  ProductRecord,
} from '../../domain/records.ts';

/** One block of a tool's answer: its text, or a link to a canonical page. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'resource_link'; uri: string; name: string; title: string; mimeType: 'text/html' };

/** What a record needs to stand in an answer: its link and the words behind it. */
export type Entry = { name: string; url: string; link: string; details: string[] };

function productFields(product: Product, links: Links, nameLetters?: number) {
  const name = shortName(product.name, nameLetters);
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
    merchant: { id: product.merchant.id, name: shortName(product.merchant.name, nameLetters) },
  };
}

/** A product as a search returns it, its names cut to so many letters, or to the usual number. */
export function productRecord(
  hit: Hit<Product>,
  links: Links,
  nameLetters?: number,
): ProductRecord {
  const fields = productFields(hit.record, links, nameLetters);
  const { category, brand } = fields;
  return {
    ...fields,
    category: category && { ...category, name: shortName(category.name, nameLetters) },
    brand: brand && shortName(brand, nameLetters),
    nearest_store: nearestStore(hit, nameLetters),
    match: hit.match,
    score: roundScore(hit.score),
  };
}

/** A product as get_product returns it. */
export function productDetail(product: Product, stores: Store[], links: Links): ProductDetail {
  return {
    ...productFields(product, links),
    description: product.description === null ? null : cleanText(product.description),
    list_price: price(product.listPrice),
    media: product.media,
    stores,
    updated_at: product.updatedAt,
  };
}

function offerFields(offer: Offer, links: Links, nameLetters?: number) {
  const title = shortName(offer.title, nameLetters);
  const url = links.offer(offer.id);
  const product = offer.product;
  return {
    id: offer.id,
    title,
    offer_url: url,
    offer_link_markdown: markdownLink(title, url),
    ai_category: offer.aiCategory,
    quality_score: offer.qualityScore,
    price: price(offer.price),
    merchant:
      offer.merchant === null
        ? null
        : { id: offer.merchant.id, name: shortName(offer.merchant.name, nameLetters) },
    ...(product === null
      ? {}
      : {
          product_url: links.product(product.id),
          product_link_markdown: markdownLink(
            shortName(product.name, nameLetters),
            links.product(product.id),
          ),
        }),
    valid_from: offer.validFrom,
    valid_until: offer.validUntil,
    is_payment_offer: offer.id < 0,
  };
}

/** An offer as a search returns it, its names cut to so many letters, or to the usual number. */
export function offerRecord(hit: Hit<Offer>, links: Links, nameLetters?: number): OfferRecord {
  const fields = offerFields(hit.record, links, nameLetters);
  return {
    ...fields,
    ai_category: fields.ai_category && shortName(fields.ai_category, nameLetters),
    nearest_store: nearestStore(hit, nameLetters),
    match: hit.match,
    score: roundScore(hit.score),
  };
}

/** An offer as get_offer returns it. */
export function offerDetail(offer: Offer, stores: Store[], links: Links): OfferDetail {
  return {
    ...offerFields(offer, links),
    description: offer.description === null ? null : cleanText(offer.description),
    enriched_copy: offer.enrichedCopy === null ? null : cleanText(offer.enrichedCopy),
    media: offer.media,
    stores,
    updated_at: offer.updatedAt,
  };
}

type PricedRecord = {
  price: { formatted: string } | null;
  merchant: { name: string } | null;
  nearest_store?: ProductRecord['nearest_store'];
};

/** A product record as an entry of a list. */
export function productEntry(record: ProductRecord | ProductDetail): Entry {
  const stock = record.availability === 'in_stock' ? [] : ['out of stock'];
  return {
    name: record.name,
    url: record.product_url,
    link: record.product_link_markdown,
    details: [...details(record), ...stock],
  };
}

/** An offer record as an entry of a list. */
export function offerEntry(record: OfferRecord | OfferDetail): Entry {
  const until = record.valid_until === null ? [] : [`until ${record.valid_until.slice(0, 10)}`];
  return {
    name: record.title,
    url: record.offer_url,
    link: record.offer_link_markdown,
    details: [...details(record), ...until],
  };
}

function details(record: PricedRecord): string[] {
  const store = record.nearest_store ?? null;
  const place = store === null ? [] : [escapeMarkdown(`${store.district}, ${store.city}`)];
  const meters = store?.distance_meters;
  const distance = meters === undefined ? [] : [formatDistance(meters)];
  return [
    ...(record.price === null ? [] : [record.price.formatted]),
    ...(record.merchant === null ? [] : [escapeMarkdown(record.merchant.name)]),
    ...place,
    ...distance,
  ];
}

/** The ready text of an answer: a numbered list of links that names the service. */
export function listMarkdown(service: string, entries: Entry[], messages: string[]): string {
  const notes = messages.map((message) => escapeMarkdown(message));
  if (entries.length === 0) return [`${service}: no results.`, ...notes].join('\n\n');
  const lines = entries.map((entry, index) => `${index + 1}. ${lineOf(entry)}`);
  return [`Results from ${service}:`, lines.join('\n'), ...notes].join('\n\n');
}

/** The ready text of a single record. */
export function detailMarkdown(service: string, entry: Entry, description: string | null): string {
  const text = description === null ? [] : [escapeMarkdown(description)];
  return [lineOf(entry), ...text, `Source: ${service}`].join('\n\n');
}

function lineOf({ link, details: parts }: Entry): string {
  return [link, ...parts].join(' — ');
}

/** The content of an answer: the text, then a link to each record's canonical page. */
export function contentBlocks(markdown: string, entries: Entry[]): ContentBlock[] {
  return [
    { type: 'text', text: markdown },
    ...entries.map(
      (entry): ContentBlock => ({
        type: 'resource_link',
        uri: entry.url,
        name: entry.name,
        title: entry.name,
        mimeType: 'text/html',
      }),
    ),
  ];
}

function price(money: Money | null) {
  return money === null ? null : { ...money, formatted: formatMoney(money.amount, money.currency) };
}

function nearestStore(
  { nearestStore: store }: Hit<unknown>,
  nameLetters?: number,
): ProductRecord['nearest_store'] {
  if (store === null) return null;
  const { id, latitude, longitude, distanceMeters } = store;
  const short = (name: string) => shortName(name, nameLetters);
  const record = {
    ...{ id, name: short(store.name), district: short(store.district), city: short(store.city) },
    ...{ latitude, longitude },
  };
  return distanceMeters === null
    ? record
    : { ...record, distance_meters: Math.round(distanceMeters) };
}

function roundScore(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000;
}

function formatDistance(meters: number): string {
  return meters < 1000 ? `${meters} m` : `${(meters / 1000).toFixed(1)} km`;
}
