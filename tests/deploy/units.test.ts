import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const UNITS = ['vitrine-serve@.service', 'vitrine-jobs.service', 'vitrine-sync@.service'];
const ANALYZE = '/usr/bin/systemd-analyze';
/** Of 100; a service without any hardening has 96. */
const MOST_EXPOSURE = 25;

const read = (unit: string) => readFileSync(join('scripts/deploy', unit), 'utf8');

describe('the units of systemd', () => {
  it.each(UNITS)('%s starts a command that is there, as another user than root', (unit) => {
    const text = read(unit);
    const [, program = '', script = ''] =
      /^ExecStart=\/opt\/vitrine\/(\S+) (\S+)/m.exec(text) ?? [];
    expect([program, script].map((path) => existsSync(path))).toEqual([true, true]);
    expect(text).toMatch(/^User=vitrine$/m);
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]);
    // src/server/serve.ts drains for 5 s, src/service.ts writes views for 3 s, and the pool ends in 1 s.
    expect(seconds).toBeGreaterThan(5 + 3 + 1);
  });

  it.runIf(existsSync(ANALYZE)).each(UNITS)(
    '%s passes systemd-analyze verify and security',
    (unit) => {
      const folder = mkdtempSync(join(tmpdir(), 'vitrine-units-'));
      const copy = join(folder, unit.replace('@.', '@4321.'));
      const user = process.env.USER ?? 'root';
      // The program has to be there, and the user known.
      const text = read(unit)
        .replaceAll('/opt/vitrine', resolve('.'))
        .replaceAll('=vitrine\n', `=${user}\n`);
      writeFileSync(copy, text);
      const verified = spawnSync(ANALYZE, ['verify', copy], { encoding: 'utf8' });
      const exposed = spawnSync(
        ANALYZE,
        ['security', '--offline=true', `--threshold=${MOST_EXPOSURE}`, copy],
        { encoding: 'utf8' },
      );
      rmSync(folder, { recursive: true });
      const about = `${verified.stderr}`.split('\n').filter((line) => line.includes('vitrine-'));
      expect([verified.status, about]).toEqual([0, []]);
      expect([exposed.status, exposed.stderr]).toEqual([0, '']);
    },
  );
});
