import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../src/domain/errors.ts';
import { freePort } from '../support/port.ts';
import { askRaw, holdConnections } from '../support/raw-client.ts';
import { AMPLE_QUOTAS, sharedService, startService } from '../support/service.ts';

const { url } = sharedService();
const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n\r\n`;
const get = (...fields: string[]) => lines('GET /llms.txt HTTP/1.1', ...fields);
const post = (...fields: string[]) =>
  lines('POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...fields);
const GIGABYTE = 1_000_000_000;

describe('the gate', () => {
  it.each([
    ['header fields over 8 KB', get('Host: localhost', `X: ${'a'.repeat(8192)}`), 431],
    ['a target over 8 KB', lines(`GET /${'a'.repeat(9000)} HTTP/1.1`, 'Host: localhost'), 431],
    ['no Host', get('Accept: */*'), 400],
    ['two Host fields', get('Host: localhost', 'Host: evil.example'), 400],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a field without a colon', get('Host: localhost', 'nonsense'), 400],
    ['a space before the colon', get('Host: localhost', 'Content-Length : 3'), 400],
    ['a folded field', get('Host: localhost', 'X: a', ' b'), 400],
    ['a control character in a field', get('Host: localhost', 'X: a\x00b'), 400],
    ['two lengths', post('Content-Length: 1', 'Content-Length: 2'), 400],
    ['a length and chunks', post('Content-Length: 3', 'Transfer-Encoding: chunked'), 400],
    ['an unknown transfer coding', post('Transfer-Encoding: chunked, gzip'), 400],
    ['a chunk size that is none', `${post('Transfer-Encoding: chunked')}zz\r\n`, 400],
    ['a negative length', post('Content-Length: -1'), 400],
    ['a target without a path', lines('GET llms.txt HTTP/1.1', 'Host: localhost'), 400],
    ['an asterisk', lines('OPTIONS * HTTP/1.1', 'Host: localhost'), 400],
    ['CONNECT', lines('CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443'), 405],
    ['a method that nobody knows', lines('BREW /llms.txt HTTP/1.1', 'Host: localhost'), 405],
    ['one at an unknown API path', lines('BREW /api/x HTTP/1.1', 'Host: localhost'), 404],
    ['one for another host', lines('BREW /mcp HTTP/1.1', 'Host: evil.example'), 403],
    ['one without a version', lines('BREW /llms.txt'), 400],
    ['TRACE', lines('TRACE / HTTP/1.1', 'Host: localhost'), 405],
    ['another host at /mcp', lines('GET /mcp HTTP/1.1', 'Host: evil.example'), 403],
    [
      'another host at /mcp behind a full target',
      lines('GET http://localhost/mcp HTTP/1.1', 'Host: evil.example'),
      403,
    ],
    ['a body declared too large', post(`Content-Length: ${GIGABYTE}`), 413],
    [
      'a body declared too large, before it is asked for',
      post(`Content-Length: ${GIGABYTE}`, 'Expect: 100-continue'),
      413,
    ],
  ])('refuses %s in the documented shape', async (_, text, status) => {
    const answer = await askRaw(url, Buffer.from(text, 'latin1'));
    expect(answer).toMatchObject({ status });
    expect(errorSchema.parse(JSON.parse(answer?.body ?? '')).error).not.toBe('');
    expect(answer?.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      date: expect.stringMatching(/ GMT$/),
    });
    expect('allow' in (answer?.headers ?? {})).toBe(status === 405);
  });

  it('outlives resets after CONNECT, whose socket Node hands over without a listener', async () => {
    const service = await startService(AMPLE_QUOTAS);
    const tunnel = lines('CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443');
    try {
      for (let reset = 0; reset < 100; reset += 1) {
        const [socket] = await holdConnections(service.url, 1, tunnel);
        socket?.resetAndDestroy();
      }
      expect((await fetch(`${service.url}/llms.txt`)).status).toBe(200);
      expect(service.process.exitCode).toBeNull();
    } finally {
      await service.stop();
    }
  });

  it('answers nothing after a request with ambiguous framing', async () => {
    const smuggled = lines('GET /gpt.json HTTP/1.1', 'Host: localhost');
    const text = `${post('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`;
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    for await (const chunk of socket) received += chunk;
    expect(received.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('refuses deep nesting before it is parsed, in the shape of JSON-RPC', async () => {
    for (const [depth, status] of [
      [31, 200],
      [32, 400],
    ] as const) {
      const params = `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
      const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`;
      const answer = await askRaw(url, `${post(`Content-Length: ${body.length}`)}${body}`);
      expect([depth, answer?.status]).toEqual([depth, status]);
    }
  });

  it('answers 408 to an endless header or body, and closes', async () => {
    const unended = [
      'GET / HTTP/1.1\r\nHost: localhost\r\n',
      `${post('Content-Length: 10')}{`,
      `${post('Transfer-Encoding: chunked')}5\r\n{`,
    ];
    const answers = await Promise.all(unended.map((text) => askRaw(url, text, 20_000)));
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 408 });
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    }
  });

  it('closes connections that send nothing', async () => {
    const [silent] = await holdConnections(url, 1);
    await expect.poll(() => silent?.closed, { timeout: 20_000 }).toBe(true);
  });

  it('accepts new connections when idle ones have used up the cap', async () => {
    const opsPort = String(await freePort());
    const service = await startService({ ...AMPLE_QUOTAS, OPS_PORT: opsPort });
    const idle = await holdConnections(service.url, 8192 + 50, get('Host: localhost'));
    try {
      const metrics = async () => (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      await expect
        .poll(metrics, { timeout: 15_000 })
        .toMatch(/^vitrine_connections_refused_total [1-9]/m);
      const status = () =>
        askRaw(service.url, get('Host: localhost')).then((answer) => answer?.status);
      await expect.poll(status, { timeout: 15_000 }).toBe(200);
    } finally {
      for (const socket of idle) socket.destroy();
      await service.stop();
    }
  });
});
