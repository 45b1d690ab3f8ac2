import { OFFERS_FEED } from './lists.ts';
import type { ServiceInfo } from './surface.ts';

/** A document or page with a fixed path, unlike records, lists and sitemap parts. */
export type Resource = {
  path: string;
  /** What it depends on: the catalog or the date, or only templates and settings. */
  of: 'catalog' | 'templates';
  /** Its description in documents that list others; without one it is not listed. */
  description?: string;
  /** A template or an error page: not served under its own path. */
  isShell?: true;
};

/** The page template around search results. */
export const SEARCH_SHELL = '/search-shell';

/** The only table of these resources; publishing, listing, describing and serving use it. */
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
  {
    path: OFFERS_FEED,
    of: 'catalog',
    description: 'Atom feed of the offers that changed or began last',
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
  // Contains an expiry date.
  { path: '/.well-known/security.txt', of: 'catalog' },
  { path: '/robots.txt', of: 'templates' },
  { path: '/vitrine-service.js', of: 'templates' },
  { path: '/404', of: 'catalog', isShell: true },
  { path: '/410', of: 'catalog', isShell: true },
  { path: SEARCH_SHELL, of: 'templates', isShell: true },
];

/** Returns the paths of the resources with this dependency. */
export const pathsOf = (what: Resource['of']): string[] =>
  RESOURCES.filter(({ of }) => of === what).map(({ path }) => path);

const SHELLS = new Set(RESOURCES.filter(({ isShell }) => isShell).map(({ path }) => path));

/** Tells whether a path is a template or an error page. */
export const isShell = (path: string): boolean => SHELLS.has(path);

/** A document of the public surface, as other documents list it. */
type PublicDocument = { name: string; url: string; description: string };

/** Lists the documents of the public surface. */
export function listedDocuments({ baseUrl }: ServiceInfo): PublicDocument[] {
  return RESOURCES.flatMap(({ path, description }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return description === undefined ? [] : [{ name, url: baseUrl + path, description }];
  });
}
