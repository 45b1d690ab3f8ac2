import type { Config } from '../config.ts';
import { openReads } from '../data/connection/reads.ts';
import { openReplicas } from '../data/connection/replicas.ts';
import { openServingDatabase, type ServingDatabase } from '../data/connection/serving.ts';
import { openQuotas, type QuotaEvents } from '../http/quotas.ts';
import type { Live, Published } from '../live/live.ts';
import { failureLog, type Logger } from '../log.ts';
import { type Metrics, makeStageTimer, openMetrics } from '../metrics.ts';
import { loadLexicon } from '../understand/lexicon/lexicon.ts';
import { loadGazetteer } from '../understand/mentions/gazetteer.ts';
import { understand } from '../understand/query.ts';
import { judge } from '../understand/without/judge.ts';
import { catalogOf } from './catalog.ts';
import { serviceInfo, serviceLinks } from './info.ts';
import { openStatistics } from './statistics.ts';

const POOL_CONNECTIONS = 10;

/** The live half of the service, running. */
export type Service = { live: Live; database: ServingDatabase; close(): Promise<void> };

/** Wires up the live half: data functions with deadlines, quotas and lexicon. */
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
  const quotas = await openQuotas(config, quotaEvents(log, metrics));
  const lexicon = loadLexicon();
  const logFailure = failureLog(log);
  const replicas = openReplicas(database, config.databaseReadUrls, POOL_CONNECTIONS);
  const reads = openReads(database, replicas, (from) => metrics.reads.inc({ from }));
  const statistics = openStatistics({ database, replicas, reads, metrics, logFailure });
  const staged = makeStageTimer(metrics);

  metrics.watchEach(
    'vitrine_replica_lag_seconds',
    'Upper bound of the replication lag; an unreachable replica is absent',
    'replica',
    reads.lagSeconds,
  );
  metrics.watch('vitrine_database_in_flight', 'Database calls in flight', database.inFlight);

  const live: Live = {
    info: serviceInfo(config),
    links: serviceLinks(config),
    allowedHosts: config.allowedHosts,
    clock: () => new Date(),
    quotas,
    understand: (query, around) =>
      staged.now('understand', () => understand(query, lexicon, around)),
    judge: (record, exclusions) => judge(record, exclusions, lexicon),
    stats: statistics.stats,
    catalog: catalogOf(reads, staged, [...config.gazetteer, ...loadGazetteer()]),
    published,
    logFailure,
  };
  return {
    live,
    database,
    async close() {
      await statistics.drain();
      await quotas.close();
      await reads.close();
      await database.close();
    },
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
