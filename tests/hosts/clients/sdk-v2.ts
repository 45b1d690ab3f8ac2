import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { type Connect, textOf } from '../session.ts';

/** The official SDK, second major, in one of the modes in which it agrees on a version. */
export function connectIn(mode: VersionNegotiationMode): Connect {
  return async (url) => {
    const info = { name: 'vitrine-hosts', version: '1.0.0' };
    const client = new Client(info, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return {
      listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
      async callTool(name, args) {
        const { content } = await client.callTool({ name, arguments: args });
        return textOf(content);
      },
      close: () => client.close(),
    };
  };
}

/** Never asks: the handshake of 2025. */
export const connectLegacy = connectIn('legacy');
/** Asks `server/discover` first, and would fall back to the handshake. */
export const connectAuto = connectIn('auto');
/** Speaks 2026-07-28 or nothing. */
export const connectModern = connectIn({ pin: '2026-07-28' });
