import type { Media, Money, Named } from '../domain/catalog.ts';
import { cleanLine } from '../domain/escape.ts';
import { type Links, shortName } from '../domain/links.ts';
import { merchantPath, storePath } from '../domain/lists.ts';
import { lastDay } from '../domain/validity.ts';
import type { ShownStore } from '../publish/site.ts';
import { safeUrl } from './format.ts';

/** Limits that suffice for search results; the page has the whole text and every store. */
const DESCRIPTION_LENGTH = 500;
const STORES = 10;

/** A step of the breadcrumb trail. */
export type Step = { name: string; url: string };

type Item = {
  name: string;
  url: string;
  description: string;
  brand: string | null;
  category: string | null;
  media: Media[];
  price: Money | null;
  /** Minimum quantity for that price. */
  quantity: number;
  inStock: boolean;
  validFrom: string | null;
  validUntil: string | null;
  merchant: Named | null;
  stores: ShownStore[];
};

/**
 * Returns schema.org Product, Offer, seller and stores, linked by `@id`. Without a price there is no Product: search
 * engines reject it.
 */
export function recordGraph(item: Item, links: Links): object[] {
  const { merchant, price, stores } = item;
  const seller = merchant === null ? [] : merchantGraph(merchant, stores, links);
  return price === null ? seller : [productNode(item, price, links), ...seller];
}

/** Returns the schema.org Organization of a merchant, and its stores. */
export function merchantGraph(merchant: Named, stores: ShownStore[], links: Links): object[] {
  const organization = {
    '@type': 'Organization',
    '@id': merchantId(merchant, links),
    name: cleanLine(merchant.name),
    url: links.to(merchantPath(merchant.id)),
  };
  const shown = stores.slice(0, STORES);
  return [organization, ...shown.map((store) => storeNode(store, merchant, links))];
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
    ...(merchant === null ? {} : sellerOf(merchant, item.stores, links)),
  };
}

/** Returns references to the seller and its stores. */
function sellerOf(merchant: Named, stores: ShownStore[], links: Links): object {
  const at = stores.slice(0, STORES).map(({ id }) => ({ '@id': storeId(id, merchant, links) }));
  return {
    seller: { '@id': merchantId(merchant, links) },
    ...(at.length === 0 ? {} : { availableAtOrFrom: at }),
  };
}

const merchantId = ({ id }: Named, { to }: Links) => to(`${merchantPath(id)}#lojista`);
const storeId = (id: number, merchant: Named, { to }: Links) => to(storePath(merchant.id, id));

function storeNode(store: ShownStore, merchant: Named, links: Links): object {
  const { phone, openingHours } = store;
  return {
    '@type': 'Store',
    '@id': storeId(store.id, merchant, links),
    name: cleanLine(store.name),
    parentOrganization: { '@id': merchantId(merchant, links) },
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

/** Returns the schema.org BreadcrumbList of a trail, the page itself included. */
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
