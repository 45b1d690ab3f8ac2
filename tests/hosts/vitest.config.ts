import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/hosts/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/hosts/loopback.mjs'],
    // Telemetry of hosts is switched off by their own variables; loopback.mjs blocks the rest.
    env: {
      MCP_USE_ANONYMIZED_TELEMETRY: 'false',
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      LANGSMITH_TRACING: 'false',
      HOME: resolve('.cache/hosts'),
      NODE_OPTIONS: `--import=${resolve('tests/hosts/loopback.mjs')}`,
    },
    testTimeout: 60_000,
    hookTimeout: 90_000,
  },
});
