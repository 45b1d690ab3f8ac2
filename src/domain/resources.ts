import type { ServiceInfo } from './surface.ts';

/** A document or page that is published at an address of its own, beside records, lists and parts of the sitemap. */
export type Resource = {
  path: string;
  /** What it depends on: the catalog or the day, or no more than templates and settings. */
  of: 'catalog' | 'templates';
  /** How documents that list others describe it; those without one are not listed. */
  description?: string;
  /** It stands around or in place of other pages, and is not served by itself. */
  isShell?: true;
};

/** The page around the results of a search. */
export const SEARCH_SHELL = '/search-shell';

/** The one table of these resources: what publishes, lists, describes or serves them goes by it. */
export const RESOURCES: readonly Resource[] = [
  { path: '/', of: 'catalog' },
  { path: '/llms.txt', of: 'catalog', description: 'Text guide for agents' },
  {
    path: '/gpt.json',
    of: 'catalog',
    description: 'Catalog manifest with live counts and endpoint metadata',
  },
  { path: '/docs', of: 'templates', description: 'Reference of the API, for people' },
  {
    path: '/widgets',
    of: 'catalog',
    description: 'Counters for web pages, and the browser module',
  },
  { path: '/desenvolvedores', of: 'catalog' },
  {
    path: '/openapi.json',
    of: 'templates',
    description: 'API description, OpenAPI 3.0, as JSON',
  },
  {
    path: '/api/openapi.yaml',
    of: 'templates',
    description: 'The same API description as YAML',
  },
  { path: '/sitemap.xml', of: 'catalog', description: 'Sitemap index' },
  {
    path: '/.well-known/mcp/server-card.json',
    of: 'templates',
    description: 'Card of the catalog server (MCP)',
  },
  {
    path: '/.well-known/api-catalog',
    of: 'templates',
    description: 'API catalog (RFC 9727)',
  },
  // It says until when it is valid.
  { path: '/.well-known/security.txt', of: 'catalog' },
  { path: '/robots.txt', of: 'templates' },
  { path: '/vitrine-service.js', of: 'templates' },
  { path: '/404', of: 'catalog', isShell: true },
  { path: '/410', of: 'catalog', isShell: true },
  { path: SEARCH_SHELL, of: 'templates', isShell: true },
];

/** The paths of the resources that depend on this. */
export const pathsOf = (what: Resource['of']): string[] =>
  RESOURCES.filter(({ of }) => of === what).map(({ path }) => path);

/** True for a page that stands around or in place of others. */
export const isShell = (path: string): boolean =>
  RESOURCES.some((resource) => resource.path === path && resource.isShell);

/** A document of the public surface, as others list it. */
type PublicDocument = { name: string; url: string; description: string };

/** The documents of the public surface, for people and machines. */
export function listedDocuments({ baseUrl }: ServiceInfo): PublicDocument[] {
  return RESOURCES.flatMap(({ path, description }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return description === undefined ? [] : [{ name, url: baseUrl + path, description }];
  });
}
