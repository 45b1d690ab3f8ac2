import { brotliCompressSync, constants } from 'node:zlib';
import { indexSources } from '../understand/lexicon/index-forms.ts';
import { readSources } from '../understand/lexicon/lexicon.ts';
import { alignConcepts } from './align.ts';
import { writeHarvest } from './harvest-text.ts';
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
