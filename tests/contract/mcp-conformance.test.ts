import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startMcpFixture } from '../support/mcp-fixture.ts';
import { sharedService } from '../support/service.ts';

const { url, databaseUrl } = sharedService();

/** Runs the conformance runner against a server; its exit code and what it printed. */
function runConformance(base: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    execFile(
      'node_modules/.bin/conformance',
      ['server', '--url', `${base}/mcp`, ...args],
      { timeout: 120_000, maxBuffer: 2 ** 24 },
      (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    );
  });
}

/** Every applicable scenario; the baseline lists the rest, and the runner has no more. */
const APPLYING = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'dns-rebinding-protection',
];

describe('the official conformance scenarios', () => {
  it('pass on the transport and protocol code, but for those that the baseline explains', async () => {
    const fixture = await startMcpFixture(databaseUrl);
    try {
      const { code, output } = await runConformance(fixture.url, [
        '--suite=all',
        '--expected-failures=tests/conformance/baseline.yml',
      ]);
      expect([code, code === 0 ? '' : output]).toEqual([0, '']);
      for (const scenario of APPLYING) {
        expect(output).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
      }
    } finally {
      await fixture.close();
    }
  }, 150_000);

  it.each([
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'dns-rebinding-protection',
  ])('%s passes on the catalog server itself', async (scenario) => {
    const { code, output } = await runConformance(url, [`--scenario=${scenario}`]);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
  });
});
