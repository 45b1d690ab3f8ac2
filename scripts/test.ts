import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fail, readArguments } from './command.ts';

const HELP = `
Usage: npm test [-- VITEST_ARGUMENTS]; npm run test:all; npm run test:hosts

Installs what the tests need, system packages included (a browser, Redis, nginx, curl, rsync, xmllint; for
tests/deploy also promtool, systemd and Postgres), then runs them.
  npm test              the contract of the product; with arguments: the files they name, in any suite
  npm run test:all      the whole suite: also faults, abuse, load, random histories, graded sets, operation
  npm run test:hosts    other people's MCP hosts

CHROMIUM_PATH, REDIS_SERVER_PATH, NGINX_PATH, CURL_PATH, RSYNC_PATH and XMLLINT_PATH point to programs installed
elsewhere.`;

/** The projects of plain `npm test`; see `LONG` in vitest.config.ts. */
const CONTRACT = ['--project=unit', '--project=service'];

/** Programs that the tests run, and their Debian packages. */
const PROGRAMS = [
  {
    variable: 'CHROMIUM_PATH',
    paths: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
    packages: ['chromium', 'fonts-dejavu-core'],
  },
  {
    variable: 'REDIS_SERVER_PATH',
    paths: ['/usr/bin/redis-server', '/usr/bin/valkey-server', '/usr/local/bin/redis-server'],
    packages: ['redis-server'],
  },
  { variable: 'CURL_PATH', paths: ['/usr/bin/curl'], packages: ['curl'] },
  {
    variable: 'NGINX_PATH',
    paths: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'],
    packages: ['nginx'],
  },
  { variable: 'RSYNC_PATH', paths: ['/usr/bin/rsync'], packages: ['rsync'] },
  {
    variable: 'XMLLINT_PATH',
    paths: ['/usr/bin/xmllint', '/opt/homebrew/bin/xmllint'],
    packages: ['libxml2-utils'],
  },
];

/** Optional programs of tests/deploy, package by path; walking through the runbook needs a whole Debian. */
const ALERTS = { '/usr/bin/promtool': 'prometheus' };
const WALK = {
  '/lib/systemd/systemd': 'systemd',
  '/usr/sbin/adduser': 'adduser',
  '/bin/ip': 'iproute2',
  '/usr/bin/pg_createcluster': 'postgresql',
};

function find({ variable, paths }: (typeof PROGRAMS)[number]): string | undefined {
  const named = process.env[variable];
  return (named === undefined ? paths : [named]).find((path) => existsSync(path));
}

function installMissing(wishes: Record<string, string>): void {
  const needed = PROGRAMS.filter((program) => !find(program)).flatMap(
    (program) => program.packages,
  );
  const isRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  const wished = Object.entries(isRoot ? wishes : {})
    .filter(([path]) => !existsSync(path))
    .map(([, name]) => name);
  const packages = [...needed, ...wished];
  if (packages.length === 0) return;
  const command = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (!isRoot) {
    fail(`the tests need ${packages.join(' and ')}; install them, on Debian as root: ${command}`);
  }
  process.stderr.write(`vitrine: installing ${packages.join(', ')} for the tests (once) …\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stderr } = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' });
  if (status !== 0) fail(`could not install ${packages.join(' and ')}:\n${stderr}`);
}

const given = process.argv.slice(2);
if (given.includes('--help'))
  readArguments(HELP, { all: { type: 'boolean' }, config: { type: 'string' } });
const deploys = given.some((one) => one === '--all' || one.includes('deploy'));
const walks = deploys && process.env.SUITE_LONG === '1';
installMissing({ ...(deploys ? ALERTS : {}), ...(walks ? WALK : {}) });
for (const program of PROGRAMS) process.env[program.variable] = find(program);
const suites = given.length === 0 ? CONTRACT : given.filter((one) => one !== '--all');
const { status } = spawnSync('vitest', ['run', ...suites], { stdio: 'inherit' });
process.exit(status ?? 1);
