import type { ServiceInfo } from '../domain/surface.ts';
import type { SitemapKind } from '../publish/site.ts';
import { headers } from './openapi-headers.ts';
import { errorResponses, type Json, jsonContent, ref, textContent } from './openapi-parts.ts';
import {
  FILE_HEADERS,
  type FileAnswer,
  notModifiedResponse,
  partResponse,
} from './openapi-responses.ts';

/** Returns the paths of documents, pages and the browser module. */
export function discoveryPaths(info: ServiceInfo): Json {
  return {
    '/gpt.json': file(
      'getCatalogManifest',
      'Catalog manifest with live counts',
      jsonContent('CatalogManifest'),
    ),
    '/llms.txt': file('getLlmsText', 'Text guide for agents', 'Text'),
    '/openapi.json': file('getOpenApiJson', 'This description as JSON', {
      'application/json': { schema: { type: 'object', additionalProperties: true } },
    }),
    '/api/openapi.yaml': file(
      'getOpenApiYaml',
      'This description as YAML',
      textContent('application/yaml'),
    ),
    '/.well-known/mcp/server-card.json': file(
      'getServerCard',
      'Card of the catalog server',
      jsonContent('ServerCard'),
    ),
    '/.well-known/api-catalog': file(
      'getApiCatalog',
      'API catalog (RFC 9727)',
      jsonContent('ApiCatalog', ['ApiCatalog'], 'application/linkset+json'),
      { link: true },
    ),
    '/.well-known/security.txt': file('getSecurityText', 'Security contact (RFC 9116)', 'Text'),
    '/robots.txt': file('getRobotsText', 'Rules for crawlers', 'Text'),
    '/ofertas.atom': file(
      'getOffersFeed',
      'Atom feed of the offers that changed or began last',
      textContent('application/atom+xml'),
    ),
    '/sitemap.xml': file('getSitemapIndex', 'Sitemap index', 'Xml'),
    '/sitemaps/lists/{part}': sitemapPart('lists'),
    '/sitemaps/offers/{part}': sitemapPart('offers'),
    ...(info.productPages ? { '/sitemaps/products/{part}': sitemapPart('products') } : {}),
    ...recordPages('offer'),
    ...(info.productPages ? recordPages('product') : {}),
    ...listPages(),
    '/buscar': { get: searchPage() },
    '/vitrine.js': file('getBrowserModule', 'Browser module of this API', 'Script'),
    '/vitrine-widgets.js': file(
      'getCounters',
      'Counters for web pages, as custom elements',
      'Script',
    ),
    '/vitrine-look.js': file('getCountersLook', 'Words and looks of the counters', 'Script'),
    '/vitrine-charts.js': file('getCountersCharts', 'What the counters are drawn of', 'Script'),
    '/vitrine-service.js': file('getServiceModule', 'Name and links, for the counters', 'Script'),
    '/vitrine-webmcp.js': file(
      'getWebMcpScript',
      'Opt-in WebMCP tool of a record’s page',
      'Script',
    ),
    '/vitrine.d.ts': file(
      'getBrowserModuleTypes',
      'TypeScript types of the browser module',
      'Text',
    ),
    '/': page('getHomePage', 'What this is, for people'),
    '/desenvolvedores': page('getDevelopersPage', 'How to connect an assistant, in Portuguese'),
    '/widgets': page('getCountersPage', 'Counters for web pages, shown and explained'),
    '/docs': page('getReferencePage', 'This description as a page for people'),
  };
}

/** Returns the paths of a record's page, in HTML and markdown. */
function recordPages(kind: 'offer' | 'product'): Json {
  const name = kind === 'offer' ? 'Offer' : 'Product';
  const parameters = [ref('parameters', `${name}PageId`)];
  return {
    [`/${kind}s/{id}`]: page(`get${name}Page`, `Public HTML page of one ${kind}`, parameters),
    [`/${kind}s/{id}.md`]: file(
      `get${name}Markdown`,
      `The page of one ${kind} as markdown`,
      'Markdown',
      { parameters, withdrawn: true },
    ),
  };
}

