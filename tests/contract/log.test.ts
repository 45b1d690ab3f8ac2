import { describe, expect, it } from 'vitest';
import { readTrace } from '../../src/http/trace.ts';
import { getJson, postRpc, toolCall } from '../support/http.ts';
import { freePort } from '../support/port.ts';
import { type Service, startService } from '../support/service.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

type Line = Record<string, unknown> & { msg: string };
const linesOf = ({ log }: Service): Line[] =>
  log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const requestsOf = (service: Service) => linesOf(service).filter(({ msg }) => msg === 'request');

describe('the log', () => {
  it('tells at start and stop which program it is, its schema and its settings, without a secret', async () => {
    const service = await startService({
      SERVICE_NAME: 'Mall da Vila',
      RATE_LIMIT_STORE: `redis://:hush@127.0.0.1:${await freePort()}`,
      CLIENT_QUOTAS: '{"203.0.113.0/24": 10}',
    });
    await service.stop();
    const lines = linesOf(service);
    const program = {
      process: 'serve',
      version: '1.2.0',
      schema: expect.stringMatching(/^\d{4}$/),
    };
    expect(lines[0]).toMatchObject({ msg: 'starts', ...program });
    expect(lines[0]?.settings).toMatchObject({
      SERVICE_NAME: 'Mall da Vila',
      DATABASE_URL: 'set',
      RATE_LIMIT_STORE: 'set',
      CLIENT_QUOTAS: 'set',
    });
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped', ...program, signal: 'SIGTERM' });
    expect(service.log()).not.toMatch(/hush|postgres:\/\/|203\.0\.113/);
  });

  it('has no line a request unless ACCESS_LOG asks for it', async () => {
    const service = await startService();
    await getJson(`${service.url}/gpt/products.json?limit=1`);
    await service.stop();
    expect(requestsOf(service)).toEqual([]);
  });

  it('has one, whatever LOG_LEVEL, without query and client', async () => {
    const service = await startService({
      ACCESS_LOG: 'on',
      LOG_LEVEL: 'error',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    await getJson(`${service.url}/api/public/v1/products/10001/stats`, { headers });
    const page = await fetch(`${service.url}/buscar?q=segredo`, { headers });
    const { length } = await page.text();
    await fetch(`${service.url}/${'a'.repeat(300)}`);
    await service.stop();
    const [stats, search, long] = requestsOf(service);
    expect(stats).toEqual({
      level: 30,
      time: expect.any(String),
      request: expect.stringMatching(/^[a-z0-9]{6}-[a-z0-9]+$/),
      route: 'product-stats',
      method: 'GET',
      path: '/api/public/v1/products/10001/stats',
      status: 200,
      bytes: expect.any(Number),
      ms: expect.any(Number),
      msg: 'request',
    });
    expect(search).toMatchObject({ path: '/buscar', status: 200 });
    // It may have been compressed, and comes with its header fields.
    expect(search?.bytes).toBeGreaterThan(300);
    expect(length).toBeGreaterThan(0);
    expect(String(long?.path)).toHaveLength(200);
    expect(service.log()).not.toMatch(/segredo|203\.0\.113|"level":[^3]/);
  });
});

describe('traceparent', () => {
  it('is carried into the log, and answered where no cache would keep it for others', async () => {
    const service = await startService({ ACCESS_LOG: 'on' });
    const headers = { traceparent: TRACEPARENT };
    const found = await postRpc(
      service.url,
      toolCall('search_local_products', { query: 'pizza' }),
      headers,
    );
    const stats = await getJson(`${service.url}/api/public/v1/products/10001/stats`, { headers });
    const page = await fetch(`${service.url}/products/10001`, { headers });
    const bad = await getJson(`${service.url}/gpt/products.json`, {
      headers: { traceparent: `${TRACEPARENT}-00` },
    });
    await service.stop();
    const [span] = requestsOf(service).map((line) => line.span);
    expect(found.headers.get('traceresponse')).toBe(`00-${TRACE}-${span}-00`);
    expect(span).toMatch(/^[0-9a-f]{16}$/);
    for (const answer of [stats, page, bad])
      expect(answer.headers.has('traceresponse')).toBe(false);
    const traces = requestsOf(service).map(({ trace }) => trace);
    expect(traces).toEqual([TRACE, TRACE, TRACE, undefined]);
  });

  it('names the trace of a request that failed', async () => {
    const away = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
    const service = await startService({ DATABASE_URL: away });
    const { headers } = await getJson(`${service.url}/api/public/v1/products/1/stats`, {
      headers: { traceparent: TRACEPARENT },
    });
    await service.stop();
    const failed = linesOf(service).find(({ msg }) => msg === 'request failed');
    expect(failed).toMatchObject({ request: headers.get('x-request-id'), trace: TRACE });
  });

  it.each([
    [TRACEPARENT, true],
    [`cc${TRACEPARENT.slice(2)}`, true],
    [`cc${TRACEPARENT.slice(2)}-what-the-future-brings`, true],
    [`cc${TRACEPARENT.slice(2)}.what`, false],
    [`ff${TRACEPARENT.slice(2)}`, false],
    [`${TRACEPARENT}-`, false],
    [TRACEPARENT.toUpperCase(), false],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, false],
    [`00-${TRACE}-0000000000000000-01`, false],
    [`${TRACEPARENT}, ${TRACEPARENT}`, false],
    ['', false],
    [undefined, false],
  ])('%s is valid: %s', (field, valid) => {
    expect(readTrace(field)?.id).toBe(valid ? TRACE : undefined);
  });
});
