import type { Server } from 'node:http';
import type { Config } from '../config.ts';
import { clientAddressReader } from '../http/client-address.ts';
import type { Logger } from '../log.ts';
import { openService } from '../service.ts';
import { createGate } from './gate.ts';
import { listen } from './listen.ts';
import { startOps } from './ops.ts';
import { releasesFolder } from './publishing.ts';
import { openStaticSite, SEARCH_SHELL } from './static.ts';

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
): Promise<RunningServer> {
  const logFailure = (error: unknown) => log.error({ err: error }, 'release not opened');
  const site = openStaticSite(releasesFolder(config), logFailure);
  const service = await openService(config, databaseUrl, log, {
    showcase: () => site.release()?.showcase ?? [],
    llmsText: () => site.read('/llms.txt'),
    searchShell: () => site.read(SEARCH_SHELL),
  });
  const clientAddress = clientAddressReader(config.trustedProxies);
  const gate = createGate({ live: service.live, site, clientAddress });
  const url = await listen(gate, config.host, config.port);
  const ops = await startOps(config, service.sql, () => site.release());
  return {
    url,
    async close() {
      await drain(gate);
      await ops?.close();
      site.close();
      await service.close();
    },
  };
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(timer);
}
