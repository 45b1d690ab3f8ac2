import type { Correction } from '../../domain/search.ts';
import type { Sql } from '../connection/client.ts';
import { LEVELS } from './format.ts';

/** Shorter words have too many neighbours; words with digits are model numbers. */
const MISTYPABLE = /^[a-z]{4,24}$/;
/** From this length on two typos are assumed, below it one. */
const LONG_WORD = 8;

type Known = { word: string; token: string; records: number };

/**
 * Finds corrections for misspelled words: words of the catalog's titles and brands within one or two edits. Call it
 * only for words that no record has.
 */
export async function correctWords(sql: Sql, words: string[]): Promise<Correction[]> {
  const corrections: Correction[] = [];
  for (const word of words.filter((one) => MISTYPABLE.test(one))) {
    const known = await sql<Known[]>`
      select close.word, token.token, titled.records
      from words_like(${word}) close
      join search_token token on token.id = close.token_id
      cross join lateral (
        select sum(records) as records from search_posting
        where kind in (1, 2)
          and key between close.token_id * 8 + ${LEVELS.head} and close.token_id * 8 + ${LEVELS.aside}
      ) titled
      where titled.records > 0`;
    const best = closest(word, known);
    // Offers may have a word that products lack, and vice versa.
    if (best !== null && best.word !== word)
      corrections.push({ typed: word, meant: best.word, token: best.token });
  }
  return corrections;
}

// The first letter is rarely wrong; ties go to the more frequent word, then alphabetically.
function closest(word: string, known: Known[]): Known | null {
  const most = word.length < LONG_WORD ? 1 : 2;
  const cost = (one: Known) => slips(word, one.word) + (one.word[0] === word[0] ? 0 : 0.5);
  const near = known
    .map((one) => ({ one, cost: cost(one) }))
    .filter((candidate) => Math.floor(candidate.cost) <= most)
    .sort(
      (a, b) =>
        a.cost - b.cost || b.one.records - a.one.records || (a.one.word < b.one.word ? -1 : 1),
    );
  return near[0]?.one ?? null;
}

/** Returns the edit distance with transpositions (optimal string alignment). */
export function slips(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, at(before, j - 2) + 1);
      }
      row.push(least);
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

const at = (row: number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY;
