import type { Links } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { documentExamples } from './openapi-document-examples.ts';
import {
  errorResponses,
  headers,
  ifNoneMatch,
  type Json,
  jsonContent,
  notModified,
  pathParameter,
  ref,
} from './openapi-parts.ts';

/** The paths of the documents, the pages and the browser module. */
export function discoveryPaths(info: ServiceInfo, links: Links): Json {
  const examples = documentExamples(info, links);
  return {
    '/gpt.json': resource('getCatalogManifest', 'Catalog manifest with live counts', {
      schema: 'CatalogManifest',
      example: examples.manifest,
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
      example: examples.serverCard,
    }),
    '/.well-known/api-catalog': resource('getApiCatalog', 'API catalog (RFC 9727)', {
      schema: 'ApiCatalog',
      example: examples.apiCatalog,
      type: 'application/linkset+json',
      link: true,
    }),
    '/.well-known/security.txt': resource('getSecurityText', 'Security contact (RFC 9116)', {
      type: 'text/plain',
    }),
    '/robots.txt': resource('getRobotsText', 'Rules for crawlers', { type: 'text/plain' }),
    '/sitemap.xml': resource('getSitemapIndex', 'Sitemap index', { type: 'application/xml' }),
    '/sitemaps/offers/{part}': sitemapPart('offers'),
    ...(info.productPages ? { '/sitemaps/products/{part}': sitemapPart('products') } : {}),
    ...recordPages('offer', pathParameter('id', OFFER_ID, int64, 50001)),
    ...(info.productPages
      ? recordPages('product', pathParameter('id', 'The product ID', productId, 10001))
      : {}),
    '/buscar': { get: searchPage() },
    '/vitrine.js': resource('getBrowserModule', 'Browser module of this API', {
      type: 'text/javascript',
    }),
    '/vitrine-widgets.js': resource('getCounters', 'Counters for web pages, as custom elements', {
      type: 'text/javascript',
    }),
    '/vitrine-look.js': resource('getCountersLook', 'Words and looks of the counters', {
      type: 'text/javascript',
    }),
    '/vitrine-charts.js': resource('getCountersCharts', 'What the counters are drawn of', {
      type: 'text/javascript',
    }),
    '/vitrine-service.js': resource('getServiceModule', 'Name and links, for the counters', {
      type: 'text/javascript',
    }),
    '/vitrine-webmcp.js': resource('getWebMcpScript', 'Opt-in WebMCP tool of a record’s page', {
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
const productId: Json = { ...int64, minimum: 1 };
const OFFER_ID = 'The offer ID; negative for payment offers';

/** The page of a record, and the same content as markdown. */
function recordPages(kind: 'offer' | 'product', id: Json): Json {
  const name = kind === 'offer' ? 'Offer' : 'Product';
  return {
    [`/${kind}s/{id}`]: page(`get${name}Page`, `Public HTML page of one ${kind}`, [id]),
    [`/${kind}s/{id}.md`]: resource(`get${name}Markdown`, `The page of one ${kind} as markdown`, {
      type: 'text/markdown',
      parameters: [id],
      withdrawn: true,
    }),
  };
}

function searchPage(): Json {
  const content = { 'text/html': { schema: { type: 'string' } } };
  const limited = headers('Retry-After');
  return {
    operationId: 'getSearchPage',
    tags: ['Discovery'],
    summary: 'Search page for people, charged to the shared record quota',
    parameters: [
      {
        name: 'q',
        in: 'query',
        required: false,
        description: 'The words of a person, in any language',
        schema: { type: 'string' },
        example: 'presente para quem corre',
      },
    ],
    responses: {
      200: {
        description: 'What was found in the default city',
        headers: headers(),
        content,
      },
      429: { description: 'Over the record quota', headers: limited, content },
      500: { description: 'The database is away', headers: limited, content },
      ...errorResponses('NOT_FOUND', 'METHOD_NOT_ALLOWED'),
    },
  };
}

function sitemapPart(kind: 'offers' | 'products'): Json {
  const name = kind === 'offers' ? 'Offer' : 'Product';
  return resource(`get${name}Sitemap`, `One part of the sitemap of ${kind}`, {
    type: 'application/xml',
    parameters: [pathParameter('part', 'Which part, from 1', { type: 'integer', minimum: 1 }, 1)],
  });
}

function page(operationId: string, summary: string, parameters: Json[] = []): Json {
  return resource(operationId, summary, { type: 'text/html', parameters, withdrawn: true });
}

type Resource = {
  type?: string;
  schema?: string;
  example?: unknown;
  parameters?: Json[];
  /** True when the page may have been published once and be gone. */
  withdrawn?: boolean;
  /** True when a Link field names it. */
  link?: boolean;
};

/** A published file: GET and HEAD, with an entity tag. */
function resource(operationId: string, summary: string, options: Resource): Json {
  const { type = 'application/json', schema, example, withdrawn = false } = options;
  const parameters = [...(options.parameters ?? []), ifNoneMatch];
  const more = options.link ? (['Link'] as const) : [];
  const fields = headers('ETag', 'Last-Modified', 'Vary', 'CDN-Cache-Control', ...more);
  const body =
    schema !== undefined
      ? ref('schemas', schema)
      : type === 'application/json'
        ? { type: 'object', additionalProperties: true }
        : { type: 'string' };
  const missing = errorResponses('NOT_FOUND', ...(withdrawn ? (['GONE'] as const) : []));
  const responses = {
    200: { description: summary, headers: fields, content: jsonContent(body, example, type) },
    206: {
      description: 'The part of it that Range asks for, uncompressed',
      headers: { ...fields, ...headers('Content-Range') },
      content: { '*/*': { schema: { type: 'string' } } },
    },
    ...notModified(fields),
    ...missing,
    ...errorResponses('METHOD_NOT_ALLOWED', 'RANGE_NOT_SATISFIABLE', 'INTERNAL_ERROR'),
  };
  return { get: { operationId, tags: ['Discovery'], summary, parameters, responses } };
}
