import type { Config } from './config.ts';
import { readCatalogState, readOffer, readProduct } from './data/catalog/catalog.ts';
import {
  completeCategory,
  completeCity,
  completeDistrict,
  completeMerchant,
} from './data/catalog/completions.ts';
import {
  findCategories,
  findCity,
  findDistrict,
  findMerchantName,
  findMerchants,
  listPlaces,
  nearestCategories,
} from './data/catalog/places.ts';
import type { Sql } from './data/connection/client.ts';
import { withinDeadline } from './data/connection/gate.ts';
import { type Need, openReads } from './data/connection/reads.ts';
import { openReplicas } from './data/connection/replicas.ts';
import { openServingDatabase, type ServingDatabase } from './data/connection/serving.ts';
import { addQuotaPoints, readQuotaPoints } from './data/quotas.ts';
import { searchOffers, searchProducts } from './data/search/search.ts';
import { correctWords } from './data/search/vocabulary.ts';
import { recordWaitingViews } from './data/statistics/activity.ts';
import { batchReads } from './data/statistics/batch-reads.ts';
import { readMerchantActivity, readProductStats } from './data/statistics/stats.ts';
import { makeViewWriter } from './data/statistics/view-writer.ts';
import { type Links, makeLinks } from './domain/links.ts';
import { merchantStats, noProductStats } from './domain/stats.ts';
import { MAX_SEARCH_RECORDS, type ServiceInfo, SHOWCASE_SIZE } from './domain/surface.ts';
import { etagOf } from './http/conditional.ts';
import type { QuotaTable } from './http/quota-stores.ts';
import { openQuotas, type QuotaEvents } from './http/quotas.ts';
import { makeFreshCache } from './live/fresh-cache.ts';
import { rememberKnown, rememberPlaces } from './live/known-names.ts';
import type { Live, Published } from './live/live.ts';
import { failureLog, type Logger } from './log.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { understand } from './understand/intent.ts';
import { loadLexicon } from './understand/lexicon.ts';

