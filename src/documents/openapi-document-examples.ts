import type { Links } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { USAGE } from '../domain/usage.ts';
import { apiCatalog, catalogManifest, serverCard, type ToolSummary } from './manifest.ts';

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

/** The published documents as a small catalog would have them. */
export function documentExamples(info: ServiceInfo, links: Links) {
  const site = { info, links, counts, updatedAt: '2026-11-21T12:00:00.000Z' };
  return {
    manifest: catalogManifest(site, TOOLS),
    serverCard: serverCard(site, TOOLS),
    apiCatalog: apiCatalog(site),
  };
}

/** An answer to GET /mcp. */
export function discoveryExample(info: ServiceInfo, links: Links) {
  const { websiteUrl: _, ...server } = documentExamples(info, links).serverCard;
  return {
    ...server,
    transport: 'streamable-http',
    limits: info.limits,
    usage_policy: USAGE,
    documentation: {
      llms: links.to('/llms.txt'),
      openapi: links.to('/openapi.json'),
      manifest: links.to('/gpt.json'),
    },
  };
}
