import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tests start hundreds of servers and commands: compiled once, each is up in two thirds of the time.
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compiled');

/** Times how pages load. */
const LIGHTHOUSE = 'tests/pages/quality.test.ts';

/**
 * Slow tests, and those of operation or of what the specification does not ask for: not part of plain `npm test`, like
 * the projects after `service`.
 */
const LONG = [
  'tests/contract/{boundary,jobs,lists,log,mall,messages,nginx}.test.ts',
  'tests/contract/{publish-death,real-titles,releases,search-eval,start}.test.ts',
  'tests/data/{no-past,publish-changes,reference,schema,search}.test.ts',
  'tests/data/{search-index,search-work,submit-random,top-k}.test.ts',
  'tests/pages/{accessibility,browser-module,webmcp}.test.ts',
  'tests/pages/{widgets,widgets-live,widgets-states}.test.ts',
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
    // By default one core less; but most tests wait for processes that they started.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          // Pure code: a process loads the packages once for all its files.
          isolate: false,
          // Generous: a busy machine is no fault.
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'service',
          include: ['tests/{data,contract,pages}/**/*.test.ts'],
          exclude: [LIGHTHOUSE, ...LONG],
          ...withService,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'long',
          include: LONG,
          ...withService,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'alone',
          include: ['tests/{faults,abuse,load}/**/*.test.ts', LIGHTHOUSE],
          ...withService,
          // They break, overload or time things: one at a time.
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['tests/{cluster,deploy}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file starts a whole topology, on few cores.
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
