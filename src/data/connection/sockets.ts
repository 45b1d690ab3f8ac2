import { connect, Socket } from 'node:net';

/** The part of postgres.js's parsed options that says where the server is. */
type Target = { host: string[]; port: number[]; path: string | null };

/** The sockets of a pool. */
export type PoolSockets = {
  /** Opens a socket to the server; the pool calls it for each of its connections. */
  open(target: Target): Promise<Socket>;
  /** Notes which sockets the server spoke on; due a few times a second. */
  listen(): void;
  /** Destroys sockets on which nothing was heard for so long; the pool opens others when it needs them. */
  destroySilent(silentMs: number): number;
};

/** In so long no more sockets are opened than the pool has connections. */
const OPENING_WINDOW_MS = 100;

/**
 * Makes the sockets of a pool. postgres.js connects again at once when a server closes during the
 * start-up (#1193), thousands of times a second; here it waits its turn. And it never gives up a
 * connection whose other end is gone without a word; here it can be told to.
 */
export function openPoolSockets(poolSize: number): PoolSockets {
  const heard = new Map<Socket, { bytes: number; at: number }>();
  let windowStart = Number.NEGATIVE_INFINITY;
  let openedInWindow = 0;
  let attempts = 0;

  /** How long the next attempt has to wait, in ms; each gets a place in a window. */
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
      // postgres.js reads the server's name for TLS here.
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
        socket.destroy(new Error('the database fell silent'));
        heard.delete(socket);
      }
      return silent.length;
    },
  };
}

/** Lets one socket be opened; whoever asks for another gets one that fails. */
export function onceOnly({ open }: Pick<PoolSockets, 'open'>): Pick<PoolSockets, 'open'> {
  let opened = false;
  return {
    async open(target) {
      if (!opened) {
        opened = true;
        return open(target);
      }
      const socket = new Socket();
      // Not before the pool listens to it.
      setImmediate(() => socket.destroy(new Error('the connection of the transaction was lost')));
      return socket;
    },
  };
}
