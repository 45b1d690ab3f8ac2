import type { Store } from './catalog.ts';
import { cleanLine, escapeMarkdown } from './escape.ts';

/** The only maker of canonical URLs and of markdown links to them. */
export type Links = {
  baseUrl: string;
  /** What they are made from, for another thread to make the same. */
  productUrlTemplate: string | null;
  /** An absolute URL of a path of this service. */
  to(path: string): string;
  product(id: number): string;
  offer(id: number): string;
  /** The canonical URLs with `{id}` in place of the id (RFC 6570). */
  templates: { product: string; offer: string };
};

/** Makes the canonical links; product pages may live elsewhere (PRODUCT_URL_TEMPLATE with `{id}`). */
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

/** A markdown link whose text is catalog text and whose target is a canonical URL. */
export function markdownLink(text: string, url: string): string {
  const target = url.replace(/[\s()<>\\]/g, (char) => TARGET_ESCAPES[char] ?? '%20');
  return `[${escapeMarkdown(text)}](${target})`;
}

/** A name short enough for a list: catalog names may be up to 300 characters long. */
export function shortName(name: string, limit = 120): string {
  const line = cleanLine(name);
  return line.length <= limit
    ? line
    : `${line
        .slice(0, limit - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** Whether an address is one of this service, and not a page of the mall's own. */
export function isOurs(url: string, baseUrl: string): boolean {
  return url.startsWith(`${baseUrl}/`);
}

/** Money as people in Brazil write it: R$ 1.299,90. */
export function formatMoney(amount: number, currency: string): string {
  const [whole = '0', cents = '00'] = (amount / 100).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.');
  return `${currency === 'BRL' ? 'R$' : currency} ${grouped},${cents}`;
}

/** The way to a store on a map: to its position, or to its address where nobody told that. */
export function directionsUrl(store: Store): string {
  const { latitude, longitude, address, district, city } = store;
  if (latitude !== null && longitude !== null) {
    return `https://www.openstreetmap.org/directions?to=${latitude}%2C${longitude}`;
  }
  const words = cleanLine([address, district, city].join(', '));
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(words)}`;
}

/** Sends a page to somebody, by a plain link. */
export function shareUrl(name: string, url: string): string {
  return `https://wa.me/?text=${encodeURIComponent(`${name} ${url}`)}`;
}

/** Where a map shows a store; null when nobody told its position. */
export function mapUrl({
  latitude,
  longitude,
}: Pick<Store, 'latitude' | 'longitude'>): string | null {
  if (latitude === null || longitude === null) return null;
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
}
