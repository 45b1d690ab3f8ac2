import type { ServiceInfo } from '../domain/surface.ts';
import {
  errorResponses,
  headers,
  type Json,
  jsonContent,
  pathParameter,
  ref,
} from './openapi-parts.ts';

/** The paths of the documents, the pages and the browser module. */
export function discoveryPaths(info: ServiceInfo): Json {
  return {
    '/gpt.json': resource('getCatalogManifest', 'Catalog manifest with live counts', {
      schema: 'CatalogManifest',
    }),
    '/llms.txt': resource('getLlmsText', 'Text guide for agents', { type: 'text/plain' }),
    '/openapi.json': resource('getOpenApiJson', 'This description as JSON', {
      type: 'application/json',
    }),
    '/api/openapi.yaml': resource('getOpenApiYaml', 'This description as YAML', {
      type: 'application/yaml',
    }),
    '/.well-known/mcp/server-card.json': resource('getServerCard', 'Card of the catalog server', {
      schema: 'ServerCard',
    }),
    '/.well-known/api-catalog': resource('getApiCatalog', 'API catalog (RFC 9727)', {
      schema: 'ApiCatalog',
      type: 'application/linkset+json',
    }),
    '/.well-known/security.txt': resource('getSecurityText', 'Security contact (RFC 9116)', {
      type: 'text/plain',
    }),
    '/robots.txt': resource('getRobotsText', 'Rules for crawlers', { type: 'text/plain' }),
    '/sitemap.xml': resource('getSitemapIndex', 'Sitemap index', { type: 'application/xml' }),
    '/sitemaps/offers/{part}': sitemapPart('offers'),
    ...(info.productPages ? { '/sitemaps/products/{part}': sitemapPart('products') } : {}),
    '/offers/{id}.md': page(
      'getOfferText',
      'The page of an offer as markdown',
      [offerId],
      MARKDOWN,
    ),
    '/offers/{id}': page('getOfferPage', 'Public HTML page of an offer', [offerId]),
    ...(info.productPages
      ? {
          '/products/{id}.md': page(
            'getProductText',
            'The page of a product as markdown',
            [productId],
            MARKDOWN,
          ),
          '/products/{id}': page('getProductPage', 'Public HTML page of a product', [productId]),
        }
      : {}),
    '/vitrine.js': resource('getBrowserModule', 'Browser module of this API', {
      type: 'text/javascript',
    }),
    '/vitrine-widgets.js': resource('getCounters', 'Counters for web pages, as custom elements', {
      type: 'text/javascript',
    }),
    '/vitrine-look.js': resource('getCountersLook', 'Words and looks of the counters', {
      type: 'text/javascript',
    }),
    '/vitrine-service.js': resource('getServiceModule', 'Name and links, for the counters', {
      type: 'text/javascript',
    }),
    '/vitrine.d.ts': resource('getBrowserModuleTypes', 'TypeScript types of the browser module', {
      type: 'text/plain',
    }),
    '/': page('getHomePage', 'What this is, for people'),
    '/widgets': page('getCountersPage', 'Counters for web pages, shown and explained'),
    '/docs': page('getReferencePage', 'This description as a page for people'),
  };
}

const int64: Json = { type: 'integer', format: 'int64' };
const offerId = pathParameter('id', 'The offer ID; negative for payment offers', int64, 50001);
const productId = pathParameter('id', 'The product ID', { ...int64, minimum: 1 }, 10001);
const MARKDOWN = 'text/markdown';

function sitemapPart(kind: 'offers' | 'products'): Json {
  const name = kind === 'offers' ? 'Offer' : 'Product';
  return resource(`get${name}Sitemap`, `One part of the sitemap of ${kind}`, {
    type: 'application/xml',
    parameters: [pathParameter('part', 'Which part, from 1', { type: 'integer', minimum: 1 }, 1)],
  });
}

function page(
  operationId: string,
  summary: string,
  parameters: Json[] = [],
  type = 'text/html',
): Json {
  return resource(operationId, summary, { type, parameters, withdrawn: true });
}

type Resource = {
  type?: string;
  schema?: string;
  parameters?: Json[];
  /** True when the page may have been published once and be gone. */
  withdrawn?: boolean;
};

/** A published file: GET and HEAD, with an entity tag. */
function resource(operationId: string, summary: string, options: Resource): Json {
  const { type = 'application/json', schema, parameters = [], withdrawn = false } = options;
  const fields = headers('Access-Control-Allow-Origin', 'Cache-Control', 'ETag', 'Last-Modified');
  const body =
    schema !== undefined
      ? ref('schemas', schema)
      : type === 'application/json'
        ? { type: 'object', additionalProperties: true }
        : { type: 'string' };
  const missing = errorResponses('NOT_FOUND', ...(withdrawn ? (['GONE'] as const) : []));
  const responses = {
    200: { description: summary, headers: fields, content: jsonContent(body, undefined, type) },
    304: { description: 'The content that If-None-Match names is current', headers: fields },
    ...missing,
    ...errorResponses('METHOD_NOT_ALLOWED'),
  };
  const shared = {
    tags: ['Discovery'],
    ...(parameters.length === 0 ? {} : { parameters }),
  };
  return { get: { operationId, summary, ...shared, responses } };
}
