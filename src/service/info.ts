import type { Config } from '../config.ts';
import { type Links, makeLinks } from '../domain/links.ts';
import { MAX_SEARCH_RECORDS, type ServiceInfo, SHOWCASE_SIZE } from '../domain/surface.ts';

/** Builds the service info of all documents from the configuration. */
export function serviceInfo(config: Config): ServiceInfo {
  return {
    name: config.serviceName,
    baseUrl: config.baseUrl,
    defaultCity: config.defaultCity,
    productPages: config.productUrlTemplate === null,
    limits: {
      product_stats_requests_per_hour: config.quotas.productStatsPerHour,
      merchant_stats_requests_per_hour: config.quotas.merchantStatsPerHour,
      catalog_records_per_minute: config.quotas.catalogRecordsPerMinute,
      mcp_requests_per_minute: config.quotas.mcpPerMinute,
      records_per_search: MAX_SEARCH_RECORDS,
      showcase_records: SHOWCASE_SIZE,
    },
  };
}

/** Builds the canonical links from the configuration. */
export function serviceLinks(config: Config): Links {
  return makeLinks(config.baseUrl, config.productUrlTemplate);
}
