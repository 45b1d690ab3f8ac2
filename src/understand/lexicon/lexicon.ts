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

/** Reads the lexicon's files: needs.tsv, what stands beside it, and every forms/<language>.txt, in the order of names. */
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

/** Raise when stems or the rules of documents change: tokens in an index are then stale too. */
const RULES = 'understand-18';

const TABLES = ['needs.tsv', 'combinations.tsv', 'shorthand.tsv', 'brands.txt', 'harvest.br'];

/** A hash of all files of the lexicon, by which an index knows when it is stale. */
export function lexiconVersion(folder = FOLDER): string {
  const hash = createHash('sha256').update(RULES);
  const forms = readdirSync(join(folder, 'forms')).sort();
  for (const name of [...TABLES, ...forms.map((name) => join('forms', name))]) {
    hash.update(`\0${name}\0`).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** The indexed lexicon, kept beside the built pages: opening it takes a tenth of indexing anew. */
const PACKED = fileURLToPath(new URL('../../../dist/lexicon.bin', import.meta.url));

let loaded: Lexicon | null = null;
/** The languages that texts of the catalog are read in. */
const OF_DOCUMENTS = ['pt', 'en'];

/** The lexicon, loaded once a process: its files do not change while one runs. */
export function loadLexicon(): Lexicon {
  loaded ??= { ...openLexicon(PACKED), wishes: readWishes(), brands: readBrands() };
  return loaded;
}

/** What documents are read by, a tenth of the lexicon: an import holds it in several threads. */
export const loadDocumentLexicon = (): Lexicon => ({
  ...openLexicon(PACKED, OF_DOCUMENTS),
  brands: readBrands(),
});

// Records do not depend on them, so they are no part of the version, and few enough to be indexed at each start.
const readWishes = () =>
  indexWishes(readForms(join(FOLDER, 'wishes')), readFileSync(join(FOLDER, 'wishes.tsv'), 'utf8'));

const readBrands = () => indexBrands(readFileSync(join(FOLDER, 'brands.txt'), 'utf8'));

/** Opens the packed lexicon when it is that of the present files; else indexes these and packs them. */
function openLexicon(path: string, languages?: readonly string[]): Lexicon {
  const version = lexiconVersion();
  const known = existsSync(path) ? unpackFile(path, version, languages) : null;
  if (known !== null) return known;
  const packed = packLexicon(indexSources(readSources(), version));
  try {
    writeWhole(path, packed);
  } catch {
    // A folder that cannot be written costs time at the next start, nothing else.
  }
  const opened = unpackLexicon(piecesOf(packed), version, languages);
  if (opened === null) throw new Error('the lexicon that was packed cannot be opened');
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

// Another process may open the file at any time: it must see the whole of it or none.
function writeWhole(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  writeFileSync(part, content);
  renameSync(part, path);
}
