import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-command-'));
const file = join(folder, 'vitrine.env');
const URL_WITH_ALL = 'postgres://ana:s&c$r"t#%20x@db1/mall?sslmode=disable&application_name=a';
writeFileSync(
  file,
  [
    '# what systemd reads',
    '; as well',
    '',
    `DATABASE_URL=${URL_WITH_ALL}`,
    `DATA_DIR="${folder}/data of the mall"`,
    "SERVICE_NAME='Mall da Vila'",
  ].join('\n'),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: process.env.PATH, VITRINE_ENV_FILE: file, ...env },
  });
  return { status, stdout, stderr };
}
const vitrine = (args: string[], env: Record<string, string> = {}) =>
  run(resolve('scripts/deploy/vitrine'), args, { VITRINE_USER: userInfo().username, ...env });

describe('scripts/deploy/vitrine', () => {
  it('runs a command with the environment of the units, taken as systemd takes it', () => {
    expect(vitrine(['db:url'])).toEqual({ status: 0, stdout: `${URL_WITH_ALL}\n`, stderr: '' });
  });

  it('takes files from where it was called', () => {
    const { stderr } = vitrine(['catalog:import', 'nowhere.ndjson']);
    expect(stderr).toBe(`vitrine: there is no file ${join(folder, 'nowhere.ndjson')}\n`);
  });

  it.each([
    [[], {}, /usage: vitrine COMMAND/],
    [['start'], {}, /no command start for operators/],
    [['db:drop'], {}, /no command db:drop/],
    [['db:url'], { VITRINE_USER: 'nobody-here' }, /no user nobody-here/],
    [['db:url'], { VITRINE_ENV_FILE: '/nowhere' }, /\/nowhere cannot be read/],
  ])('%o is refused by name', (args, env, words) => {
    const { status, stderr } = vitrine(args, env);
    expect(status).toBe(1);
    expect(stderr).toMatch(words);
  });

  it.runIf(process.getuid?.() === 0)('runs it as the user of the units', () => {
    const told = join(folder, 'setpriv');
    writeFileSync(told, '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    const { stdout } = vitrine(['db:url'], {
      VITRINE_USER: 'nobody',
      PATH: `${folder}:${process.env.PATH}`,
    });
    expect(stdout).toMatch(
      /^--reuid=65534 --regid=65534 --init-groups -- \S+node scripts\/db-url\.ts$/m,
    );
  });
});

describe('on an installed system a command without DATABASE_URL', () => {
  it.each(['db-migrate', 'catalog-publish', 'stats-snapshot', 'serve', 'jobs', 'start'])(
    '%s makes no embedded database',
    (name) => {
      const data = join(folder, `data-${name}`);
      const { status, stderr } = run(process.execPath, [resolve(`scripts/${name}.ts`)], {
        DATA_DIR: data,
        PORT: '0',
      });
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /DATABASE_URL is not set, and .*vitrine\.env says .* installed system/,
      );
      expect(readdirSync(folder)).not.toContain(`data-${name}`);
    },
  );
});
