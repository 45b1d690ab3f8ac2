import { describe, expect, it } from 'vitest';
import { postRpc } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('the protocol version', () => {
  it.each([
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2025-11-25', '2025-06-18'],
    ['2026-07-28', '2025-06-18'],
    ['2024-11-05', '2025-06-18'],
    ['nonsense', '2025-06-18'],
  ])('answers initialize with %s by %s, whatever its header offers', async (offered, spoken) => {
    // The AI SDK names the newest version that it knows in the header of initialize itself.
    for (const header of [undefined, offered, '2025-11-25', '2024-11-05', 'x']) {
      const { status, body } = await postRpc(
        url,
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: offered,
            capabilities: {},
            clientInfo: { name: 't', version: '1' },
          },
        },
        header === undefined ? {} : { 'mcp-protocol-version': header },
      );
      expect([header, status]).toEqual([header, 200]);
      expect(body.result).toMatchObject({
        protocolVersion: spoken,
        capabilities: { tools: {}, resources: {}, completions: {} },
        instructions: expect.stringMatching(/canonical link/),
      });
    }
  });

  it('takes later requests of every revision whose wire format it speaks, and answers 400 to others', async () => {
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const { status } = await postRpc(url, ping, { 'mcp-protocol-version': version });
      expect([version, status]).toEqual([version, 200]);
    }
    expect((await postRpc(url, ping)).status).toBe(200);
    for (const version of ['2024-11-05', '2026-07-28', '2099-01-01', 'x']) {
      const { status, body } = await postRpc(url, ping, { 'mcp-protocol-version': version });
      expect([version, status]).toEqual([version, 400]);
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: 'Unsupported protocol version; supported: 2025-11-25, 2025-06-18, 2025-03-26',
        },
      });
    }
  });
});
