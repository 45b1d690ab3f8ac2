import { describe, expect, it } from 'vitest';
import { postRpc } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const base = url.replace('127.0.0.1', 'localhost');
const META = 'io.modelcontextprotocol/';
const VERSION = '2026-07-28';

const envelope = {
  [`${META}protocolVersion`]: VERSION,
  [`${META}clientInfo`]: { name: 'test', version: '1' },
  [`${META}clientCapabilities`]: {},
};

/** What a client of this era sends: the envelope in the body, version, method and name in the header. */
function ask(
  method: string,
  params: Record<string, unknown> = {},
  { meta = envelope, fields = {} }: { meta?: object; fields?: Record<string, string> } = {},
) {
  const name = params.name ?? params.uri;
  const headers = {
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    ...fields,
  };
  const message = { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: meta } };
  return postRpc(url, message, headers);
}

describe('MCP 2026-07-28, without a handshake', () => {
  it('is discovered: version, capabilities, use rules and who answers', async () => {
    const { status, body } = await ask('server/discover');
    expect(status).toBe(200);
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        supportedVersions: [VERSION],
        capabilities: { tools: {}, resources: {}, completions: {} },
        instructions: expect.stringMatching(/canonical link/),
        resultType: 'complete',
        ttlMs: 300_000,
        cacheScope: 'public',
        _meta: { [`${META}serverInfo`]: expect.objectContaining({ name: 'vitrine' }) },
      },
    });
  });

  it.each([
    ['tools/list', {}],
    ['tools/call', { name: 'get_product', arguments: { product_id: 10001 } }],
    ['tools/call', { name: 'get_product', arguments: { product_id: 'x' } }],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: `${base}/offers/-1` }],
  ])('%s %j answers as the handshake would, in the new envelope', async (method, params) => {
    const { body: modern } = await ask(method, params);
    const { body: before } = await postRpc(url, { jsonrpc: '2.0', id: 7, method, params });
    const { resultType, ttlMs, cacheScope, _meta, ...result } = modern.result as Record<
      string,
      unknown
    >;
    expect([resultType, result]).toEqual(['complete', before.result]);
    expect(_meta).toHaveProperty([`${META}serverInfo`]);
    const kept = method === 'resources/read' ? 0 : 300_000;
    expect([ttlMs, cacheScope]).toEqual(
      method === 'tools/call' ? [undefined, undefined] : [kept, 'public'],
    );
  });

  it('reads a name that is no ASCII from its encoded header field', async () => {
    const uri = 'vitrine://search/offers?query=lasanha à bolonhesa';
    const encoded = `=?base64?${Buffer.from(uri).toString('base64')}?=`;
    const { status, body } = await ask(
      'resources/read',
      { uri },
      { fields: { 'mcp-name': encoded } },
    );
    expect([status, body.error]).toEqual([200, undefined]);
  });

  it.each([
    ['no version in the header', { 'mcp-protocol-version': '' }],
    ['another version in the header', { 'mcp-protocol-version': '2025-06-18' }],
    ['no method in the header', { 'mcp-method': '' }],
    ['another method in the header', { 'mcp-method': 'tools/list' }],
    ['no name in the header', { 'mcp-name': '' }],
    ['another name in the header', { 'mcp-name': 'get_offer' }],
  ])('refuses a call with %s: 400, -32020', async (_, fields) => {
    const params = { name: 'get_product', arguments: { product_id: 10001 } };
    const { status, body } = await ask('tools/call', params, { fields });
    expect(status).toBe(400);
    expect(body).toMatchObject({ id: 7, error: { code: -32020 } });
  });

  it('refuses another version of this era with those that are spoken, and an envelope with a gap', async () => {
    const later = { ...envelope, [`${META}protocolVersion`]: '2099-01-01' };
    const fields = { 'mcp-protocol-version': '2099-01-01' };
    const version = await ask('tools/list', {}, { meta: later, fields });
    expect(version.status).toBe(400);
    expect(version.body).toMatchObject({
      id: 7,
      error: { code: -32022, data: { supported: [VERSION], requested: '2099-01-01' } },
    });
    const gap = await ask('tools/list', {}, { meta: { [`${META}protocolVersion`]: VERSION } });
    expect([gap.status, gap.body.error]).toMatchObject([400, { code: -32602 }]);
  });

  it.each(['ping', 'prompts/list', 'subscriptions/listen', 'toString'])(
    'knows no %s: 404, -32601',
    async (method) => {
      const { status, body } = await ask(method);
      expect([status, body.error]).toMatchObject([404, { code: -32601 }]);
    },
  );

  it('has no code of its own for a resource or a tool that is not there', async () => {
    const resource = await ask('resources/read', { uri: 'vitrine://nothing' });
    expect(resource.body.error).toMatchObject({ code: -32602, data: { uri: 'vitrine://nothing' } });
    expect((await ask('tools/call', { name: 'buy' })).body.error).toMatchObject({ code: -32602 });
  });

  it('accepts a notification silently', async () => {
    const params = { requestId: 1, _meta: envelope };
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    const { status } = await postRpc(url, message, { 'mcp-protocol-version': VERSION });
    expect(status).toBe(202);
  });
});

describe('a client of the era before', () => {
  it('sees none of the new codes and fields', async () => {
    for (const version of [undefined, '2025-03-26', '2025-06-18', '2025-11-25', VERSION, 'x']) {
      for (const method of ['initialize', 'ping', 'server/discover', 'tools/list', 'nothing']) {
        const fields = version === undefined ? undefined : { 'mcp-protocol-version': version };
        const message = { jsonrpc: '2.0', id: 1, method, params: {} };
        const { body } = await postRpc(url, message, fields);
        expect(JSON.stringify(body)).not.toMatch(/-3202\d|resultType|ttlMs|cacheScope|serverInfo/);
      }
    }
  });
});
