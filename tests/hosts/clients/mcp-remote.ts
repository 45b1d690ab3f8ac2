import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Connect } from '../session.ts';
import { connectThrough } from './sdk-v1.ts';

/** mcp-remote, which hosts that speak stdio alone start as a bridge. */
export const connect: Connect = (url) =>
  connectThrough(
    new StdioClientTransport({
      command: process.execPath,
      args: ['tests/hosts/node_modules/mcp-remote/dist/proxy.js', url, '--transport', 'http-only'],
      env: { HOME: process.env.HOME ?? '' },
      stderr: 'pipe',
    }),
  );
