import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Lexicon, Sources } from '../lexicon-types.ts';
import { indexBrands } from './brands.ts';
import { indexSources } from './index-forms.ts';
import { packLexicon, unpackLexicon } from './pack.ts';
import { piecesOf } from './packed.ts';
import { indexWishes } from './wish-forms.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Reads the lexicon's files: the tables, the harvest, and every forms/<language>.txt in alphabetical order. */
export function readSources(folder = FOLDER): Sources {
  return {
    needs: readFileSync(join(folder, 'needs.tsv'), 'utf8'),
    combinations: readFileSync(join(folder, 'combinations.tsv'), 'utf8'),
    shorthand: readFileSync(join(folder, 'shorthand.tsv'), 'utf8'),
    forms: readForms(join(folder, 'forms')),
    harvest: brotliDecompressSync(readFileSync(join(folder, 'harvest.br'))).toString(),
  };
}

function readForms(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  return new Map(
    names
      .sort()
      .map((name) => [name.slice(0, -4).toLowerCase(), readFileSync(join(folder, name), 'utf8')]),
  );
}

/** Raise when stemming or the analysis of records changes: existing index tokens are then stale. */
const RULES = 'understand-18';

const TABLES = ['needs.tsv', 'combinations.tsv', 'shorthand.tsv', 'brands.txt', 'harvest.br'];

/** Returns a hash of all files that index tokens depend on; an index of another version is stale. */
export function lexiconVersion(folder = FOLDER): string {
  const hash = createHash('sha256').update(RULES);
  const forms = readdirSync(join(folder, 'forms')).sort();
  for (const name of [...TABLES, ...forms.map((name) => join('forms', name))]) {
    hash.update(`\0${name}\0`).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** The packed lexicon, a build product: opening it takes a tenth of the time of indexing. */
const PACKED = fileURLToPath(new URL('../../../dist/lexicon.bin', import.meta.url));

let loaded: Lexicon | null = null;
/** The languages of catalog texts. */
const OF_DOCUMENTS = ['pt', 'en'];

/** Returns the lexicon, loaded once per process. */
export function loadLexicon(): Lexicon {
  loaded ??= { ...openLexicon(PACKED), wishes: readWishes(), brands: readBrands() };
  return loaded;
}

/** Loads only what records are read with, a tenth of the lexicon: each thread of an import has a copy. */
export const loadDocumentLexicon = (): Lexicon => ({
  ...openLexicon(PACKED, OF_DOCUMENTS),
  brands: readBrands(),
});

// Small enough to be indexed at each start; record tokens do not depend on wishes, so the version does not either.
const readWishes = () =>
  indexWishes(readForms(join(FOLDER, 'wishes')), readFileSync(join(FOLDER, 'wishes.tsv'), 'utf8'));

const readBrands = () => indexBrands(readFileSync(join(FOLDER, 'brands.txt'), 'utf8'));

/** Opens the packed lexicon if it is up to date; otherwise indexes the files and packs them. */
function openLexicon(path: string, languages?: readonly string[]): Lexicon {
  const version = lexiconVersion();
  const known = existsSync(path) ? unpackFile(path, version, languages) : null;
  if (known !== null) return known;
  const packed = packLexicon(indexSources(readSources(), version));
  try {
    writeWhole(path, packed);
  } catch {
    // Not fatal: a read-only folder only makes the next start slower.
  }
  const opened = unpackLexicon(piecesOf(packed), version, languages);
  if (opened === null) throw new Error('the packed lexicon cannot be opened');
  return opened;
}

function unpackFile(path: string, version: string, languages?: readonly string[]): Lexicon | null {
  if (languages === undefined) return unpackLexicon(piecesOf(readFileSync(path)), version);
  const file = openSync(path, 'r');
  try {
    const read = (at: number, length: number) => {
      const piece = Buffer.alloc(length);
      readSync(file, piece, 0, length, at);
      return piece;
    };
    return unpackLexicon(read, version, languages);
  } finally {
    closeSync(file);
  }
}

// Write and rename: other processes never see a partial file.
function writeWhole(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  writeFileSync(part, content);
  renameSync(part, path);
}
