/** The version of the public description and surface. */
export const API_VERSION = '1.2.0';
/** The default MCP version. */
export const PROTOCOL_VERSION = '2025-06-18';
/** The MCP versions that `initialize` negotiates. */
export const SUPPORTED_PROTOCOL_VERSIONS = ['2025-06-18', '2025-03-26'] as const;
/**
 * The MCP versions that requests after `initialize` may name. 2025-11-25 has the same wire format for all that is
 * served, and some clients keep naming it after negotiating an older one.
 */
export const REQUEST_PROTOCOL_VERSIONS = ['2025-11-25', ...SUPPORTED_PROTOCOL_VERSIONS] as const;
/** The MCP version whose requests carry the version themselves instead of a handshake. */
export const MODERN_PROTOCOL_VERSION = '2026-07-28';

/** The declared capabilities: only what is served; no `listChanged`, since no list changes. */
export const MCP_CAPABILITIES = { tools: {}, resources: {}, completions: {} };

/** The most records that one search returns. */
export const MAX_SEARCH_RECORDS = 20;
/** The most products that the showcase returns. */
export const SHOWCASE_SIZE = 20;
/** How long all clients get the same showcase. */
export const SHOWCASE_PERIOD_SECONDS = 300;
/** The largest request body accepted. */
export const MAX_BODY_BYTES = 65_536;
/** How long any cache may keep a statistics answer; nothing older is ever shown. */
export const STATS_CACHE_SECONDS = 30;
/**
 * CDN-Cache-Control (RFC 9213), sent to shared caches beside Cache-Control: statistics are never served stale;
 * pages may be for a day while the origin fails.
 */
export const STATS_CDN_CACHE = `public, max-age=${STATS_CACHE_SECONDS}, must-revalidate`;
/** How long any cache may keep a page or a document. */
export const PAGE_CACHE_SECONDS = 300;
export const PAGE_CDN_CACHE = `public, max-age=${PAGE_CACHE_SECONDS}, stale-while-revalidate=3600, stale-if-error=86400`;
/** How long any cache may keep the discovery document of the catalog server. */
export const DISCOVERY_CACHE_SECONDS = 300;

/** What every document states about the service: names, limits and addresses. */
export type ServiceInfo = {
  name: string;
  baseUrl: string;
  defaultCity: string;
  productPages: boolean;
  limits: {
    product_stats_requests_per_hour: number;
    merchant_stats_requests_per_hour: number;
    catalog_records_per_minute: number;
    mcp_requests_per_minute: number;
    records_per_search: number;
    showcase_records: number;
  };
};

/** A machine-readable endpoint, as documents list it. */
export type Endpoint = {
  name: string;
  method: 'GET' | 'POST';
  url: string;
  description: string;
  cache_seconds: number;
};

/** Returns a one-sentence description of the service for documents that introduce it. */
export function describeService(info: ServiceInfo): string {
  return `${info.name} is the public, read-only statistics and catalog service of a local-commerce mall: products, offers, prices, merchants and store locations (default city ${info.defaultCity}), with live view and reaction counts.`;
}

/** Lists the machine-readable endpoints of the public surface. */
export function endpoints(info: ServiceInfo): Endpoint[] {
  const at = (path: string) => info.baseUrl + path;
  return [
    {
      name: 'product_stats',
      method: 'GET',
      url: at('/api/public/v1/products/{productId}/stats'),
      description: 'View, like and dislike counts of one product',
      cache_seconds: STATS_CACHE_SECONDS,
    },
    {
      name: 'merchant_stats',
      method: 'GET',
      url: at('/api/public/v1/merchants/{merchantId}/stats'),
      description:
        'Views of one merchant in the rolling 24 hours, compared with the latest daily snapshot',
      cache_seconds: STATS_CACHE_SECONDS,
    },
    {
      name: 'catalog_server',
      method: 'POST',
      url: at('/mcp'),
      description: 'Catalog server for agents: JSON-RPC 2.0 over Streamable HTTP (MCP)',
      cache_seconds: 0,
    },
    {
      name: 'catalog_server_discovery',
      method: 'GET',
      url: at('/mcp'),
      description: 'Discovery document of the catalog server',
      cache_seconds: DISCOVERY_CACHE_SECONDS,
    },
    {
      name: 'showcase',
      method: 'GET',
      url: at('/gpt/products.json?limit={n}'),
      description: `Non-paginated sample of at most ${SHOWCASE_SIZE} rotating products`,
      cache_seconds: 0,
    },
  ];
}

/**
 * The Content-Security-Policy of pages. They load only images and run only scripts of the service itself (the
 * counters of /widgets); data blocks are not scripts. `connect-src` is for audit tools, which fetch robots.txt in
 * the page's name.
 */
const PAGE_POLICY =
  "default-src 'none'; img-src https: http: 'self'; style-src 'unsafe-inline'; font-src 'self'; script-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Header fields of published pages and of 404 and 410; nginx.conf and the search page send the same. */
export const PAGE_HEADERS = { 'content-security-policy': PAGE_POLICY };
