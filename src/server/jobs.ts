import { Cron } from 'croner';
import type { Config } from '../config.ts';
import { estimateRecords, forgetOldChanges, readQueueState } from '../data/catalog/queue.ts';
import { forgetOldVersions } from '../data/catalog/touched.ts';
import { openDatabase } from '../data/connection/client.ts';
import {
  advanceWindow,
  dropOldStatistics,
  preparePartitions,
  sealDueHours,
} from '../data/statistics/hours.ts';
import { takeSnapshot, wasCountedBefore } from '../data/statistics/snapshots.ts';
import { latestSnapshotInstant } from '../domain/stats.ts';
import type { Logger } from '../log.ts';
import { type Metrics, openMetrics } from '../metrics.ts';
import { openCatalogJob } from './catalog-job.ts';
import { watchCertificate, watchDatabase } from './dependency-metrics.ts';
import { isFeedRefused } from './feed-refusal.ts';
import { type DatabaseReadiness, openSchemaWatch } from './ops.ts';
import { openPublishJob } from './publish-job.ts';

/** A running scheduler. */
export type RunningJobs = {
  readiness(): Promise<DatabaseReadiness>;
  close(): Promise<void>;
};

/** The job runs every five minutes, so `already-taken` is the normal outcome. */
const SNAPSHOT_LEVELS = { taken: 'info', 'already-taken': 'debug', refused: 'warn' } as const;

/**
 * Starts the jobs: daily snapshot at 14:00 MSK (caught up at start), sealing of hours, catalog queue, publishing when
 * the catalog or an offer's validity changes, housekeeping. All are safe to run on several instances.
 */
export async function startJobs(
  config: Config,
  databaseUrl: string,
  log: Logger,
  metrics: Metrics = openMetrics(),
): Promise<RunningJobs> {
  const sql = openDatabase(databaseUrl, { max: 3, applicationName: 'vitrine-jobs' });
  const guard = guardWith(log, metrics);
  const publisher = openPublishJob(config, databaseUrl, sql, log, () => void publishing());
  const publishing = oneAtATime(guard('publish', publisher.run));
  metrics.watch(
    'vitrine_unpublished_seconds',
    'Age of the oldest unpublished change of the catalog',
    () => publisher.waitingSeconds().catch(() => null),
  );
  metrics.watch('vitrine_catalog_queue', 'Changes queued by submit_catalog', () =>
    readQueueState(sql).then(
      ({ changes }) => changes,
      () => null,
    ),
  );
  metrics.watchEach('vitrine_catalog_records', 'Records, estimated', 'kind', () =>
    estimateRecords(sql).catch(() => new Map()),
  );
  metrics.watch('vitrine_feed_refused', 'The latest feed was refused (1) or taken (0)', () =>
    isFeedRefused(config.dataDir) ? 1 : 0,
  );
  watchDatabase(metrics, async (work) => work(sql));
  watchCertificate(metrics, config.baseUrl);
  const catalog = openCatalogJob(databaseUrl, sql, log);
  const applying = oneAtATime(guard('catalog', catalog.run));
  const snapshot = guard('snapshot', async () => {
    await sealDueHours(sql);
    const at = latestSnapshotInstant(new Date());
    if (!(await wasCountedBefore(sql, at))) return;
    const result = await takeSnapshot(sql, at);
    log[SNAPSHOT_LEVELS[result.outcome]]({ at, ...result }, 'snapshot');
  });
  const seal = guard('seal', async () => {
    const hours = await sealDueHours(sql);
    if (hours > 0) log.info({ hours }, 'sealed');
  });
  const slide = guard('window', () => advanceWindow(sql));
  const housekeeping = guard('housekeeping', async () => {
    await preparePartitions(sql);
    const partitions = await dropOldStatistics(sql);
    await forgetOldChanges(sql);
    await forgetOldVersions(sql);
    log.info({ partitions }, 'housekeeping');
  });
  const crons = [
    // An hour is sealed two minutes after its end, and a snapshot needs 24 sealed hours.
    new Cron('3 14 * * *', { timezone: 'Europe/Moscow' }, snapshot),
    new Cron('2-59/5 * * * *', seal),
    // Retries the snapshot if the database was down at that minute.
    new Cron('4-59/5 * * * *', snapshot),
    new Cron('* * * * *', slide),
    new Cron('17 * * * *', housekeeping),
  ];
  const look = () => void Promise.all([applying(), publishing()]);
  const timer = setInterval(look, config.publishCheckSeconds * 1000);
  // Notifications wake the jobs at once; the timer covers those missed by a lost connection.
  const listening = [
    await sql.listen('catalog_submitted', applying).catch(() => null),
    await sql.listen('catalog_changed', publishing).catch(() => null),
  ];
  await housekeeping();
  await snapshot();
  await applying();
  await publishing();
  return {
    readiness: openSchemaWatch(async (work) => work(sql), log),
    async close() {
      for (const cron of crons) cron.stop();
      clearInterval(timer);
      for (const one of listening) await one?.unlisten().catch(() => {});
      catalog.close();
      publisher.close();
      await Promise.all([applying.settled(), publishing.settled()]);
      await sql.end({ timeout: 5 });
    },
  };
}

/** Wraps jobs: records their duration and logs failures, which are retried at the next run. */
function guardWith(log: Logger, metrics: Metrics) {
  return (job: string, run: () => Promise<void>) => async (): Promise<void> => {
    const end = metrics.jobSeconds.startTimer({ job });
    try {
      await run();
      metrics.jobSucceededAt.setToCurrentTime({ job });
      end({ outcome: 'done' });
    } catch (error) {
      end({ outcome: 'failed' });
      log.error({ err: error, job }, 'job failed');
    }
  };
}

/** Single flight: a call during a run queues one more run. */
function oneAtATime(run: () => Promise<void>) {
  let current: Promise<void> | null = null;
  let again = false;
  const start = (): Promise<void> => {
    if (current !== null) {
      again = true;
      return current;
    }
    current = (async () => {
      do {
        again = false;
        await run();
      } while (again);
      current = null;
    })();
    return current;
  };
  return Object.assign(start, {
    settled: async () => {
      await current;
    },
  });
}
