import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Ends a report with the test files that took longest. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SHOWN);
    if (modules.length <= SHOWN) return;
    const rows = slowest.map(
      ({ file, ms }) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`,
    );
    process.stdout.write(`\nThe slowest files:\n${rows.join('\n')}\n`);
  }
}
