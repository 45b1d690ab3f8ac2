import { defineConfig } from 'vitest/config';

/** What takes long: ends and abuse of processes, random histories, graded sets. `npm run test:all` has them too. */
const LONG = [
  'tests/{faults,abuse,load}/**/*.test.ts',
  'tests/contract/{boundary,publish-death,releases,search-eval,start}.test.ts',
  'tests/data/{no-past,publish-changes,search,top-k}.test.ts',
  'tests/pages/quality.test.ts',
];

/** Suites that need the test cluster and the running service share one set-up. */
const withService = {
  globalSetup: ['tests/support/global-setup.ts'],
  setupFiles: ['tests/support/validate-answers.ts'],
  testTimeout: 60_000,
  hookTimeout: 90_000,
};

export default defineConfig({
  test: {
    reporters: ['default', './tests/support/slowest-files.ts'],
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        test: {
          name: 'service',
          include: ['tests/{data,contract,pages}/**/*.test.ts'],
          exclude: LONG,
          ...withService,
        },
      },
      { test: { name: 'long', include: LONG, ...withService } },
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
    ],
  },
});
