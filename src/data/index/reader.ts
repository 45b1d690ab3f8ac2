import { setImmediate } from 'node:timers/promises';
import {
  aiCategoryToken,
  categoryToken,
  EVERY,
  EVERYWHERE,
  FIELDS,
  keyOf,
  LEVELS,
  merchantToken,
  priceTokens,
} from './format.ts';
import type { SearchSource, SearchText } from './sources.ts';

/** The search tokens of a record, from src/understand, and its title in normalised form. */
export type SearchTokens = Record<(typeof FIELDS)[number], string[]> & { name: string };

/** The text analysis behind the index (src/understand with a lexicon). */
export type Analyser = {
  version: string;
  document(text: SearchText): SearchTokens;
  concepts(name: string): string[];
  /** The words of a text as written, with their search tokens. */
  words(text: string): { word: string; token: string }[];
  /** Analyses records in worker threads; missing if the analyser is single-threaded. */
  openThreads?: () => Reader;
};

/** The analysis of a batch of records, compact for transfer between threads. */
export type Analysis = {
  /** The distinct tokens of the batch. */
  tokens: string[];
  /** Indexes into `tokens` with levels, packed as keys, record by record. */
  keys: Int32Array;
  /** The end of each record's keys. */
  ends: Int32Array;
  names: string[];
  /** The distinct words of titles and brands, with the indexes of their tokens. */
  words: { word: string; token: number }[];
};

/** Analyses batches of records concurrently. */
export type Reader = {
  read(sources: SearchSource[]): Promise<Analysis>;
  /** The number of concurrent batches that keeps it busy. */
  batches: number;
  close(): Promise<unknown>;
};

/** From this many records on, threads repay their start-up. */
const MANY_RECORDS = 3000;
/** Records analysed before yielding to the event loop: some 20 ms. */
const RECORDS_A_TURN = 100;

/** Opens a reader suited to the number of records. */
export function openReader(analyser: Analyser, records: number): Reader {
  if (records >= MANY_RECORDS && analyser.openThreads) return analyser.openThreads();
  return {
    batches: 2,
    async read(sources) {
      await setImmediate();
      const reading = new BatchAnalysis(analyser);
      for (const [index, source] of sources.entries()) {
        if (index > 0 && index % RECORDS_A_TURN === 0) await setImmediate();
        reading.add(source);
      }
      return reading.result();
    },
    close: async () => {},
  };
}

/** Analyses batches ahead while the caller processes earlier ones; yields them in order. */
export async function* readAhead(
  batches: AsyncIterable<SearchSource[]>,
  reader: Reader,
): AsyncGenerator<{ sources: SearchSource[]; analysis: Analysis }> {
  const ahead: Promise<{ sources: SearchSource[]; analysis: Analysis }>[] = [];
  for await (const sources of batches) {
    const reading = reader.read(sources).then((analysis) => ({ sources, analysis }));
    // A rejection surfaces when its turn comes.
    reading.catch(() => {});
    ahead.push(reading);
    if (ahead.length < reader.batches) continue;
    const [first] = ahead.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const reading of ahead) yield await reading;
}

/** Analyses a batch synchronously, as worker threads do. */
export function readBatch(analyser: Analyser, sources: readonly SearchSource[]): Analysis {
  const reading = new BatchAnalysis(analyser);
  for (const source of sources) reading.add(source);
  return reading.result();
}

class BatchAnalysis {
  readonly #analyser: Analyser;
  readonly #indexes = new Map<string, number>();
  readonly #words = new Map<string, number>();
  readonly #keys: number[] = [];
  readonly #ends: number[] = [];
  readonly #names: string[] = [];

  constructor(analyser: Analyser) {
    this.#analyser = analyser;
  }

  #indexOf(token: string): number {
    const known = this.#indexes.get(token);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(token, index);
    return index;
  }

  add(source: SearchSource): void {
    const terms = this.#analyser.document(source);
    const filters = new Set(filterTokens(source));
    for (const token of filters) this.#keys.push(keyOf(this.#indexOf(token), LEVELS.filter));
    const known = new Set<string>();
    for (const field of FIELDS) {
      for (const token of terms[field]) {
        if (known.has(token)) continue;
        known.add(token);
        this.#keys.push(keyOf(this.#indexOf(token), LEVELS[field]));
      }
    }
    this.#ends.push(this.#keys.length);
    this.#names.push(terms.name);
    for (const { word, token } of this.#analyser.words(`${source.title} ${source.brand ?? ''}`)) {
      this.#words.set(word, this.#indexOf(token));
    }
  }

  result(): Analysis {
    return {
      tokens: [...this.#indexes.keys()],
      keys: Int32Array.from(this.#keys),
      ends: Int32Array.from(this.#ends),
      names: this.#names,
      words: [...this.#words].map(([word, token]) => ({ word, token })),
    };
  }
}

function filterTokens(source: SearchSource): string[] {
  const { merchantId, categoryId, aiCategoryKey, price, places } = source;
  const tokens = [EVERY, ...priceTokens(price), ...places];
  if (merchantId === null) tokens.push(EVERYWHERE);
  else tokens.push(merchantToken(merchantId));
  if (categoryId !== null) tokens.push(categoryToken(categoryId));
  if (aiCategoryKey !== null) tokens.push(aiCategoryToken(aiCategoryKey));
  return tokens;
}
