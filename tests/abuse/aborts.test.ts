import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exchange, toolCall } from '../support/http.ts';
import { freePort } from '../support/port.ts';
import {
  AMPLE_QUOTAS,
  launchService,
  newDatabase,
  runCommand,
  type Service,
} from '../support/service.ts';

const LARGE_BYTES = 32 * 1024 * 1024;
const host = 'Host: localhost\r\n';
const post = `POST /mcp HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\n`;
const rpc = (message: object) => {
  const body = JSON.stringify(message);
  return `${post}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
const search = rpc(toolCall('search_local_products', { query: 'presente', limit: 20 }));

let service: Service;
let opsUrl: string;
beforeAll(async () => {
  const opsPort = String(await freePort());
  opsUrl = `http://127.0.0.1:${opsPort}`;
  const dataDir = `${inject('sharedDataDir')}-aborts`;
  const env = { DATABASE_URL: await newDatabase(), DATA_DIR: dataDir, ...AMPLE_QUOTAS };
  expect(await runCommand('catalog-publish', [], env)).toMatchObject({ code: 0 });
  spoil(join(dataDir, 'releases/current'));
  service = await launchService({ env: { ...env, OPS_PORT: opsPort, LOG_LEVEL: 'debug' } });
});
afterAll(() => service?.stop());

/** Makes the file of /gpt.json larger than any socket buffer, and deletes that of /openapi.json. */
function spoil(release: string): void {
  const index = join(release, 'paths.tsv');
  const lines = readFileSync(index, 'latin1').split('\n');
  const changed = lines.map((line) => {
    if (!line.startsWith('/gpt.json\t')) return line;
    const [name, type, , , , ...rest] = line.split('\t');
    return [name, type, LARGE_BYTES, '', '', ...rest].join('\t');
  });
  writeFileSync(index, changed.join('\n'), 'latin1');
  writeFileSync(join(release, 'site/gpt.json'), Buffer.alloc(LARGE_BYTES, ' '));
  rmSync(join(release, 'site/openapi.json'));
}

/** Opens a connection, writes, and hands the socket over. */
async function open(text: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await new Promise((done) => socket.once('connect', done));
  socket.write(text);
  return socket;
}

/** What the log holds at the level of errors. */
const errors = () =>
  service
    .log()
    .split('\n')
    // The last one is not whole yet.
    .slice(0, -1)
    .filter((line) => line.startsWith('{') && JSON.parse(line).level >= 50);

/** Answers that tell of a fault of ours, by the metrics. */
async function failures(): Promise<string[]> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return text.split('\n').filter((line) => /^vitrine_requests_total.*status="5\d\d"/.test(line));
}

/** How a client goes away: by a reset, in good order, or by ending only what it sends. */
const WAYS: [string, (socket: Socket) => void][] = [
  ['resets', (socket) => socket.resetAndDestroy()],
  ['closes', (socket) => socket.destroy()],
  ['ends its side', (socket) => socket.end()],
];

const HALF = '{"jsonrpc":"2.0",';
const SITUATIONS: [string, string][] = [
  ['within the header', `GET /llms.txt HTTP/1.1\r\n${host}`],
  ['within a body of known length', `${post}Content-Length: 100\r\n\r\n${HALF}`],
  [
    'within a chunked body',
    `${post}Transfer-Encoding: chunked\r\n\r\n${HALF.length.toString(16)}\r\n${HALF}\r\n`,
  ],
  ['while it was asked for the body', `${post}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n`],
  ['while a search runs', search],
  ['behind other searches', search.repeat(3)],
  ['while statistics are read', get('/api/public/v1/merchants/101/stats').repeat(5)],
  ['while a small page is read', get('/docs')],
  ['while a large file is streamed', get('/gpt.json')],
  ['behind several large files', get('/gpt.json').repeat(3)],
  ['with a body that nobody reads', `POST / HTTP/1.1\r\n${host}Content-Length: 90000\r\n\r\n{`],
  ['after CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`],
  ['after a method that nobody knows', `BREW /llms.txt HTTP/1.1\r\n${host}\r\n`],
  ['after what is no HTTP', 'nonsense\r\n\r\n'],
];

describe.each(WAYS)('a client that %s', (_, leave) => {
  it.each(SITUATIONS)(
    '%s leaves no error in the log and no failure in the metrics',
    async (_, text) => {
      const before = { errors: errors().length, failures: await failures() };
      // At once, after a tick of the event loop, and amid the answer.
      for (const waitMs of [0, 0, 1, 3, 10, 60]) {
        const socket = await open(text);
        if (waitMs > 0) await delay(waitMs);
        leave(socket);
        await delay(5);
        socket.destroy();
      }
      await expect.poll(() => fetch(`${service.url}/llms.txt`).then((r) => r.status)).toBe(200);
      await delay(30);
      expect(errors().slice(before.errors)).toEqual([]);
      expect(await failures()).toEqual(before.failures);
      expect(service.process.exitCode).toBeNull();
    },
  );
});

describe('a fault of ours', () => {
  it('is logged and counted as before', async () => {
    const before = errors().length;
    const { status } = await exchange(service.url, {
      method: 'GET',
      path: '/openapi.json',
      headers: {},
    });
    expect(status).toBe(500);
    await expect.poll(() => errors().slice(before)).toEqual([expect.stringContaining('ENOENT')]);
    expect(await failures()).toEqual([expect.stringContaining('route="static"')]);
  });
});

describe('thousands of clients that reset their searches within a second', () => {
  const RESETS = 4000;
  const AT_ONCE = 300;
  const HEALTHY_EVERY_MS = 20;
  const PATIENCE_MS = 4000;

  it('do not block another client', async () => {
    const answers: Promise<number>[] = [];
    const ask = async () => {
      const path = '/api/public/v1/products/10002/stats';
      const signal = AbortSignal.timeout(PATIENCE_MS);
      return fetch(service.url + path, { signal }).then(
        (answer) => answer.status,
        () => 0,
      );
    };
    const healthy = setInterval(() => answers.push(ask()), HEALTHY_EVERY_MS);
    let left = RESETS;
    const resetOneByOne = async () => {
      while (left > 0) {
        left -= 1;
        const socket = await open(search);
        await delay(Math.random() * 20);
        socket.resetAndDestroy();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, resetOneByOne));
    await delay(1000);
    clearInterval(healthy);
    const statuses = await Promise.all(answers);
    const answered = statuses.filter((status) => status === 200).length;
    expect(statuses.length).toBeGreaterThan(30);
    expect(answered / statuses.length).toBeGreaterThan(0.8);
  });
});
