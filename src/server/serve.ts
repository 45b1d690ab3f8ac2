import type { Server } from 'node:http';
import type { Config } from '../config.ts';
import type { ServingDatabase } from '../data/connection/serving.ts';
import { latestSnapshotAt } from '../data/statistics/snapshots.ts';
import { clientAddressReader } from '../http/client-address.ts';
import type { Logger } from '../log.ts';
import { type Metrics, openMetrics } from '../metrics.ts';
import { openService } from '../service/service.ts';
import { watchDatabase } from './dependency-metrics.ts';
import { createGate } from './gate.ts';
import { type Listener, listenWide } from './listen.ts';
import { openSchemaWatch, startOps } from './ops.ts';
import { releasesFolder } from './publishing.ts';
import { openStaticSite, type StaticSite } from './static.ts';

/** A running HTTP process. */
export type RunningServer = {
  /** Such as http://127.0.0.1:4321. */
  url: string;
  /** Shuts down gracefully: stops accepting, finishes requests in flight, closes resources. */
  close(): Promise<void>;
};

/** Time for requests in flight to finish at shutdown. */
const DRAIN_MS = 5000;

/** Starts the HTTP process: the gate with both halves, and the ops port if configured. */
export async function startServer(
  config: Config,
  databaseUrl: string,
  log: Logger,
  metrics: Metrics = openMetrics(),
): Promise<RunningServer> {
  const logFailure = (error: unknown) => log.error({ err: error }, 'release not opened');
  const site = openStaticSite(releasesFolder(config), logFailure);
  const published = {
    showcase: () => site.release()?.showcase ?? [],
    text: site.read,
  };
  const service = await openService(config, databaseUrl, log, published, metrics);
  watchAges(metrics, site, service.database);
  watchDatabase(metrics, service.database.watch);
  const clientAddress = clientAddressReader(config.trustedProxies);
  const gate = createGate({
    live: service.live,
    site,
    clientAddress,
    log,
    accessLog: config.accessLog,
    metrics,
  });
  const listener = await listenWide(gate, config.host, config.port);
  const databaseReadiness = openSchemaWatch(service.database.run, log);
  const ops = await startOps(config, metrics, async () => ({
    ...(await databaseReadiness()),
    published: site.release() !== null,
    // Not ready while draining, so that load balancers send no new requests.
    accepting: gate.listening,
  }));
  return {
    url: listener.url,
    async close() {
      await drain(gate, listener);
      await ops?.close();
      site.close();
      await service.close();
    },
  };
}

/** Registers the ages of the release and the snapshot, as seen by this process. */
function watchAges(metrics: Metrics, site: StaticSite, database: ServingDatabase): void {
  const secondsSince = (instant: string | Date) =>
    (Date.now() - new Date(instant).getTime()) / 1000;
  metrics.watch('vitrine_publish_age_seconds', 'Age of the served release', () => {
    const publishedAt = site.release()?.manifest.publishedAt;
    return publishedAt === undefined ? null : secondsSince(publishedAt);
  });
  metrics.watch('vitrine_snapshot_age_seconds', 'Age of the latest daily snapshot', async () => {
    const takenAt = await database.run(latestSnapshotAt).catch(() => null);
    return takenAt === null ? null : secondsSince(takenAt);
  });
}

async function drain(server: Server, listener: Listener): Promise<void> {
  const closed = listener.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(timer);
}
