import type { Links } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { USAGE } from '../domain/usage.ts';
import { apiCatalog, catalogManifest, serverCard, type ToolSummary } from './manifest.ts';
import type { Json } from './openapi-parts.ts';

const TOOLS: ToolSummary[] = [
  {
    name: 'get_offer',
    title: 'Get offer',
    description: 'Returns the offer with a known ID',
  },
];

const counts = {
  products: 680,
  products_in_stock: 641,
  offers: 152,
  merchants: 67,
  stores: 81,
  cities: 3,
  districts: 34,
  categories: 48,
};

/** Returns the documents of a small catalog, by schema name. */
export function documentExamples(info: ServiceInfo, links: Links): Json {
  const site = { info, links, counts, updatedAt: '2026-11-21T12:00:00.000Z' };
  const card = serverCard(site, TOOLS);
  const { websiteUrl: _, ...server } = card;
  return {
    CatalogServer: {
      ...server,
      transport: 'streamable-http',
      limits: info.limits,
      usage_policy: USAGE,
      documentation: {
        llms: links.to('/llms.txt'),
        openapi: links.to('/openapi.json'),
        manifest: links.to('/gpt.json'),
      },
    },
    CatalogManifest: catalogManifest(site, TOOLS),
    ServerCard: card,
    ApiCatalog: apiCatalog(site),
  };
}
