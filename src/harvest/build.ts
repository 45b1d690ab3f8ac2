import { brotliCompressSync, constants } from 'node:zlib';
import { indexSources } from '../understand/lexicon/index-forms.ts';
import { readSources } from '../understand/lexicon/lexicon.ts';
import { alignConcepts } from './align.ts';
import { writeHarvest } from './harvest-text.ts';
import { readConcepts } from './sources.ts';

/** The harvest of the sources below a node_modules folder, as text; the same sources give the same text. */
export function buildHarvest(modules: string): string {
  const written = indexSources({ ...readSources(), harvest: '' }, 'without harvest');
  return writeHarvest(alignConcepts(readConcepts(modules), written));
}

/** Compresses a harvest as hard as brotli can: it is committed. */
export function compressHarvest(text: string): Buffer {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
}
