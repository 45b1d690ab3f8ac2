import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { buildHarvest, compressHarvest, installSources } from '../src/harvest/build.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run lexicon:build [-- --check]

Extracts from the pinned open sources (src/harvest/packages.json; about 130 MB, installed separately) what
they add to the hand-written lexicon, and writes src/understand/lexicon/harvest.br.
  --check  write nothing; fail if the committed file differs from the result`;

const TARGET = fileURLToPath(new URL('../src/understand/lexicon/harvest.br', import.meta.url));
const { values } = readArguments(HELP, { check: { type: 'boolean' } });

await run(async () => {
  process.stderr.write('lexicon: installing the sources\n');
  const text = buildHarvest(installSources());
  if (values.check) {
    const committed = brotliDecompressSync(readFileSync(TARGET)).toString();
    if (committed !== text) fail('harvest.br is out of date: run npm run lexicon:build');
    process.stderr.write('lexicon: harvest.br is up to date\n');
    return;
  }
  const packed = compressHarvest(text);
  writeFileSync(TARGET, packed);
  process.stderr.write(`lexicon: ${text.split('\n').length} lines, ${packed.length} bytes\n`);
});
