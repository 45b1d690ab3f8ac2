import { connect, Socket } from 'node:net';

/** The part of postgres.js's parsed options that locates the server. */
type Target = { host: string[]; port: number[]; path: string | null };

/** The sockets of a pool. */
export type PoolSockets = {
  /** Opens a socket to the server; the pool calls it for each connection. */
  open(target: Target): Promise<Socket>;
  /** Notes which sockets received data; call it a few times a second. */
  listen(): void;
  /** Destroys sockets silent for `silentMs`, so that the pool replaces them; returns their number. */
  destroySilent(silentMs: number): number;
};

/** The window within which at most as many sockets are opened as the pool has connections. */
const OPENING_WINDOW_MS = 100;

/**
 * Makes the sockets of a pool, working around two gaps of postgres.js: it reconnects in a tight loop, thousands of
 * times a second, when a server closes during start-up (#1193), so opening is rate-limited here; and it never drops
 * a connection whose peer has vanished.
 */
export function openPoolSockets(poolSize: number): PoolSockets {
  const heard = new Map<Socket, { bytes: number; at: number }>();
  let windowStart = Number.NEGATIVE_INFINITY;
  let openedInWindow = 0;
  let attempts = 0;

  /** Assigns the next attempt to a window; returns how long it has to wait, in ms. */
  function takeTurn(): number {
    const now = performance.now();
    if (now >= windowStart + OPENING_WINDOW_MS) {
      windowStart = now;
      openedInWindow = 0;
    }
    if (openedInWindow >= poolSize) {
      windowStart += OPENING_WINDOW_MS;
      openedInWindow = 0;
    }
    openedInWindow += 1;
    return Math.max(0, windowStart - now);
  }

  return {
    async open({ host, port, path }) {
      const wait = takeTurn();
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      const index = attempts % host.length;
      attempts += 1;
      const address = { host: host[index] ?? '', port: port[index] ?? 5432 };
      const socket = connect(path ? { path } : { ...address, noDelay: true });
      heard.set(socket, { bytes: 0, at: performance.now() });
      // postgres.js takes the TLS server name from here.
      return Object.assign(socket, address);
    },
    listen() {
      for (const [socket, last] of heard) {
        if (socket.destroyed) heard.delete(socket);
        else if (socket.bytesRead !== last.bytes) {
          heard.set(socket, { bytes: socket.bytesRead, at: performance.now() });
        }
      }
    },
    destroySilent(silentMs) {
      const before = performance.now() - silentMs;
      const silent = [...heard].filter(([, { at }]) => at < before);
      for (const [socket] of silent) {
        socket.destroy(new Error('the database connection is silent'));
        heard.delete(socket);
      }
      return silent.length;
    },
  };
}

/** Allows one socket; each further one fails. */
export function onceOnly({ open }: Pick<PoolSockets, 'open'>): Pick<PoolSockets, 'open'> {
  let opened = false;
  return {
    async open(target) {
      if (!opened) {
        opened = true;
        return open(target);
      }
      const socket = new Socket();
      // Only after the pool has attached its listeners.
      setImmediate(() => socket.destroy(new Error("the transaction's connection was lost")));
      return socket;
    },
  };
}
