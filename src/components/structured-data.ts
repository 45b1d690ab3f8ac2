import type { Media, Money, Named, Store } from '../domain/catalog.ts';
import { cleanLine } from '../domain/escape.ts';
import { shortName } from '../domain/links.ts';
import { lastDay } from '../domain/validity.ts';
import { safeUrl } from './format.ts';

/** Enough for a search result; the page itself carries the whole text and every store. */
const DESCRIPTION_LENGTH = 500;
const BUSINESSES = 10;

type Item = {
  name: string;
  url: string;
  description: string | null;
  brand: string | null;
  media: Media[];
  price: Money | null;
  inStock: boolean;
  validUntil: string | null;
  merchant: Named | null;
  stores: Store[];
};

/**
 * schema.org Product with its Offer and seller. Search engines want no Product without a price or a
 * picture: without a picture the Offer stands alone, without a price there is none.
 */
export function productData(item: Item): object[] {
  const { name, url, price, brand, media, merchant, validUntil } = item;
  const sellers = item.stores.slice(0, BUSINESSES).map((store) => businessData(store, merchant));
  if (price === null) return sellers;
  const named = {
    name: cleanLine(name),
    url,
    ...(item.description === null
      ? {}
      : { description: shortName(item.description, DESCRIPTION_LENGTH) }),
  };
  const offer = {
    '@type': 'Offer',
    url,
    price: (price.amount / 100).toFixed(2),
    priceCurrency: price.currency,
    availability: `https://schema.org/${item.inStock ? 'InStock' : 'OutOfStock'}`,
    ...(validUntil === null ? {} : { priceValidUntil: lastDay(validUntil) }),
    ...(merchant === null
      ? {}
      : { seller: { '@type': 'Organization', name: cleanLine(merchant.name) } }),
  };
  const image = media.flatMap(({ type, url: address }) =>
    type === 'image' ? (safeUrl(address) ?? []) : [],
  );
  const context = { '@context': 'https://schema.org' };
  if (image.length === 0) return [{ ...context, ...offer, ...named }, ...sellers];
  const made = brand === null ? {} : { brand: { '@type': 'Brand', name: cleanLine(brand) } };
  return [{ ...context, '@type': 'Product', ...named, ...made, image, offers: offer }, ...sellers];
}

function businessData(store: Store, merchant: Named | null): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    name: cleanLine(store.name),
    ...(merchant === null
      ? {}
      : { parentOrganization: { '@type': 'Organization', name: cleanLine(merchant.name) } }),
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

/** schema.org BreadcrumbList of a page's trail. */
export function breadcrumbData(trail: { name: string; url: string }[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: cleanLine(name),
      item: url,
    })),
  };
}
