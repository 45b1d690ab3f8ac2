import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '../support/long.ts';
import { processStats } from '../support/process-stats.ts';
import { quantile } from '../support/quantile.ts';
import { askRaw, holdConnections } from '../support/raw-client.ts';
import { AMPLE_QUOTAS, type Service, startService } from '../support/service.ts';

const SLOW = LONG ? 300 : 60;
const IDLE = LONG ? 3000 : 400;
const LARGE = LONG ? 6 : 2;
const LARGE_BYTES = LONG ? 1_000_000_000 : 50_000_000;

let service: Service;
beforeAll(async () => {
  service = await startService(AMPLE_QUOTAS);
});
afterAll(() => service?.stop());

const stats = () => processStats(service.process.pid ?? 0);

/** Asks a healthy caller's things for a while; returns how long each took, in ms, ascending. */
async function healthyMs(rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const path of ['/api/public/v1/products/10001/stats', '/', '/gpt.json', '/mcp']) {
      const started = performance.now();
      const response = await fetch(service.url + path);
      await response.arrayBuffer();
      expect([path, response.status]).toEqual([path, 200]);
      times.push(performance.now() - started);
    }
  }
  return times.sort((a, b) => a - b);
}

/** Dribbles header fields, one byte and then another, until `stop`. */
function dribble(sockets: Socket[]): () => void {
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, 200);
  return () => clearInterval(timer);
}

/** Sends a large body until it is refused. */
async function sendLarge(): Promise<void> {
  const [socket] = await holdConnections(
    service.url,
    1,
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      'Transfer-Encoding: chunked\r\n\r\n',
  );
  if (socket === undefined) return;
  const chunk = Buffer.concat([
    Buffer.from('10000\r\n'),
    Buffer.alloc(65_536),
    Buffer.from('\r\n'),
  ]);
  for (let sent = 0; sent < LARGE_BYTES && socket.writable; sent += 65_536) {
    if (socket.write(chunk)) continue;
    await new Promise((go) => socket.once('drain', go).once('close', go));
  }
  socket.destroy();
}

describe('slow, idle and boundless senders', () => {
  it('do not delay healthy clients, and leak neither memory nor descriptors', async () => {
    // A process that has done some work already: its heap has found its size.
    await healthyMs(LONG ? 600 : 50);
    const before = stats();
    const idle = await holdConnections(
      service.url,
      IDLE,
      'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    );
    const slow = await holdConnections(
      service.url,
      SLOW,
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ',
    );
    const stop = dribble(slow);
    const large = Array.from({ length: LARGE }, sendLarge);
    const times = await healthyMs(LONG ? 250 : 25);
    await Promise.all(large);
    const during = stats();
    // Who never ends a header is cut off after five seconds.
    await expect
      .poll(() => slow.filter((socket) => !socket.closed).length, { timeout: 20_000 })
      .toBe(0);
    stop();
    for (const socket of idle) socket.destroy();
    await expect
      .poll(() => stats().descriptors, { timeout: 20_000 })
      .toBeLessThanOrEqual(before.descriptors + 10);
    const growth = during.memoryMb - before.memoryMb;
    const p99 = quantile(times, 0.99);
    if (LONG) console.log({ p99Ms: Math.round(p99), growthMb: Math.round(growth) });
    expect(during.descriptors).toBeGreaterThan(IDLE);
    expect(growth).toBeLessThan(LONG ? 50 : 100);
    if (LONG) expect(p99).toBeLessThan(250);
    expect(service.process.exitCode).toBeNull();
  }, 120_000);

  it('see 408 when a body never comes, and 413 when it never ends', async () => {
    const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    const [never, endless] = await Promise.all([
      askRaw(service.url, `${head}Content-Length: 10\r\n\r\n{`),
      askRaw(
        service.url,
        `${head}Transfer-Encoding: chunked\r\n\r\n20000\r\n${' '.repeat(0x20000)}\r\n`,
      ),
    ]);
    expect(never).toMatchObject({ status: 408 });
    expect(JSON.parse(never?.body ?? '')).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    expect(endless).toMatchObject({ status: 413 });
    expect(JSON.parse(endless?.body ?? '')).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});
