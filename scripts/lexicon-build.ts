import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { buildHarvest, compressHarvest, installSources } from '../src/harvest/build.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run lexicon:build [-- --check]

Takes from the pinned open sources (src/harvest/packages.json; about 130 MB, installed apart) what they
add to the hand-written lexicon, and writes src/understand/lexicon/harvest.br.
  --check  writes nothing; fails when the committed file is not what the sources give`;

const TARGET = fileURLToPath(new URL('../src/understand/lexicon/harvest.br', import.meta.url));
const { values } = readArguments(HELP, { check: { type: 'boolean' } });

await run(async () => {
  process.stderr.write('lexicon: installing the sources\n');
  const text = buildHarvest(installSources());
  if (values.check) {
    const committed = brotliDecompressSync(readFileSync(TARGET)).toString();
    if (committed !== text) fail('harvest.br is not what the sources give: npm run lexicon:build');
    process.stderr.write('lexicon: harvest.br is what the sources give\n');
    return;
  }
  const packed = compressHarvest(text);
  writeFileSync(TARGET, packed);
  process.stderr.write(`lexicon: ${text.split('\n').length} lines, ${packed.length} bytes\n`);
});
