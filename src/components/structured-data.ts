import type { Media, Money, Named } from '../domain/catalog.ts';
import { cleanLine } from '../domain/escape.ts';
import { type Links, shortName } from '../domain/links.ts';
import { merchantPath } from '../domain/lists.ts';
import { lastDay } from '../domain/validity.ts';
import type { ShownStore } from '../publish/site.ts';
import { safeUrl } from './format.ts';

/** Enough for a search result; the page itself carries the whole text and every store. */
const DESCRIPTION_LENGTH = 500;
const STORES = 10;

/** A step of a page's trail. */
export type Step = { name: string; url: string };

type Item = {
  name: string;
  url: string;
  description: string;
  brand: string | null;
  category: string | null;
  media: Media[];
  price: Money | null;
  /** How many have to be taken for that price. */
  quantity: number;
  inStock: boolean;
  validFrom: string | null;
  validUntil: string | null;
  merchant: Named | null;
  stores: ShownStore[];
};

/**
 * schema.org Product with its Offer, seller and stores, which refer to each other by `@id`. Search engines want no
 * Product without a price: without one there is none.
 */
export function recordGraph(item: Item, links: Links): object[] {
  const { merchant } = item;
  const stores = item.stores.slice(0, STORES).map((store) => storeNode(store, merchant, links));
  const seller =
    merchant === null
      ? []
      : [
          {
            '@type': 'Organization',
            '@id': merchantId(merchant, links),
            name: cleanLine(merchant.name),
            url: links.to(merchantPath(merchant.id)),
          },
        ];
  return item.price === null
    ? [...seller, ...stores]
    : [productNode(item, item.price, links), ...seller, ...stores];
}

function productNode(item: Item, price: Money, links: Links): object {
  const { name, url, brand, category, media } = item;
  const image = media.flatMap(({ type, url: address }) =>
    type === 'image' ? (safeUrl(address) ?? []) : [],
  );
  return {
    '@type': 'Product',
    '@id': `${url}#produto`,
    name: cleanLine(name),
    url,
    description: shortName(item.description, DESCRIPTION_LENGTH),
    ...(image.length === 0 ? {} : { image }),
    ...(brand === null ? {} : { brand: { '@type': 'Brand', name: cleanLine(brand) } }),
    ...(category === null ? {} : { category: cleanLine(category) }),
    offers: offerNode(item, price, links),
  };
}

function offerNode(item: Item, price: Money, links: Links): object {
  const { url, merchant, quantity, validFrom, validUntil } = item;
  const stores = item.stores.slice(0, STORES);
  return {
    '@type': 'Offer',
    '@id': `${url}#oferta`,
    url,
    price: (price.amount / 100).toFixed(2),
    priceCurrency: price.currency,
    ...(quantity === 1
      ? {}
      : { eligibleQuantity: { '@type': 'QuantitativeValue', minValue: quantity } }),
    availability: `https://schema.org/${item.inStock ? 'InStock' : 'OutOfStock'}`,
    ...(validFrom === null ? {} : { validFrom }),
    ...(validUntil === null ? {} : { priceValidUntil: lastDay(validUntil) }),
    ...(merchant === null ? {} : { seller: { '@id': merchantId(merchant, links) } }),
    ...(stores.length === 0
      ? {}
      : { availableAtOrFrom: stores.map(({ id }) => ({ '@id': storeId(id, links) })) }),
  };
}

const merchantId = ({ id }: Named, { to }: Links) => to(`${merchantPath(id)}#lojista`);
const storeId = (id: number, { to }: Links) => to(`/#loja-${id}`);

function storeNode(store: ShownStore, merchant: Named | null, links: Links): object {
  const { phone, openingHours } = store;
  return {
    '@type': 'Store',
    '@id': storeId(store.id, links),
    name: cleanLine(store.name),
    ...(merchant === null ? {} : { parentOrganization: { '@id': merchantId(merchant, links) } }),
    ...(phone === null ? {} : { telephone: phone }),
    ...(openingHours === null ? {} : { openingHours: cleanLine(openingHours) }),
    address: {
      '@type': 'PostalAddress',
      streetAddress: cleanLine(store.address),
      addressLocality: cleanLine(store.city),
      ...(store.state === null ? {} : { addressRegion: cleanLine(store.state) }),
      addressCountry: 'BR',
    },
    ...(store.latitude === null
      ? {}
      : {
          geo: {
            '@type': 'GeoCoordinates',
            latitude: store.latitude,
            longitude: store.longitude,
          },
        }),
  };
}

/** schema.org BreadcrumbList of a page's trail, the page itself included. */
export function breadcrumbData(trail: Step[]): object {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: cleanLine(name),
      item: url,
    })),
  };
}
