import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';

// The default of 511 overflows in a burst of new connections.
const BACKLOG = 4096;

/**
 * Node accepts one connection per listening socket and turn of the event loop. Under load, with long turns, clients
 * would wait seconds even to be refused; so we listen on several sockets, among which Linux spreads connections.
 */
const ACCEPTORS = process.platform === 'linux' ? 8 : 1;

/** A server that listens on several sockets. */
export type Listener = {
  url: string;
  /** Stops accepting; resolves when all connections have ended. */
  close(): Promise<void>;
};

/** An address to listen on, and the prefix of its settings. */
export type ListenAt = { host: string; port: number; prefix?: 'OPS_' };

/** Listens and returns the URL with the actual port. */
export async function listen(server: Server, at: ListenAt): Promise<string> {
  await start(server, at);
  return urlOf(server, at.host);
}

/** Throws if the address is unavailable; checked before a long task rather than after it. */
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
    // The same options as http.Server.
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

/** Resolves port 0 and checks that the port is free: SO_REUSEPORT hides conflicts. */
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
    return `port ${port} needs root privileges: set ${prefix}PORT to one above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine: set ${prefix}HOST to one that is`;
  return `cannot listen on ${host}, port ${port} (${prefix}HOST, ${prefix}PORT): ${message}`;
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
