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
import { latestSnapshotInstant } from '../domain/window.ts';
import type { Logger } from '../log.ts';
import { type Metrics, openMetrics } from '../metrics.ts';
import { openCatalogJob } from './catalog-job.ts';
import { openPublishJob } from './publish-job.ts';
import { type DatabaseReadiness, openSchemaWatch } from './schema-watch.ts';

/** The scheduler under way. */
export type RunningJobs = {
  readiness(): Promise<DatabaseReadiness>;
  close(): Promise<void>;
};

/** It is asked for every five minutes: that it was taken hours ago is no news. */
const SNAPSHOT_LEVELS = { taken: 'info', 'already-taken': 'debug', refused: 'warn' } as const;

/**
 * Runs the jobs: the daily snapshot at 14:00 MSK (caught up at start), the sealing of hours, the queue of catalog
 * changes, publishing when the catalog or an offer's validity changes, and housekeeping. Each is safe to run on every instance.
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
    'Age of the oldest change of the catalog that no page shows',
    () => publisher.waitingSeconds().catch(() => null),
  );
  metrics.watch('vitrine_catalog_queue', 'Changes by submit_catalog that wait', () =>
    readQueueState(sql).then(
      ({ changes }) => changes,
      () => null,
    ),
  );
  metrics.watchEach('vitrine_catalog_records', 'Records, about', 'kind', () =>
    estimateRecords(sql).catch(() => new Map()),
  );
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
    // Two minutes after an hour ends it is sealed; a snapshot needs its 24 hours sealed.
    new Cron('3 14 * * *', { timezone: 'Europe/Moscow' }, snapshot),
    new Cron('2-59/5 * * * *', seal),
    // A database that was away at that minute must not cost the day its snapshot.
    new Cron('4-59/5 * * * *', snapshot),
    new Cron('* * * * *', slide),
    new Cron('17 * * * *', housekeeping),
  ];
  const look = () => void Promise.all([applying(), publishing()]);
  const timer = setInterval(look, config.publishCheckSeconds * 1000);
  // Changes wake them at once; the timer finds what a lost connection missed.
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

/** Times jobs; one that fails is logged and tried again at its next time. */
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

/** Runs a job once at a time; a call meanwhile makes it run once more afterwards. */
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
