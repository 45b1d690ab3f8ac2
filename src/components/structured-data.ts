import type { Media, Money, Named, Store } from '../domain/catalog.ts';
import { cleanLine } from '../domain/escape.ts';
import { shortName } from '../domain/links.ts';
import { lastDay, safeUrl } from './format.ts';

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

/** schema.org Product with its Offer and seller; without a price a search engine wants no Product. */
export function productData(item: Item): object[] {
  const sellers = item.stores
    .slice(0, BUSINESSES)
    .map((store) => businessData(store, item.merchant));
  if (item.price === null) return sellers;
  const images = item.media.flatMap(({ type, url }) =>
    type === 'image' ? (safeUrl(url) ?? []) : [],
  );
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: cleanLine(item.name),
      url: item.url,
      ...(item.description === null
        ? {}
        : { description: shortName(item.description, DESCRIPTION_LENGTH) }),
      ...(item.brand === null ? {} : { brand: { '@type': 'Brand', name: cleanLine(item.brand) } }),
      ...(images.length === 0 ? {} : { image: images }),
      offers: {
        '@type': 'Offer',
        url: item.url,
        price: (item.price.amount / 100).toFixed(2),
        priceCurrency: item.price.currency,
        availability: `https://schema.org/${item.inStock ? 'InStock' : 'OutOfStock'}`,
        ...(item.validUntil === null ? {} : { priceValidUntil: lastDay(item.validUntil) }),
        ...(item.merchant === null
          ? {}
          : { seller: { '@type': 'Organization', name: cleanLine(item.merchant.name) } }),
      },
    },
    ...sellers,
  ];
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
