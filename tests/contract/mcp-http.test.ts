import { describe, expect, it } from 'vitest';
import { exchange, getJson, postRpc, sendRaw, toolCall } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const ERROR_FIELDS = ['code', 'error', 'message', 'resolution'];

describe('GET /mcp', () => {
  it('returns a discovery document', async () => {
    const { status, headers, body } = await getJson(`${url}/mcp`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('vary')).toMatch(/accept/i);
    expect(Object.keys(body)).toEqual([
      'name',
      'title',
      'version',
      'description',
      'protocolVersion',
      'supportedProtocolVersions',
      'transport',
      'remotes',
      'authentication',
      'capabilities',
      'tools',
      'limits',
      'usage_policy',
      'documentation',
    ]);
    expect(body).toMatchObject({
      version: '1.2.0',
      protocolVersion: '2025-06-18',
      transport: 'streamable-http',
      authentication: { required: false },
    });
    expect((body.tools as { name: string }[]).map(({ name }) => name)).toEqual([
      'catalog_overview',
      'search_local_products',
      'get_product',
      'search_local_offers',
      'get_offer',
    ]);
  });

  it('offers no SSE stream: 405 with Allow when Accept names text/event-stream', async () => {
    const { status, headers } = await getJson(`${url}/mcp`, {
      headers: { accept: 'text/event-stream' },
    });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, POST, OPTIONS');
  });

  it('answers HEAD as GET, without the body', async () => {
    for (const accept of ['application/json', 'text/event-stream']) {
      const ask = (method: string) =>
        exchange(url, { method, path: '/mcp', headers: { host: 'localhost', accept } });
      const [get, head] = await Promise.all([ask('GET'), ask('HEAD')]);
      expect([head.status, head.body.length]).toEqual([get.status, 0]);
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
    }
  });

  it('answers OPTIONS with 204 and CORS, and other methods with 405', async () => {
    const options = await fetch(`${url}/mcp`, { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(options.headers.get('access-control-allow-headers')).toBe(
      'Content-Type, Accept, Authorization, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, ' +
        'Mcp-Name, Last-Event-ID, traceparent, tracestate',
    );
    for (const method of ['PUT', 'DELETE', 'PATCH', 'BREW']) {
      const response = await fetch(`${url}/mcp`, { method });
      expect([method, response.status]).toEqual([method, 405]);
      expect(response.headers.get('allow')).toBe('GET, POST, OPTIONS');
      const { resolution } = (await response.json()) as { resolution: string };
      expect(resolution).toBe('Call the endpoint with GET, POST or OPTIONS');
    }
  });
});

describe('/mcp/', () => {
  it('leads to /mcp, with method and body', async () => {
    for (const path of ['/mcp/', '/mcp/?next=//evil.example']) {
      const answer = await fetch(url + path, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([308, '/mcp']);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
    expect((await postRpc(url, ping, {}, '/mcp/')).body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {},
    });
  });

  it('answers the preflight itself, which may not be redirected', async () => {
    expect((await fetch(`${url}/mcp/`, { method: 'OPTIONS' })).status).toBe(204);
  });

  it('is the only one: nothing below it and no other slash', async () => {
    const paths = ['/mcp//', '//mcp', '//mcp/', '/mcp/x', '/mcp/%2f'];
    for (const path of paths) {
      const answer = await sendRaw(
        url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect([path, answer.split(' ')[1]]).toEqual([path, '404']);
    }
  });
});

describe('POST /mcp', () => {
  it('answers one JSON-RPC object with one JSON answer; Accept: application/json alone is enough', async () => {
    const { status, headers, body } = await postRpc(url, ping, {
      'mcp-protocol-version': '2025-06-18',
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('ratelimit-policy')).toMatch(/^"mcp-requests";q=\d+;w=60$/);
    expect(body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('keeps the id as it was sent', async () => {
    for (const id of ['a', 0, -7, 12345]) {
      expect((await postRpc(url, { ...ping, id })).body.id).toBe(id);
    }
  });

  it('answers a notification with 202 and no body', async () => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    });
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
  });

  it.each([
    ['a batch', [ping], -32600],
    ['bad JSON', '{"jsonrpc":', -32700],
    ['an empty body', '', -32700],
    ['a JSON string', '"x"', -32600],
    ['null', 'null', -32600],
    ['an object without jsonrpc', { id: 1, method: 'ping' }, -32600],
    [
      'a notification whose params are no object',
      { jsonrpc: '2.0', method: 'notifications/initialized', params: [] },
      -32602,
    ],
    ['a method that is no string', { jsonrpc: '2.0', id: 1, method: 5 }, -32600],
    ['a member that JSON-RPC does not know', { ...ping, extra: 1 }, -32600],
    [
      'an id that no number of JavaScript holds',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
      -32600,
    ],
    ['a request that is an answer as well', { ...ping, result: {} }, -32600],
    ['an error that is none', { jsonrpc: '2.0', id: 1, error: 'x' }, -32600],
    [
      'nesting over 32',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(40)}${']'.repeat(40)}}}`,
      -32600,
    ],
  ])('answers %s with 400 and a JSON-RPC error', async (_, message, code) => {
    const { status, body } = await postRpc(url, message);
    expect(status).toBe(400);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  });

  it('answers a body that is not UTF-8 with 400 and -32700, rather than search for garbled words', async () => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"jsonrpc":"2.0","id":"\u00e9","method":"ping"}', 'latin1'),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('answers 415 for another content type and 413 over 64 KiB, with the four-field body', async () => {
    const text = await postRpc(url, ping, { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
    expect(Object.keys(text.body).sort()).toEqual(ERROR_FIELDS);
    const large = await postRpc(
      url,
      JSON.stringify({ ...ping, params: { x: 'a'.repeat(65_536) } }),
    );
    expect(large.status).toBe(413);
    expect(Object.keys(large.body).sort()).toEqual(ERROR_FIELDS);
  });

  it('answers 403 for a Host that is not allowed, for /mcp alone', async () => {
    const request = (path: string, host: string) =>
      sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await request('/mcp', 'evil.example')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await request('/mcp', 'localhost:1234')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await request('/mcp', '[::1]:99')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await request('/api/public/v1/products/1/stats', 'evil.example')).toMatch(/ 200 OK/);
  });

  it('answers an unknown method with -32601 and an unknown tool with -32602', async () => {
    const method = await postRpc(url, { jsonrpc: '2.0', id: 1, method: 'prompts/list' });
    expect(method.body.error).toMatchObject({ code: -32601 });
    const tool = await postRpc(url, toolCall('drop_tables', {}));
    expect(tool.body.error).toEqual({ code: -32602, message: 'Unknown tool: drop_tables' });
  });
});

describe('params that are not those of the method', () => {
  it.each([
    ['tools/call', {}],
    ['tools/list', []],
    ['tools/call', { name: 5 }],
    ['tools/call', { name: 'get_product', arguments: [] }],
    ['initialize', {}],
    ['ping', { _meta: 5 }],
    ['ping', { _meta: { progressToken: {} } }],
  ])('of %s answer -32602 with the id of the request', async (method, params) => {
    const { status, body } = await postRpc(url, { jsonrpc: '2.0', id: 'x1', method, params });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 'x1', error: { code: -32602 } });
  });

  it('do not keep an answer from being taken', async () => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":7,"result":{}}',
    });
    expect(response.status).toBe(202);
  });
});

describe('raw requests', () => {
  it('are answered with JSON errors when the parser refuses them', async () => {
    const bad = await sendRaw(url, 'NONSENSE\r\n\r\n');
    expect(bad).toMatch(/^HTTP\/1\.1 400 /);
    expect(bad).toContain('"code":"BAD_REQUEST"');
    const long = await sendRaw(url, `GET / HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(9000)}\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1\.1 431 /);
  });
});
