import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { indexSources } from './index-forms.ts';
import type { Lexicon, Sources } from './types.ts';

const FOLDER = fileURLToPath(new URL('./lexicon/', import.meta.url));

/** Reads the lexicon's files: needs.tsv and every forms/<language>.txt, in the order of names. */
export function readSources(folder = FOLDER): Sources {
  const forms = new Map<string, string>();
  for (const name of readdirSync(join(folder, 'forms')).sort()) {
    if (!name.endsWith('.txt')) continue;
    forms.set(name.slice(0, -4).toLowerCase(), readFileSync(join(folder, 'forms', name), 'utf8'));
  }
  return {
    needs: readFileSync(join(folder, 'needs.tsv'), 'utf8'),
    combinations: readFileSync(join(folder, 'combinations.tsv'), 'utf8'),
    forms,
  };
}

/** Raise when stems or the rules of documents change: tokens in an index are then stale too. */
const RULES = 'understand-1';

/** A hash of all files of the lexicon, by which an index knows when it is stale. */
export function lexiconVersion(sources: Sources = readSources()): string {
  const hash = createHash('sha256').update(`${RULES}\0${sources.needs}\0${sources.combinations}`);
  for (const [language, text] of sources.forms) hash.update(`\0${language}\0${text}`);
  return hash.digest('hex').slice(0, 16);
}

const loaded = new Map<string, Lexicon>();

/** The lexicon of a folder, loaded once a process: its files do not change while one runs. */
export function loadLexicon(folder = FOLDER): Lexicon {
  let lexicon = loaded.get(folder);
  if (lexicon === undefined) {
    const sources = readSources(folder);
    lexicon = indexSources(sources, lexiconVersion(sources));
    loaded.set(folder, lexicon);
  }
  return lexicon;
}
