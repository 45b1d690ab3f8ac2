import type { Store } from './catalog.ts';
import { cleanLine, escapeMarkdown } from './escape.ts';

/** Builds canonical URLs; the only place that does. */
export type Links = {
  baseUrl: string;
  /** Kept so that a worker thread can build the same links. */
  productUrlTemplate: string | null;
  /** Returns the absolute URL of a path of this service. */
  to(path: string): string;
  product(id: number): string;
  offer(id: number): string;
  /** The canonical URLs with `{id}` in place of the id (RFC 6570). */
  templates: { product: string; offer: string };
};

/** Makes the link builder; PRODUCT_URL_TEMPLATE (with `{id}`) points product links to another site. */
export function makeLinks(baseUrl: string, productUrlTemplate: string | null): Links {
  const to = (path: string) => baseUrl + path;
  const templates = {
    product: productUrlTemplate ?? to('/products/{id}'),
    offer: to('/offers/{id}'),
  };
  return {
    baseUrl,
    productUrlTemplate,
    to,
    product: (id) => templates.product.replaceAll('{id}', String(id)),
    offer: (id) => templates.offer.replaceAll('{id}', String(id)),
    templates,
  };
}

const TARGET_ESCAPES: Record<string, string> = {
  '(': '%28',
  ')': '%29',
  '<': '%3C',
  '>': '%3E',
  '\\': '%5C',
};

/** Returns a markdown link with catalog text as its text and a canonical URL as its target. */
export function markdownLink(text: string, url: string): string {
  const target = url.replace(/[\s()<>\\]/g, (char) => TARGET_ESCAPES[char] ?? '%20');
  return `[${escapeMarkdown(text)}](${target})`;
}

/** Shortens a name for lists: catalog names may have up to 300 characters. */
export function shortName(name: string, limit = 120): string {
  const line = cleanLine(name);
  return line.length <= limit
    ? line
    : `${line
        .slice(0, limit - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** Tells whether a URL belongs to this service rather than to the mall's own site. */
export function isOurs(url: string, baseUrl: string): boolean {
  return url.startsWith(`${baseUrl}/`);
}

/** Formats minor units in the Brazilian way: R$ 1.299,90. */
export function formatMoney(amount: number, currency: string): string {
  const [whole = '0', cents = '00'] = (amount / 100).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.');
  return `${currency === 'BRL' ? 'R$' : currency} ${grouped},${cents}`;
}

/** Returns directions to a store: to its coordinates, or to its address when it has none. */
export function directionsUrl(store: Store): string {
  const { latitude, longitude, address, district, city } = store;
  if (latitude !== null && longitude !== null) {
    return `https://www.openstreetmap.org/directions?to=${latitude}%2C${longitude}`;
  }
  const words = cleanLine([address, district, city].join(', '));
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(words)}`;
}

/** Returns a WhatsApp link that shares a page, without any script. */
export function shareUrl(name: string, url: string): string {
  return `https://wa.me/?text=${encodeURIComponent(`${name} ${url}`)}`;
}

/** Returns the store's position on a map; null without coordinates. */
export function mapUrl({
  latitude,
  longitude,
}: Pick<Store, 'latitude' | 'longitude'>): string | null {
  if (latitude === null || longitude === null) return null;
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
}
