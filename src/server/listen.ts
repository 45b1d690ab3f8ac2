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

/** Where to listen, and the settings that say so. */
export type ListenAt = { host: string; port: number; prefix?: 'OPS_' };

/** Listens and returns the URL with the port that was given. */
export async function listen(server: Server, at: ListenAt): Promise<string> {
  await start(server, at);
  return urlOf(server, at.host);
}

/** Throws when nobody can listen there: it is told before an hour's work for a server that cannot be reached. */
export async function assertFree(at: ListenAt): Promise<void> {
  await findPort(at);
}

/** Listens on several sockets of one port. */
export async function listenWide(
  server: HttpServer,
  host: string,
  port: number,
): Promise<Listener> {
  const free = await findPort({ host, port });
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
async function findPort(at: ListenAt): Promise<number> {
  const probe = createServer();
  await start(probe, at);
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return free;
}

function start(server: Server, { prefix, ...options }: ListenAt & ListenOptions): Promise<void> {
  return new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(new Error(describeFault(error, options, prefix ?? ''), { cause: error })),
    );
    server.listen({ ...options, backlog: BACKLOG }, done);
  });
}

function describeFault(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: ListenOptions,
  prefix: string,
): string {
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is taken: set ${prefix}PORT to a free one`;
  if (code === 'EACCES')
    return `port ${port} is for root alone: set ${prefix}PORT to one above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine: set ${prefix}HOST to one that is`;
  return `cannot listen on ${host}, port ${port} (${prefix}HOST, ${prefix}PORT): ${message}`;
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
