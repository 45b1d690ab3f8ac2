import type { Server } from 'node:http';
import type { Config } from '../config.ts';
import type { ServingDatabase } from '../data/connection/serving.ts';
import { latestSnapshotAt } from '../data/statistics/snapshots.ts';
import { clientAddressReader } from '../http/client-address.ts';
import type { Logger } from '../log.ts';
import { type Metrics, openMetrics } from '../metrics.ts';
import { openService } from '../service/service.ts';
import { createGate } from './gate.ts';
import { type Listener, listenWide } from './listen.ts';
import { startOps } from './ops.ts';
import { releasesFolder } from './publishing.ts';
import { openSchemaWatch } from './schema-watch.ts';
import { openStaticSite, type StaticSite } from './static.ts';

/** The HTTP process under way. */
export type RunningServer = {
  /** Where it answers, such as http://127.0.0.1:4321. */
  url: string;
  /** Takes no new requests, finishes those under way and closes what it opened. */
  close(): Promise<void>;
};

/** How long requests under way may take to finish at shutdown. */
const DRAIN_MS = 5000;

/** Starts the HTTP process: both halves behind the gate, and the ops port when it is set. */
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
    // A balancer that asks sends nobody any more, while requests under way are finished.
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

/** Ages of what the jobs make, as this process sees it. */
function watchAges(metrics: Metrics, site: StaticSite, database: ServingDatabase): void {
  const secondsSince = (instant: string | Date) =>
    (Date.now() - new Date(instant).getTime()) / 1000;
  metrics.watch('vitrine_publish_age_seconds', 'Age of the release that is served', () => {
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