/** Returns the paths of list pages; a list of up to 60 entries has one page. */
function listPages(): Json {
  const further = (operationId: string, parameters: Json[]) =>
    page(operationId, 'A further page of that list', [
      ...parameters,
      ref('parameters', 'ListPage'),
    ]);
  const merchant = [ref('parameters', 'MerchantId')];
  const category = [ref('parameters', 'CategoryId')];
  const city = [ref('parameters', 'CitySlug')];
  const district = [...city, ref('parameters', 'DistrictSlug')];
  return {
    '/ofertas': page('getOffersPage', 'All current offers, the latest first'),
    '/ofertas/{page}': further('getFurtherOffersPage', []),
    ...directory('/lojas', 'Merchants', 'All merchants'),
    ...directory('/categorias', 'Categories', 'All categories'),
    ...directory('/cidades', 'Cities', 'All cities'),
    '/lojas/{merchantId}': page(
      'getMerchantPage',
      'A merchant: its stores, offers and products',
      merchant,
    ),
    '/lojas/{merchantId}/{page}': further('getFurtherMerchantPage', merchant),
    '/categorias/{categoryId}': page(
      'getCategoryPage',
      'A category: those below it, and its products',
      category,
    ),
    '/categorias/{categoryId}/{page}': further('getFurtherCategoryPage', category),
    '/cidades/{city}': page('getCityPage', 'A city: its districts and stores', city),
    '/cidades/{city}/{district}': page(
      'getDistrictPage',
      'The stores in a district; with a number in its place, a further page of the city',
      district,
    ),
    '/cidades/{city}/{district}/{page}': further('getFurtherDistrictPage', district),
  };
}

/** Returns the paths of a directory; one of up to 300 entries has one page. */
function directory(path: string, name: string, summary: string): Json {
  return {
    [path]: page(`get${name}Page`, `${summary}, by name`),
    [`${path}/pagina-{page}`]: page(`getFurther${name}Page`, 'A further page of that directory', [
      ref('parameters', 'ListPage'),
    ]),
  };
}

function searchPage(): Json {
  const content = textContent('text/html');
  const limited = headers('Retry-After', 'Vary');
  return {
    operationId: 'getSearchPage',
    tags: ['Discovery'],
    summary: 'Search page for people: offers, products and stores; with a quota of its own',
    parameters: [
      searchField('q', 'The words of a person, in any language', 'presente para quem corre'),
      searchField('cidade', 'City, as a hard constraint', 'São Paulo'),
      searchField('bairro', 'District, as a hard constraint', 'Pinheiros'),
      searchField('min', 'Lowest price in reais', '10'),
      searchField('max', 'Highest price in reais', '99,90'),
      searchField('ordem', 'Order of products: `menor-preco` or `maior-preco`', 'menor-preco'),
    ],
    responses: {
      200: {
        description: 'What was found, in the default city without another one',
        headers: headers('Vary'),
        content,
      },
      429: { description: 'Over the quota', headers: limited, content },
      503: { description: 'The database is away or too slow', headers: limited, content },
      ...errorResponses('NOT_FOUND', 'METHOD_NOT_ALLOWED'),
    },
  };
}

function searchField(name: string, description: string, example: string): Json {
  return { name, in: 'query', required: false, description, schema: { type: 'string' }, example };
}

function sitemapPart(kind: SitemapKind): Json {
  const name = { lists: 'List', offers: 'Offer', products: 'Product' }[kind];
  const parameters = [ref('parameters', 'SitemapPart')];
  return file(`get${name}Sitemap`, `One part of the sitemap of ${kind}`, 'Xml', { parameters });
}

function page(operationId: string, summary: string, parameters: Json[] = []): Json {
  return file(operationId, summary, 'Page', { parameters, withdrawn: true });
}

type FileOptions = {
  parameters?: Json[];
  /** True if the page may be withdrawn (410). */
  withdrawn?: boolean;
  /** True if the answer has a Link field. */
  link?: boolean;
};

/** Describes GET of a published file. */
function file(
  operationId: string,
  summary: string,
  answer: FileAnswer | Json,
  options: FileOptions = {},
): Json {
  const { link = false, withdrawn = false } = options;
  const fields = { ...FILE_HEADERS, ...(link ? headers('Link') : {}) };
  const responses = {
    200:
      typeof answer === 'string'
        ? ref('responses', answer)
        : { description: summary, headers: fields, content: answer },
    206: link ? partResponse(fields) : ref('responses', 'Part'),
    304: link ? notModifiedResponse(fields) : ref('responses', 'NotModified'),
    ...errorResponses('NOT_FOUND', ...(withdrawn ? (['GONE'] as const) : [])),
    ...errorResponses('METHOD_NOT_ALLOWED', 'RANGE_NOT_SATISFIABLE', 'INTERNAL_ERROR'),
  };
  const parameters = [...(options.parameters ?? []), ref('parameters', 'IfNoneMatch')];
  return { get: { operationId, tags: ['Discovery'], summary, parameters, responses } };
}
