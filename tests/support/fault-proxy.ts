import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What the network does: `pass` works; `slow` delays what the server sends; `reset` ends connections by
 * RST, at once; `fin` closes them by FIN as soon as the client speaks; `silent` takes connections and never
 * says a word again (half-open: those it held stay dead when it passes again).
 */
export type FaultMode = 'pass' | 'slow' | 'reset' | 'fin' | 'silent';

export type FaultProxy = {
  port: number;
  /** Connections that were attempted so far. */
  attempts(): number;
  set(mode: FaultMode, delayMs?: number): void;
  close(): Promise<void>;
};

type Pair = { client: Socket; server: Socket | null; dead: boolean };

/** A TCP proxy on loopback in front of a server, with faults at will. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let mode: FaultMode = 'pass';
  let delayMs = 0;
  let attempts = 0;

  function join(client: Socket): void {
    attempts += 1;
    const pair: Pair = { client, server: null, dead: mode === 'silent' };
    pairs.add(pair);
    client.on('error', () => {});
    client.on('close', () => {
      pair.server?.destroy();
      pairs.delete(pair);
    });
    if (mode === 'reset') return void client.resetAndDestroy();
    if (mode === 'fin') return void client.once('data', () => client.end());
    if (mode !== 'silent') forward(pair, connect(target));
  }

  function forward(pair: Pair, server: Socket): void {
    const { client } = pair;
    pair.server = server;
    server.on('error', () => client.destroy());
    server.on('close', () => {
      if (!pair.dead) client.end();
    });
    client.on('data', (chunk) => {
      if (!pair.dead) server.write(chunk);
    });
    server.on('data', (chunk) => {
      const send = () => {
        if (!pair.dead && client.writable) client.write(chunk);
      };
      if (mode === 'slow') setTimeout(send, delayMs);
      else send();
    });
  }

  const proxy: Server = createServer(join);
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  return {
    port: (proxy.address() as AddressInfo).port,
    attempts: () => attempts,
    set(next, delay = 0) {
      mode = next;
      delayMs = delay;
      for (const pair of pairs) {
        if (next === 'reset' || next === 'fin') pair.client.resetAndDestroy();
        if (next === 'silent') pair.dead = true;
      }
    },
    close: () => {
      for (const { client } of pairs) client.destroy();
      return new Promise((done) => proxy.close(() => done()));
    },
  };
}
