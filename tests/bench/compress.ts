import { createReadStream, createWriteStream, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

// Precompresses a peer's output as ours is, so that a server can send it as it lies there; zlib's own
// threads use every core. Usage: node tests/bench/compress.ts FOLDER
const [, , folder = '.'] = process.argv;
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
  .map((entry) => join(entry.parentPath, entry.name));
const brotli = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 16 },
};
const work = async () => {
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    await Promise.all([
      pipeline(createReadStream(file), createGzip({ level: 6 }), createWriteStream(`${file}.gz`)),
      pipeline(
        createReadStream(file),
        createBrotliCompress(brotli),
        createWriteStream(`${file}.br`),
      ),
    ]);
  }
};
await Promise.all(Array.from({ length: availableParallelism() * 4 }, work));