const POOL_CONNECTIONS = 10;
const monotonicMs = () => performance.now();
/** Short: it is there for many callers at once, and people expect to see what just happened. */
const MERCHANT_CACHE = {
  maxAgeMs: 2000,
  costFactor: 5,
  maxEntries: 500,
  now: monotonicMs,
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

export type Service = { live: Live; database: ServingDatabase; close(): Promise<void> };

/**
 * Puts the live half together: the data functions within their deadline, the quotas and the lexicon,
 * as the handlers want them.
 */
export async function openService(
  config: Config,
  databaseUrl: string,
  log: Logger,
  published: Published,
  metrics: Metrics = openMetrics(),
): Promise<Service> {
  const database = openServingDatabase(databaseUrl, { max: POOL_CONNECTIONS }, (outcome) =>
    metrics.databaseWork.inc({ outcome }),
  );
  const quotas = await openQuotas(config, quotaTable(database), quotaEvents(log, metrics));
  const lexicon = loadLexicon();
  const logFailure = failureLog(log);
  const replicas = openReplicas(database, config.databaseReadUrls, POOL_CONNECTIONS);
  const reads = openReads(database, replicas, (from) => metrics.reads.inc({ from }));
  const from =
    (need: Need) =>
    <Args extends unknown[], Result>(read: (sql: Sql, ...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      reads.run(need, (sql) => read(sql, ...args));
  const within = from('catalog');
  // What somebody decides by, at the price of a look-up by its key: price, stock, validity.
  const newest = from('newest');
  const staged = stageTimer(metrics);

  const productStats = batchReads(async (ids) => {
    const { value, lagMs } = await reads.timed('statistics', (sql) => readProductStats(sql, ids));
    return (id) => ({ value: value.get(id) ?? noProductStats(id), ageMs: lagMs });
  });
  const freshAnswer = makeFreshCache(async (id) => {
    metrics.merchantReads.inc({ from: 'database' });
    const { value, lagMs } = await reads.timed('statistics', (sql) =>
      readMerchantActivity(sql, id),
    );
    const body = JSON.stringify(merchantStats(id, value));
    return { body, etag: etagOf(body), lagMs };
  }, MERCHANT_CACHE);
  const viewWriter = makeViewWriter(
    (views, key) => database.watch((sql) => recordWaitingViews(sql, views, key)),
    logFailure,
  );
  metrics.watch('vitrine_views_buffered', 'Agent views that wait for the database', () =>
    viewWriter.pending(),
  );
  metrics.watchEach(
    'vitrine_replica_lag_seconds',
    'How far behind a replica may be; one that is away is missing',
    'replica',
    reads.lagSeconds,
  );
  metrics.watch('vitrine_database_in_flight', 'Pieces of work under way', database.inFlight);

  const live: Live = {
    info: serviceInfo(config),
    links: serviceLinks(config),
    allowedHosts: config.allowedHosts,
    clock: () => new Date(),
    quotas,
    understand: (query, around) =>
      staged.now('understand', () => understand(query, lexicon, around)),
    stats: {
      product: (id) => withinDeadline(productStats(id)),
      async merchant(id) {
        const answer = await freshAnswer(id);
        if (answer.ageMs > 0) metrics.merchantReads.inc({ from: 'memory' });
        return { ...answer, ageMs: answer.ageMs + answer.value.lagMs };
      },
      async recordAgentView(productId) {
        // When the database does not answer in time, the view waits in the buffer and the answer goes
        // out: the count follows. Nobody waits for a primary that is known to be away.
        const view = { kind: 'product', id: productId, source: 'agent' } as const;
        const written = withinDeadline(viewWriter.write(view)).catch(logFailure);
        if (replicas.primaryAnswers()) await written;
      },
    },
    catalog: {
      state: within(readCatalogState),
      product: newest(readProduct),
      offer: newest(readOffer),
      searchProducts: staged.later('retrieve', within(searchProducts)),
      searchOffers: staged.later('retrieve', within(searchOffers)),
      correctWords: staged.later('correct', within(correctWords)),
      findCategories: staged.later('resolve', within(findCategories)),
      findMerchants: staged.later('resolve', within(findMerchants)),
      findMerchantName: within(findMerchantName),
      findCity: rememberKnown(staged.later('resolve', within(findCity)), monotonicMs),
      findDistrict: staged.later('resolve', within(findDistrict)),
      places: rememberPlaces(within(listPlaces), monotonicMs),
      nearestCategories: staged.later('fall-back', within(nearestCategories)),
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
    database,
    async close() {
      await viewWriter.drain(DRAIN_MS);
      await quotas.close();
      await reads.close();
      await database.close();
    },
  };
}

/** The table of quotas, for RATE_LIMIT_STORE=postgres. */
function quotaTable(database: ServingDatabase): QuotaTable {
  return {
    add: (key, points, windowMs) =>
      database.watch((sql) => addQuotaPoints(sql, key, points, windowMs)),
    read: (key, windowMs) => database.watch((sql) => readQuotaPoints(sql, key, windowMs)),
  };
}

function quotaEvents(log: Logger, metrics: Metrics): QuotaEvents {
  return {
    rejected: (quota) => metrics.quotaRejections.inc({ quota }),
    storeLost(error) {
      metrics.quotaStoreAway.set(1);
      metrics.quotaStoreOutages.inc();
      log.error({ err: error }, 'the quota store is away: each process counts for itself');
    },
    storeBack() {
      metrics.quotaStoreAway.set(0);
      log.info('the quota store is back: quotas are shared again');
    },
  };
}

/** Times the stages of a search: what runs at once, and what is waited for. */
function stageTimer(metrics: Metrics) {
  const end = (stage: string, started: number) =>
    metrics.searchStageSeconds.observe({ stage }, (performance.now() - started) / 1000);
  return {
    now<T>(stage: string, work: () => T): T {
      const started = performance.now();
      const result = work();
      end(stage, started);
      return result;
    },
    later:
      <Args extends unknown[], T>(stage: string, work: (...args: Args) => Promise<T>) =>
      (...args: Args): Promise<T> => {
        const started = performance.now();
        return work(...args).finally(() => end(stage, started));
      },
  };
}
