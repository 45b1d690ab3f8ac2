import { connect, Socket } from 'node:net';

/** What became of requests that were sent at a given rate, whatever the server did. */
export type LoadResult = {
  sent: number;
  /** Answers 200, a second. */
  goodPerSecond: number;
  /** Answers by status; `late` without one in time, `broken` with a connection that ended. */
  outcomes: Record<string, number>;
  /** Waits for an answer, in ms, in ascending order: of answers 200 and of refusals (500). */
  goodMs: number[];
  refusedMs: number[];
};

export type LoadOptions = {
  url: string;
  perSecond: number;
  seconds: number;
  /** Requests under way at most; what is due beyond that counts as late. */
  connections: number;
  /** A caller that waits longer goes away. */
  patienceMs: number;
  /** Paths instead of that of the URL. */
  path?: (index: number) => string;
  body?: (index: number) => string;
};

type Outcome = (status: string, ms: number) => void;

/**
 * Sends requests at a fixed rate, not waiting for answers: callers of the open internet do not slow down
 * because a server does. Raw sockets, because the sender must cost less than the server.
 */
export async function openLoad(options: LoadOptions): Promise<LoadResult> {
  const { perSecond, seconds, connections, body, path } = options;
  const outcomes: Record<string, number> = {};
  const goodMs: number[] = [];
  const refusedMs: number[] = [];
  const note: Outcome = (status, ms) => {
    outcomes[status] = (outcomes[status] ?? 0) + 1;
    if (status === '200') goodMs.push(ms);
    if (status === '500') refusedMs.push(ms);
  };
  const callers = Array.from({ length: connections }, () => makeCaller(options));
  const free = [...callers];
  const total = perSecond * seconds;
  const started = performance.now();
  const waiting: Promise<void>[] = [];
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - started) / 1000) * perSecond));
    for (; sent < due; sent += 1) {
      const caller = free.pop();
      if (caller === undefined) note('late', 0);
      else
        waiting.push(
          caller.ask(path?.(sent), body?.(sent), note).then(() => void free.push(caller)),
        );
    }
    await new Promise((tick) => setTimeout(tick, 2));
  }
  await Promise.all(waiting);
  const elapsed = (performance.now() - started) / 1000;
  for (const caller of callers) caller.close();
  const ascending = (a: number, b: number) => a - b;
  return {
    sent: total,
    goodPerSecond: goodMs.length / elapsed,
    outcomes,
    goodMs: goodMs.sort(ascending),
    refusedMs: refusedMs.sort(ascending),
  };
}

/** One caller with a connection of its own, opened when needed, which asks one thing at a time. */
function makeCaller({ url, patienceMs }: LoadOptions) {
  const { hostname, port, pathname } = new URL(url);
  let socket = new Socket();
  socket.destroy();

  return {
    close: () => socket.destroy(),
    async ask(path: string | undefined, body: string | undefined, note: Outcome): Promise<void> {
      if (socket.destroyed) socket = await opened(hostname, Number(port)).catch(() => socket);
      const started = performance.now();
      const status = await exchange(
        socket,
        requestText(path ?? pathname, hostname, body),
        patienceMs,
      );
      note(status, performance.now() - started);
    },
  };
}

function requestText(path: string, host: string, body: string | undefined): string {
  if (body === undefined) return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Sends a request and waits for its whole answer; returns the status, `late` or `broken`. */
function exchange(socket: Socket, text: string, patienceMs: number): Promise<string> {
  return new Promise((done) => {
    let head = '';
    let missing: number | null = null;
    const finish = (status: string) => {
      clearTimeout(timer);
      socket.removeAllListeners('data').removeAllListeners('close');
      if (!/^\d/.test(status) || /^connection: close/im.test(head)) socket.destroy();
      done(status);
    };
    const timer = setTimeout(() => finish('late'), patienceMs);
    socket.on('close', () => finish('broken'));
    socket.on('data', (chunk: Buffer) => {
      if (missing === null) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/^content-length: (\d+)/im.exec(head.slice(0, end))?.[1] ?? 0);
        missing = length - (head.length - end - 4);
      } else missing -= chunk.length;
      if (missing <= 0) finish(head.slice(9, 12));
    });
    socket.write(text);
  });
}

function opened(host: string, port: number): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(port, host, () => done(socket));
    socket.on('error', fail);
  });
}
