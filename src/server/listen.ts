import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';

// A rush of new connections must not overflow the queue of 511 that is the default.
const BACKLOG = 4096;

/**
 * Node takes one new connection from a listening socket each time around its loop. While requests make
 * these rounds long, callers would wait seconds before anybody could even refuse them; so a busy server
 * listens on several sockets, among which Linux spreads the callers.
 */
const ACCEPTORS = process.platform === 'linux' ? 8 : 1;

/** A server that listens on several sockets. */
export type Listener = {
  url: string;
  /** Takes no more connections; resolves when those that there are have ended. */
  close(): Promise<void>;
};

/** Listens and returns the URL with the port that was given. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await start(server, { host, port });
  return urlOf(server, host);
}

/** Listens on several sockets of one port. */
export async function listenWide(
  server: HttpServer,
  host: string,
  port: number,
): Promise<Listener> {
  const free = await findPort(host, port);
  const others = Array.from({ length: ACCEPTORS - 1 }, () =>
    // As an HTTP server makes its own sockets.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    ),
  );
  const all = [server, ...others];
  for (const each of all) await start(each, { host, port: free, reusePort: all.length > 1 });
  return {
    url: urlOf(server, host),
    async close() {
      await Promise.all(all.map((each) => new Promise((done) => each.close(done))));
    },
  };
}

/** The port, or one that is free for 0: a socket that shares its port would not see that it is taken. */
async function findPort(host: string, port: number): Promise<number> {
  const probe = createServer();
  await start(probe, { host, port });
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return free;
}

function start(server: Server, options: ListenOptions): Promise<void> {
  const { host, port } = options;
  return new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      fail(taken ? new Error(`port ${port} on ${host} is taken: set PORT to a free one`) : error);
    });
    server.listen({ ...options, backlog: BACKLOG }, done);
  });
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
