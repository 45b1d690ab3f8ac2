import type { Config } from './config.ts';
import { recordViews } from './data/activity.ts';
import { batchReads } from './data/batch-reads.ts';
import { readCatalogState, readOffer, readProduct } from './data/catalog.ts';
import { openDatabase, openGate, type Sql, withinDeadline } from './data/client.ts';
import {
  completeCategory,
  completeCity,
  completeDistrict,
  completeMerchant,
} from './data/completions.ts';
import {
  findCategories,
  findCity,
  findDistrict,
  findMerchants,
  merchantExists,
  nearestCategories,
} from './data/places.ts';
import { searchOffers, searchProducts } from './data/search.ts';
import { readMerchantActivity, readProductStats } from './data/stats.ts';
import { makeViewWriter } from './data/view-writer.ts';
import { correctWords } from './data/vocabulary.ts';
import { type Links, makeLinks } from './domain/links.ts';
import { merchantStats, noProductStats } from './domain/stats.ts';
import { MAX_SEARCH_RECORDS, type ServiceInfo, SHOWCASE_SIZE } from './domain/surface.ts';
import { etagOf } from './http/conditional.ts';
import { openQuotas } from './http/quotas.ts';
import { makeFreshCache } from './live/fresh-cache.ts';
import type { Live, Published } from './live/live.ts';
import type { Logger } from './log.ts';
import { understand } from './understand/intent.ts';
import { loadLexicon } from './understand/lexicon.ts';

const POOL_CONNECTIONS = 10;
/** Short: it is there for many callers at once, and people expect to see what just happened. */
const MERCHANT_CACHE = {
  maxAgeMs: 2000,
  costFactor: 5,
  maxEntries: 500,
  now: () => performance.now(),
};
/** How long views that wait for the database may hold up a shutdown. */
const DRAIN_MS = 3000;

/** What the service tells about itself, from its configuration. */
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

/** The maker of canonical links, from the configuration. */
export function serviceLinks(config: Config): Links {
  return makeLinks(config.baseUrl, config.productUrlTemplate);
}

export type Service = { live: Live; sql: Sql; close(): Promise<void> };

/**
 * Puts the live half together: the data functions within their deadline, the quotas and the lexicon,
 * as the handlers want them.
 */
export async function openService(
  config: Config,
  databaseUrl: string,
  log: Logger,
  published: Published,
): Promise<Service> {
  const sql = openDatabase(databaseUrl, { max: POOL_CONNECTIONS, statementTimeoutMs: 2000 });
  const quotas = await openQuotas(config, sql);
  const lexicon = loadLexicon();
  const logFailure = (error: unknown) => log.error({ err: error }, 'request failed');
  const gate = openGate();
  const within =
    <Args extends unknown[], Result>(read: (sql: Sql, ...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      gate(() => read(sql, ...args));

  const productStats = batchReads((ids) => gate(() => readProductStats(sql, ids)), noProductStats);
  const merchantAnswer = makeFreshCache(async (id) => {
    const activity = await gate(() => readMerchantActivity(sql, id));
    const body = JSON.stringify(merchantStats(id, activity));
    return { body, etag: etagOf(body) };
  }, MERCHANT_CACHE);
  const viewWriter = makeViewWriter((views, key) => recordViews(sql, views, key), logFailure);

  const live: Live = {
    info: serviceInfo(config),
    links: serviceLinks(config),
    allowedHosts: config.allowedHosts,
    clock: () => new Date(),
    quotas,
    understand: (query) => understand(query, lexicon),
    stats: {
      product: (id) => withinDeadline(productStats(id)),
      merchant: merchantAnswer,
      async recordAgentView(productId) {
        // When the database does not answer in time, the view waits in the buffer and the answer goes
        // out: the count follows.
        const view = { kind: 'product', id: productId, source: 'agent' } as const;
        await withinDeadline(viewWriter.write(view)).catch(logFailure);
      },
    },
    catalog: {
      state: within(readCatalogState),
      product: within(readProduct),
      offer: within(readOffer),
      searchProducts: within(searchProducts),
      searchOffers: within(searchOffers),
      correctWords: within(correctWords),
      findCategories: within(findCategories),
      findMerchants: within(findMerchants),
      merchantExists: within(merchantExists),
      findCity: within(findCity),
      findDistrict: within(findDistrict),
      nearestCategories: within(nearestCategories),
      completeCategory: within(completeCategory),
      completeCity: within(completeCity),
      completeDistrict: within(completeDistrict),
      completeMerchant: within(completeMerchant),
    },
    published,
    logFailure,
  };
  return {
    live,
    sql,
    async close() {
      await viewWriter.drain(DRAIN_MS);
      await quotas.close();
      await sql.end({ timeout: 1 });
    },
  };
}
