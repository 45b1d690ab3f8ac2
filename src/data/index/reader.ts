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

/** The search tokens of one record, as src/understand makes them, and its title as a query would say it. */
export type SearchTokens = Record<(typeof FIELDS)[number], string[]> & { name: string };

/** The analysis that the index is made with (src/understand over a lexicon). */
export type Analyser = {
  version: string;
  document(text: SearchText): SearchTokens;
  concepts(name: string): string[];
  /** The words of a text as people write them, with the tokens that they are searched by. */
  words(text: string): { word: string; token: string }[];
  /** Reads records in threads; missing where an analyser works in this one alone. */
  openThreads?: () => Reader;
};

/** What some records say. Compact, so that a thread can hand it over for little. */
export type Said = {
  /** The tokens of all of them, each once. */
  tokens: string[];
  /** Of one record after the other: places in `tokens` with their levels, as keys. */
  keys: Int32Array;
  /** Where the keys of each record end. */
  ends: Int32Array;
  names: string[];
  /** The words of titles and brands, each once, with the places of their tokens. */
  words: { word: string; token: number }[];
};

/** Reads records, several batches at a time. */
export type Reader = {
  read(sources: SearchSource[]): Promise<Said>;
  /** So many batches at once keep it busy. */
  batches: number;
  close(): Promise<unknown>;
};

/** From so many records on threads are worth their start. */
const MANY_RECORDS = 3000;
/** How many records are read in this thread before others get their turn: some 20 ms. */
const RECORDS_A_TURN = 100;

/** Opens the reader that suits so many records. */
export function openReader(analyser: Analyser, records: number): Reader {
  if (records >= MANY_RECORDS && analyser.openThreads) return analyser.openThreads();
  return {
    batches: 2,
    async read(sources) {
      await setImmediate();
      const reading = new Reading(analyser);
      for (const [place, source] of sources.entries()) {
        if (place > 0 && place % RECORDS_A_TURN === 0) await setImmediate();
        reading.add(source);
      }
      return reading.said();
    },
    close: async () => {},
  };
}

/** Has a reader read batches ahead while the caller works on those before. */
export async function* readAhead(
  batches: AsyncIterable<SearchSource[]>,
  reader: Reader,
): AsyncGenerator<{ sources: SearchSource[]; said: Said }> {
  const ahead: Promise<{ sources: SearchSource[]; said: Said }>[] = [];
  for await (const sources of batches) {
    const reading = reader.read(sources).then((said) => ({ sources, said }));
    // A failure is that of its turn.
    reading.catch(() => {});
    ahead.push(reading);
    if (ahead.length < reader.batches) continue;
    const [first] = ahead.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const reading of ahead) yield await reading;
}

/** Reads a batch at once: the work of a thread. */
export function readBatch(analyser: Analyser, sources: readonly SearchSource[]): Said {
  const reading = new Reading(analyser);
  for (const source of sources) reading.add(source);
  return reading.said();
}

class Reading {
  readonly #analyser: Analyser;
  readonly #places = new Map<string, number>();
  readonly #words = new Map<string, number>();
  readonly #keys: number[] = [];
  readonly #ends: number[] = [];
  readonly #names: string[] = [];

  constructor(analyser: Analyser) {
    this.#analyser = analyser;
  }

  #placeOf(token: string): number {
    const known = this.#places.get(token);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#places.set(token, place);
    return place;
  }

  add(source: SearchSource): void {
    const terms = this.#analyser.document(source);
    const filters = new Set(filterTokens(source));
    for (const token of filters) this.#keys.push(keyOf(this.#placeOf(token), LEVELS.filter));
    const known = new Set<string>();
    for (const field of FIELDS) {
      for (const token of terms[field]) {
        if (known.has(token)) continue;
        known.add(token);
        this.#keys.push(keyOf(this.#placeOf(token), LEVELS[field]));
      }
    }
    this.#ends.push(this.#keys.length);
    this.#names.push(terms.name);
    for (const { word, token } of this.#analyser.words(`${source.title} ${source.brand ?? ''}`)) {
      this.#words.set(word, this.#placeOf(token));
    }
  }

  said(): Said {
    return {
      tokens: [...this.#places.keys()],
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
