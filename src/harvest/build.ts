import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { indexSources } from '../understand/lexicon/index-forms.ts';
import { readSources } from '../understand/lexicon/lexicon.ts';
import { alignConcepts, type Harvest } from './align.ts';
import { readConcepts } from './sources.ts';

/** Builds the harvest text from the sources in a node_modules folder; deterministic. */
export function buildHarvest(modules: string): string {
  const written = indexSources({ ...readSources(), harvest: '' }, 'without harvest');
  return writeHarvest(alignConcepts(readConcepts(modules), written));
}

/** Compresses a harvest at brotli's maximum quality, since it is committed. */
export function compressHarvest(text: string): Buffer {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
}

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

/** Serialises a harvest in the lexicon's format: needs, then forms by language, all sorted. */
export function writeHarvest({ needs, forms }: Harvest): string {
  const lines = ['#needs'];
  const byId = [...needs].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, label, broader } of byId) lines.push(`${id}\t${label}\t${broader}\titem`);
  for (const [language, byNeed] of [...forms].sort(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`#forms ${language}`);
    const sorted = [...byNeed].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [need, names] of sorted) lines.push(`${need}: ${names.join(', ')}`);
  }
  return `${lines.join('\n')}\n`;
}
