import type { z } from 'zod';
import type { showcaseSchema } from '../domain/documents.ts';
import { ApiError, type ErrorCode, errorBody } from '../domain/errors.ts';
import { type Links, markdownLink } from '../domain/links.ts';
import type { productSearchSchema, ShowcaseProductRecord } from '../domain/records.ts';
import type { MerchantStats, ProductStats } from '../domain/stats.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { USAGE, usageLine } from '../domain/usage.ts';
import { apiCatalog, catalogManifest, serverCard, type ToolSummary } from './manifest.ts';
import type { Json } from './openapi-parts.ts';
import { eachError } from './openapi-responses.ts';
import { RPC_REQUESTS, rpcAnswers } from './openapi-rpc-examples.ts';

/** Returns examples of bodies as components, named by error code or schema. */
export function exampleComponents(info: ServiceInfo, links: Links): Json {
  const values = {
    ...eachError(errorExample),
    ProductStats: productStatsExample,
    MerchantStats: merchantStatsExample,
    ...documentExamples(info, links),
    Showcase: showcaseExample(info, links),
  };
  return {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
    ...RPC_REQUESTS,
    ...rpcAnswers(searchExample(info, links)),
  };
}

function errorExample(code: ErrorCode) {
  const limited = code === 'RATE_LIMIT_EXCEEDED';
  return errorBody(new ApiError(code, limited ? { retryAfterSeconds: 30 } : {}));
}

const productStatsExample: ProductStats = {
  productId: 10001,
  viewsCount: 412,
  likesCount: 37,
  dislikesCount: 2,
};

const change = (count: number, previousCount: number, changePercent: number) => ({
  count,
  previousCount,
  changePercent,
});

const merchantStatsExample: MerchantStats = {
  merchantId: 101,
  merchantName: 'Calçados Aurora',
  productViewsCount: 120,
  productUserViewsCount: 100,
  productAgentViewsCount: 20,
  offerViewsCount: 30,
  totalViewsCount: 150,
  comparisons: {
    productViews: change(120, 96, 25),
    productUserViews: change(100, 80, 25),
    productAgentViews: change(20, 16, 25),
    offerViews: change(30, 40, -25),
    totalViews: change(150, 136, 10.29),
  },
  period: '24h',
  comparisonDate: '2026-11-20',
  scheduledAt: '14:00 MSK',
  products: [
    { id: 10001, name: 'Tênis Brisa', viewsCount: 120, userViewsCount: 100, agentViewsCount: 20 },
  ],
  offers: [{ id: 50001, name: '20% off', viewsCount: 30, userViewsCount: 30, agentViewsCount: 0 }],
};

/** A product as returned by a search. */
function productExample(links: Links): ShowcaseProductRecord {
  const name = 'Tênis de corrida feminino Brisa';
  const url = links.product(10001);
  return {
    id: 10001,
    name,
    product_url: url,
    product_link_markdown: markdownLink(name, url),
    category: { id: 10, name: 'Calçados' },
    brand: 'Brisa',
    price: { amount: 29990, currency: 'BRL', formatted: 'R$ 299,90' },
    availability: 'in_stock',
    merchant: { id: 101, name: 'Calçados Aurora' },
    nearest_store: {
      id: 70,
      name: 'Aurora Pinheiros',
      district: 'Pinheiros',
      city: 'São Paulo',
      latitude: -23.5667,
      longitude: -46.691,
    },
  };
}

/** The product as rendered by src/live/records/list-text.ts; a test compares them. */
function itemExample(product: ShowcaseProductRecord, notes: string[] = []): string {
  const place = 'Calçados Aurora — Aurora Pinheiros, Pinheiros, São Paulo — in stock';
  const known = ['id 10001', 'category Calçados', 'brand Brisa', ...notes].join('; ');
  return `1. ${product.product_link_markdown} — R$ 299,90 — ${place}\n   ${known}`;
}

/** An answer of /gpt/products.json. */
function showcaseExample(info: ServiceInfo, links: Links): z.infer<typeof showcaseSchema> {
  const product = productExample(links);
  return {
    service: info.name,
    generated_at: '2026-11-21T12:00:00.000Z',
    rotation: { period_seconds: 300, next_at: '2026-11-21T12:05:00.000Z' },
    limit: 1,
    result_count: 1,
    paginated: false,
    products: [product],
    answer_markdown: `Results from ${info.name}:\n\n${itemExample(product)}`,
    usage_policy: {
      ...USAGE,
      allowed: [...USAGE.allowed],
      not_allowed: [...USAGE.not_allowed],
    },
  };
}

/** The `structuredContent` of search_local_products. */
function searchExample(info: ServiceInfo, links: Links): z.infer<typeof productSearchSchema> {
  const product = productExample(links);
  const usage = usageLine(info.name);
  return {
    service: info.name,
    products: [{ ...product, match: 'exact', score: 0.93 }],
    result_count: 1,
    answer_markdown: [
      `Results from ${info.name}:`,
      `Understood as tênis de corrida. Language of the query: es.\nSearched: ${info.defaultCity} (the default city).`,
      itemExample(product, ['exact match (score 0.93)']),
      usage,
    ].join('\n\n'),
    interpretation: { concepts: ['tênis de corrida'], unmatched_terms: [], language: 'es' },
    applied_filters: { city: info.defaultCity, city_defaulted: true },
    fallback: null,
    messages: [],
    usage,
  };
}

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
function documentExamples(info: ServiceInfo, links: Links): Json {
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
