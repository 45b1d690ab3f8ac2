import { createServer } from 'node:http';
import type { Config } from '../config.ts';
import { ping, type Sql, withinDeadline } from '../data/client.ts';
import { jsonReply } from '../http/call.ts';
import type { Release } from '../publish/release.ts';
import { listen } from './listen.ts';
import { sendReply } from './send.ts';

/** The operator's port: /livez tells that the process runs, /readyz that it can answer everything. */
export async function startOps(
  config: Config,
  sql: Sql,
  release: () => Release | null,
): Promise<{ close(): Promise<void> } | null> {
  if (config.opsPort === null) return null;
  const server = createServer(async (request, response) => {
    if (request.url === '/livez')
      return sendReply(request, response, jsonReply(200, { live: true }));
    if (request.url !== '/readyz') return sendReply(request, response, jsonReply(404, {}));
    const database = await withinDeadline(ping(sql)).then(
      () => true,
      () => false,
    );
    const published = release() !== null;
    const status = database && published ? 200 : 503;
    sendReply(request, response, jsonReply(status, { database, published }));
  });
  await listen(server, config.opsHost, config.opsPort);
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
