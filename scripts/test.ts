import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fail, readArguments } from './command.ts';

const HELP = `
Usage: npm test [-- VITEST_ARGUMENTS]; npm run test:hosts [-- VITEST_ARGUMENTS]

Everything the tests need (a browser, Redis, nginx, curl, rsync and xmllint from the system's packages
included), then the whole suite, or that of other people's hosts. CHROMIUM_PATH, REDIS_SERVER_PATH,
NGINX_PATH, CURL_PATH, RSYNC_PATH and XMLLINT_PATH name programs that are installed elsewhere.`;

/** Programs that the tests run for real, and the Debian packages that hold them. */
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
    packages: ['nginx', 'libnginx-mod-http-brotli-static'],
  },
  { variable: 'RSYNC_PATH', paths: ['/usr/bin/rsync'], packages: ['rsync'] },
  {
    variable: 'XMLLINT_PATH',
    paths: ['/usr/bin/xmllint', '/opt/homebrew/bin/xmllint'],
    packages: ['libxml2-utils'],
  },
];

function find({ variable, paths }: (typeof PROGRAMS)[number]): string | undefined {
  const named = process.env[variable];
  return (named === undefined ? paths : [named]).find((path) => existsSync(path));
}

function installMissing(): void {
  const packages = PROGRAMS.filter((program) => !find(program)).flatMap(
    (program) => program.packages,
  );
  if (packages.length === 0) return;
  const command = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    fail(`the tests need ${packages.join(' and ')}; install them, on Debian as root: ${command}`);
  }
  process.stderr.write(`vitrine: installing ${packages.join(', ')} for the tests (once) …\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stderr } = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' });
  if (status !== 0) fail(`could not install ${packages.join(' and ')}:\n${stderr}`);
}

if (process.argv.includes('--help')) readArguments(HELP, { config: { type: 'string' } });
installMissing();
for (const program of PROGRAMS) process.env[program.variable] = find(program);
const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
