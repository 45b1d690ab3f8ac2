import { hashInto, mixed, START } from './packed.ts';

/** Sets the rate of false positives: one in sixteen at most. */
const BITS_A_PAIR = 16;

/** Bloom filter of the first two words of forms: at most one false positive in sixteen, no false negatives. */
export type Pairs = { bits: Uint32Array; mayBegin(first: string, second: string): boolean };

/** Builds the filter from all keys of several words. */
export function pairsOf(keys: readonly string[]): Pairs {
  const several = keys.filter((key) => key.includes(' '));
  let words = 1;
  while (words * 32 < several.length * BITS_A_PAIR) words *= 2;
  const bits = new Uint32Array(words);
  for (const key of several) {
    const [first = '', second = ''] = key.split(' ', 2);
    const bit = bitOf(first, second, words);
    bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  return openPairs(bits);
}

/** Opens the bits of a filter; their number is a power of two. */
export function openPairs(bits: Uint32Array): Pairs {
  return {
    bits,
    mayBegin(first, second) {
      const bit = bitOf(first, second, bits.length);
      return (((bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
    },
  };
}

const bitOf = (first: string, second: string, words: number): number =>
  mixed(hashInto(hashInto(hashInto(START, first), ' '), second)) & (words * 32 - 1);
