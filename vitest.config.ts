import { defineConfig } from 'vitest/config';

/** Suites that need the test cluster and the running service share one set-up. */
const withService = {
  globalSetup: ['tests/support/global-setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 90_000,
};

export default defineConfig({
  test: {
    reporters: ['default', './tests/support/slowest-files.ts'],
    projects: [
      // Generous: a busy machine is no fault.
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'cluster',
          include: ['tests/{cluster,deploy}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file starts a whole topology, on few cores.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'service',
          include: ['tests/{data,contract,pages,faults,abuse,load}/**/*.test.ts'],
          setupFiles: ['tests/support/validate-answers.ts'],
          ...withService,
        },
      },
    ],
  },
});
