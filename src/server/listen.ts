import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens and returns the URL with the port that was given. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      fail(taken ? new Error(`port ${port} on ${host} is taken: set PORT to a free one`) : error);
    });
    // A rush of new connections must not overflow the queue of 511 that is the default.
    server.listen({ port, host, backlog: 4096 }, done);
  });
  const bound = (server.address() as AddressInfo).port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}
