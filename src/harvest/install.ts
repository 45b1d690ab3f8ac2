import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('./packages.json', import.meta.url));
const FOLDER = fileURLToPath(
  new URL('../../node_modules/.cache/vitrine-harvest/', import.meta.url),
);

/** Installs the pinned sources in a cache folder and returns its node_modules. */
export function installSources(): string {
  mkdirSync(FOLDER, { recursive: true });
  const wanted = readFileSync(PACKAGES, 'utf8');
  writeFileSync(join(FOLDER, 'package.json'), wanted);
  const flags = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const { status, error } = spawnSync('npm', flags, { cwd: FOLDER, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    throw new Error(`cannot install the lexicon sources: ${error ?? 'see the npm output above'}`);
  }
  return join(FOLDER, 'node_modules');
}
