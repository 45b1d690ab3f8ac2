import { withinDeadline } from '../data/connection/bulkhead.ts';
import type { Reads } from '../data/connection/reads.ts';
import type { Replicas } from '../data/connection/replicas.ts';
import type { ServingDatabase } from '../data/connection/serving.ts';
import { recordWaitingViews } from '../data/statistics/activity.ts';
import { batchReads } from '../data/statistics/batch-reads.ts';
import { readMerchantActivity, readProductStats } from '../data/statistics/stats.ts';
import { makeViewWriter } from '../data/statistics/view-writer.ts';
import { merchantStats, noProductStats } from '../domain/stats.ts';
import { etagOf } from '../http/conditional.ts';
import { makeFreshCache } from '../live/fresh-cache.ts';
import type { Live } from '../live/live.ts';
import type { Metrics } from '../metrics.ts';

/** A short TTL: enough for concurrent callers to share a read, and recent views still show up. */
const MERCHANT_CACHE = {
  maxAgeMs: 2000,
  costFactor: 5,
  maxEntries: 500,
  now: () => performance.now(),
};
/** The longest that unwritten views may delay a shutdown. */
const DRAIN_MS = 3000;

type Parts = {
  database: ServingDatabase;
  replicas: Replicas;
  reads: Reads;
  metrics: Metrics;
  logFailure: Live['logFailure'];
};

/** Opens the statistics of the handlers; `drain` flushes buffered agent views. */
export function openStatistics({ database, replicas, reads, metrics, logFailure }: Parts): {
  stats: Live['stats'];
  drain(): Promise<void>;
} {
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
  return {
    stats: {
      product: (id) => withinDeadline(productStats(id)),
      async merchant(id) {
        const answer = await freshAnswer(id);
        if (answer.ageMs > 0) metrics.merchantReads.inc({ from: 'memory' });
        return { ...answer, ageMs: answer.ageMs + answer.value.lagMs };
      },
      async recordAgentView(productId) {
        // If the database does not answer in time, the view stays buffered and the answer goes out. While the
        // primary is known to be down, nobody waits for it.
        const view = { kind: 'product', id: productId, source: 'agent' } as const;
        const written = withinDeadline(viewWriter.write(view)).catch(logFailure);
        if (replicas.primaryAnswers()) await written;
      },
    },
    drain: () => viewWriter.drain(DRAIN_MS),
  };
}
