// Sets up what a command needs, then runs it under the right Node: node scripts/setup.mjs COMMAND …
// Plain JavaScript that any Node >= 18 runs, because on a fresh clone nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MODULES = join(ROOT, 'node_modules');
const LEAST_NODE = [22, 18];
const [command = 'start', ...args] = process.argv.slice(2);

const ASTRO = join('node_modules', 'astro', 'bin', 'astro.mjs');
/** What each command runs, and whether it needs the built pages, devDependencies, or a separate folder of packages. */
const COMMANDS = {
  start: { program: 'scripts/start.ts', built: true },
  serve: { program: 'scripts/serve.ts', built: true },
  jobs: { program: 'scripts/jobs.ts', built: true },
  dev: { program: ASTRO, first: ['dev'], development: true },
  build: { program: ASTRO, first: ['build'] },
  test: { program: 'scripts/test.ts', built: true, development: true },
  'test-hosts': {
    program: 'scripts/test.ts',
    first: ['--config', 'tests/hosts/vitest.config.ts'],
    built: true,
    packages: 'tests/hosts',
    development: true,
  },
  soak: { program: 'scripts/soak.ts', development: true },
  check: { program: 'scripts/check.ts', development: true },
  bench: {
    program: 'scripts/bench.ts',
    built: true,
    packages: 'tests/bench',
    development: true,
  },
  'search-eval': { program: 'scripts/search-eval.ts', built: true, development: true },
  pictures: { program: 'scripts/pictures.ts', development: true },
  'lexicon-check': { program: 'scripts/lexicon-check.ts' },
  'lexicon-build': { program: 'scripts/lexicon-build.ts' },
  'db-migrate': { program: 'scripts/db-migrate.ts' },
  'db-url': { program: 'scripts/db-url.ts' },
  'catalog-import': { program: 'scripts/catalog-import.ts' },
  'catalog-publish': { program: 'scripts/catalog-publish.ts', built: true },
  'catalog-sync': { program: 'scripts/catalog-sync.ts' },
  'stats-import': { program: 'scripts/stats-import.ts' },
  'stats-snapshot': { program: 'scripts/stats-snapshot.ts' },
};

function fail(message) {
  process.stderr.write(`vitrine: ${message}\n`);
  process.exit(1);
}

function tell(message) {
  process.stderr.write(`vitrine: ${message}\n`);
}

function sha256(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

function isMarked(path, value) {
  return existsSync(path) && readFileSync(path, 'utf8') === value;
}

/** Installs the packages of a folder, without the `omitted` kinds, unless present. */
function install(folder, what, omitted = []) {
  const mark = join(ROOT, folder, 'node_modules', '.vitrine-installed');
  const whole = sha256([join(folder, 'package-lock.json')]);
  const wanted = [whole, ...omitted].join(' ');
  if (isMarked(mark, wanted) || isMarked(mark, whole)) return;
  tell(`installing ${what} (once; about a minute) …`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // `npm ci` would first remove packages that a running service uses; `npm install` only adds.
  const verb = isMarked(mark, `${whole} dev`) ? ['install', '--no-save'] : ['ci'];
  const omit = omitted.map((kind) => `--omit=${kind}`);
  // By default, npm takes two minutes to report a missing network.
  const patience = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const flags = [...verb, '--no-audit', '--no-fund', '--loglevel=error', ...patience, ...omit];
  const options = { cwd: join(ROOT, folder), stdio: ['ignore', 2, 2] };
  const { status, error } = spawnSync(npm, flags, options);
  if (error) fail(`npm is needed to install ${what}, and could not be run (${error.message})`);
  if (status !== 0)
    fail(
      `npm ${verb[0]} for ${what} failed (see its output above); check that the npm registry can be reached`,
    );
  writeFileSync(mark, wanted);
}

function fits(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
}

/** Returns the Node installed as a dependency if there is one for this machine, else the current one. */
function fittingNode() {
  const bundled = join(MODULES, '.bin', 'node');
  const { status, stdout } = spawnSync(bundled, ['--version'], { encoding: 'utf8' });
  if (status === 0 && fits(stdout.trim())) return bundled;
  if (fits(process.version)) return process.execPath;
  return fail(
    `Node >= ${LEAST_NODE.join('.')} is needed, this is ${process.version}: install it from nodejs.org`,
  );
}

function sources(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : [path];
  });
}

function build(node, env) {
  const files = [...sources('src'), ...sources('public'), 'astro.config.mjs', 'package-lock.json'];
  const wanted = sha256(files.filter((file) => !file.endsWith('.ndjson')).sort());
  const mark = join(ROOT, 'dist', '.vitrine-built');
  if (isMarked(mark, wanted)) return;
  tell('building the pages …');
  const options = { cwd: ROOT, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  const { status, stdout, stderr } = spawnSync(node, [ASTRO, 'build'], options);
  if (status !== 0) fail(`astro build failed:\n${stdout}\n${stderr}`);
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, wanted);
}

const task = COMMANDS[command];
if (!task) fail(`unknown command ${command}; there are: ${Object.keys(COMMANDS).join(', ')}`);
install('.', 'the dependencies', task.development ? [] : ['dev']);
const wantsHelp = args.includes('--help');
// What these packages bring along for other platforms and uses is of no use here.
if (task.packages && !wantsHelp)
  install(task.packages, `the packages of ${task.packages}`, ['optional', 'peer']);
const node = fittingNode();
const env = {
  ...process.env,
  PATH: `${join(MODULES, '.bin')}:${process.env.PATH ?? ''}`,
  ASTRO_TELEMETRY_DISABLED: '1',
};
if (task.built && !wantsHelp) build(node, env);

const child = spawn(node, [task.program, ...(task.first ?? []), ...args], {
  cwd: ROOT,
  env,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`could not run ${task.program}: ${error.message}`));
child.on('exit', (code, signal) => process.exit(signal === null ? code : 128));
